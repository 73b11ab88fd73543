"""13a: the tokenization of mteval-v13a.pl, which WMT reports BLEU with; its rules are in `cpp/tokenizer_13a.hpp`."""

from tertium.text import Tokenizer, of_the_core


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme 13a.

    >>> tokenizer()("It costs 1,000.5 euros -- 5-10 &quot;days&quot;.")
    ['It', 'costs', '1,000.5', 'euros', '--', '5', '-', '10', '"', 'days', '"', '.']
    """
    return of_the_core("13a", argument)
