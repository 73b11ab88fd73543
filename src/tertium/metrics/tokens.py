"""Systems and references cut alike, in the form that the kernels which count tokens take.

Token lists are taken as they are: no tokenizer is run over them, and lower-casing is all that is done to them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tertium.data.segments import pair_systems
from tertium.metrics.protocol import AnyReferences
from tertium.native import Corpus, Segments
from tertium.text import prepare


class TokenInput(NamedTuple):
    """Systems and reference streams of one test set, and what the core has to do with each line of them."""

    systems: list[Corpus]
    references: list[Corpus]
    tokenizer: str
    lowercase: bool


def token_input(
    systems: Sequence[Segments], references: AnyReferences, tokenize: str, *, lowercase: bool = False
) -> TokenInput:
    """Check that systems and references fit each other, and cut here what the core cannot cut.

    >>> token_input([["a b"]], [["a c"]], "13a")[2:]
    ('13a', False)
    """
    texts, prepared = pair_systems(systems, references)
    ready = prepare([*texts, *prepared.streams], tokenize, lowercase=lowercase)
    return TokenInput(ready.corpora[: len(texts)], ready.corpora[len(texts) :], ready.tokenizer, ready.lowercase)
