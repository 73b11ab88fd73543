"""none."""

from tertium import native
from tertium.text import Tokenizer


def _split(text: str) -> list[str]:
    return native.tokenize([text], "none")[0]


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme none; it takes no argument."""
    return Tokenizer("none", _split, native="none")
