"""13a."""

from tertium import native
from tertium.text import Tokenizer


def _split(text: str) -> list[str]:
    return native.tokenize([text], "13a")[0]


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme 13a; it takes no argument."""
    return Tokenizer("13a", _split, native="13a")
