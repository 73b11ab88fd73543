"""alphanumeric: lower case, and nothing left but runs of a-z and 0-9.

The tokenizer of ROUGE since Lin's Perl script, as google-research's rouge-score has it, without its stemmer. It is for
English: letters with accents and other scripts count as white space.
"""

import re

from tertium.text import Tokenizer, no_argument

OTHER = re.compile("[^a-z0-9]+")


def _split(text: str) -> list[str]:
    return OTHER.sub(" ", text.lower()).split()


def _space(texts: list[str]) -> list[str]:
    return [OTHER.sub(" ", text.lower()) for text in texts]


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme alphanumeric.

    >>> tokenizer()("It's 1.5 naïve cats")
    ['it', 's', '1', '5', 'na', 've', 'cats']
    """
    no_argument("alphanumeric", argument)
    return Tokenizer("alphanumeric", _split, space=_space)
