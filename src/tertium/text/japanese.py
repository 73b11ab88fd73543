"""ja-mecab: Japanese words as MeCab finds them with the IPA dictionary. Needs the extra `ja`."""

from tertium.text import Tokenizer, no_argument
from tertium.text.mecab import mecab_tokenizer


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme ja-mecab.

    >>> tokenizer()("すもももももももものうち")
    ['すもも', 'も', 'もも', 'も', 'もも', 'の', 'うち']
    """
    no_argument("ja-mecab", argument)
    return mecab_tokenizer("ja-mecab", "MeCab", "ipadic", entries=392126, mark="IPA")
