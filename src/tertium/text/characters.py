"""char: every character that is not white space is a token."""

from tertium.text import Tokenizer, of_the_core


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme char.

    >>> tokenizer()("né 5")
    ['n', 'é', '5']
    """
    return of_the_core("char", argument)
