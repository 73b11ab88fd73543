"""intl: the tokenization of mteval-v14.pl for any language of the world.

Every symbol (Unicode category S) is a token, and every punctuation mark (category P) unless it stands between numbers
(category N), as in 1,000.5; entities such as &quot; are not decoded. The rules stand in `cpp/tokenizer_intl.hpp`.
"""

from tertium.text import Tokenizer, of_the_core


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme intl.

    >>> tokenizer()("Das kostet 1.000,5 €, «oder»? 1999.")
    ['Das', 'kostet', '1.000,5', '€', ',', '«', 'oder', '»', '?', '1999.']
    """
    return of_the_core("intl", argument)
