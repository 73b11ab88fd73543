"""none: the text is tokenised already; tokens are what Python's `str.split` finds."""

from tertium.text import Tokenizer, of_the_core


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme none.

    >>> tokenizer()("It costs 1,000.5 euros.")
    ['It', 'costs', '1,000.5', 'euros.']
    """
    return of_the_core("none", argument)
