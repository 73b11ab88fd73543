"""Tokenizers, one scheme a file.

A scheme is a factory: `tokenizer(argument)` -> `Tokenizer`, where the argument is what follows a colon in the scheme's
spelling (`spm:my.model`) or an empty string. `tertium.text.scheme` looks it up by that spelling.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tertium import registry
from tertium.native import Corpus, corpus


@dataclass(frozen=True)
class Tokenizer:
    """One way to cut a line of text into tokens.

    Where the core has the scheme, `native` is its name there and texts never become Python tokens; otherwise the lines
    are cut by `split` and scored as token lists.
    """

    name: str
    split: Callable[[str], list[str]]
    native: str | None = None

    def __call__(self, text: str) -> list[str]:
        """The tokens of one text."""
        return self.split(text)


def scheme(spelling: str) -> Tokenizer:
    """The tokenizer that a spelling names: `13a`, `zh`, `spm:my.model`.

    >>> scheme("13a")("Hello, world!")
    ['Hello', ',', 'world', '!']
    """
    name, _, argument = spelling.partition(":")
    tokenizer: Tokenizer = registry.load("tokenizer", name)(argument)
    return tokenizer


def tokenised(texts: Corpus, tokenizer: Tokenizer, *, lowercase: bool = False) -> Corpus:
    """The corpus cut by a scheme that the core does not have. Lower-casing comes first, as in sacreBLEU."""
    if texts.tokenised:
        return texts
    lines = (texts[i] for i in range(len(texts)))
    return corpus(
        [None if line is None else tokenizer(line.lower() if lowercase else line) for line in lines], tokenizer.name
    )
