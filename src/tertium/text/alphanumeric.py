"""alphanumeric: lower case, and nothing left but runs of a-z and 0-9.

The tokenizer of ROUGE since Lin's Perl script, as google-research's rouge-score has it, without its stemmer. It is for
English: letters with accents and other scripts count as white space.
"""

from tertium.text import Tokenizer, of_the_core


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme alphanumeric.

    >>> tokenizer()("It's 1.5 naïve cats")
    ['it', 's', '1', '5', 'na', 've', 'cats']
    """
    return of_the_core("alphanumeric", argument)
