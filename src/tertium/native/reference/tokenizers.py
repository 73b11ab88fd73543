"""The tokenizers in plain Python, rule after rule: the twins of cpp/tokenizer_13a.hpp, _intl.hpp, _zh.hpp and
_char.hpp.

The rules of 13a and intl look at two neighbouring characters and consume both: the next pair begins behind them. That
is what `separate` does, and it is why the rules run one after the other, each over what the one before has made.
"""

import unicodedata
from collections.abc import Callable

SYMBOLS_13A = frozenset("""{|}~[\\]^_` !"#$%&()*+:;<=>?@/""")
DIGITS = frozenset("0123456789")
PERIODS = frozenset(".,")

CHINESE = (
    (0x2001, 0x2A6D),  # meant: U+20000 to U+2A6D6
    (0x2E80, 0x2EFF),
    (0x2F00, 0x2FDF),
    (0x2FF0, 0x2FFF),
    (0x3000, 0x303F),
    (0x3100, 0x312F),
    (0x31A0, 0x31BF),
    (0x31C0, 0x31EF),
    (0x3200, 0x33FF),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xF900, 0xFA2D),
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)


def separate(text: str, pair: Callable[[str, str], bool], rewrite: Callable[[str, str], str]) -> str:
    """The text with every pair of neighbours that the rule holds for rewritten, from left to right, none overlapping.

    >>> separate("aaa", lambda x, y: x == y == "a", lambda x, y: "b")
    'ba'
    """
    out, at = [], 0
    while at < len(text):
        if at + 1 < len(text) and pair(text[at], text[at + 1]):
            out.append(rewrite(text[at], text[at + 1]))
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def tokenize_none(text: str) -> list[str]:
    """What white space sets apart.

    >>> tokenize_none(" a  b.")
    ['a', 'b.']
    """
    return text.split()


def tokenize_13a(text: str) -> list[str]:
    """The tokens of mteval-v13a.

    >>> tokenize_13a("1,5 &lt; x..5-6")
    ['1,5', '<', 'x', '.', '.5', '-', '6']
    """
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    return western(f" {text} ")


def western(text: str) -> list[str]:
    """The tokens by the rules that 13a and zh share: symbols, then periods and commas, then hyphens.

    >>> western(",5"), western(" ,5")
    ([',5'], [',', '5'])
    """
    text = "".join(f" {character} " if character in SYMBOLS_13A else character for character in text)
    text = separate(text, lambda x, y: x not in DIGITS and y in PERIODS, lambda x, y: f"{x} {y} ")
    text = separate(text, lambda x, y: x in PERIODS and y not in DIGITS, lambda x, y: f" {x} {y}")
    text = separate(text, lambda x, y: x in DIGITS and y == "-", lambda x, y: f"{x} {y} ")
    return text.split()


def tokenize_intl(text: str, category: Callable[[str], str] = unicodedata.category) -> list[str]:
    """The tokens of mteval-v14 for any language; `category` is Unicode's general category of a character.

    >>> tokenize_intl("«1,5» = «2€.»")  # the first mark has no character before it and a number behind it
    ['«1,5', '»', '=', '«', '2', '€', '.', '»']
    """

    def is_number(character: str) -> bool:
        return category(character).startswith("N")

    def is_punctuation(character: str) -> bool:
        return category(character).startswith("P")

    text = text.rstrip()
    text = separate(text, lambda x, y: not is_number(x) and is_punctuation(y), lambda x, y: f"{x} {y} ")
    text = separate(text, lambda x, y: is_punctuation(x) and not is_number(y), lambda x, y: f" {x} {y}")
    text = "".join(f" {character} " if category(character).startswith("S") else character for character in text)
    return text.split()


def tokenize_zh(text: str) -> list[str]:
    """The tokens of Chinese text: Chinese characters, and the text between them by the rules of 13a.

    >>> tokenize_zh("价格3.5元,OK")
    ['价', '格', '3.5', '元', ',', 'OK']
    """

    def is_chinese(character: str) -> bool:
        return any(first <= ord(character) <= last for first, last in CHINESE)

    return western("".join(f" {character} " if is_chinese(character) else character for character in text.strip()))


def tokenize_char(text: str) -> list[str]:
    """The characters that are not white space.

    >>> tokenize_char("né 5")
    ['n', 'é', '5']
    """
    return [character for character in text if not character.isspace()]


def tokenize_alphanumeric(text: str) -> list[str]:
    """The runs of a-z and 0-9 in the lower-cased text.

    >>> tokenize_alphanumeric("It's 1.5 naïve cats")
    ['it', 's', '1', '5', 'na', 've', 'cats']
    """
    kept = "abcdefghijklmnopqrstuvwxyz0123456789"
    return "".join(character if character in kept else " " for character in text.lower()).split()
