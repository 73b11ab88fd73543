"""zh: Chinese characters are tokens, and so are Chinese punctuation and full-width forms; the rest is cut as by 13a.

The rules stand in `cpp/tokenizer_zh.hpp`.
"""

from tertium.text import Tokenizer, of_the_core


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme zh.

    >>> tokenizer()("我有3.5元，OK?")
    ['我', '有', '3.5', '元', '，', 'OK', '?']
    """
    return of_the_core("zh", argument)
