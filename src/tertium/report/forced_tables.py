"""Tables of given translations' scores: by system, by segment, by token."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.report.tables import Cell, Column, Table

if TYPE_CHECKING:
    from tertium.decoding.frontier import Hypothesis
    from tertium.decoding.length import Length

Scored = Mapping[str, Sequence["Hypothesis"]]  # of each system, the segments

NUMBERS = ("log P", "per token", "perplexity", "score")


def table_of_systems(scored: Scored, length: "Length") -> Table:
    """A row for each system: means of a segment; per token and perplexity over all tokens, ends included."""
    rows: list[list[Cell]] = []
    for system, found in scored.items():
        tokens, total = sum(len(each.tokens) for each in found), sum(each.log_prob for each in found)
        score = sum(each.score for each in found) / len(found)
        rows.append([system, len(found), tokens, total / len(found), *_by_token(total, tokens), score])
    columns = (Column("system"), Column("segments"), Column("tokens"), *(Column(name, 3) for name in NUMBERS))
    return Table(columns, rows, notes=(_note(length),))


def table_of_segments(scored: Scored, length: "Length") -> Table:
    """A row for each segment of each system."""
    rows: list[list[Cell]] = [
        [system, i, len(each.tokens), each.log_prob, *_by_token(each.log_prob, len(each.tokens)), each.score]
        for system, found in scored.items()
        for i, each in enumerate(found, 1)
    ]
    columns = (Column("system"), Column("segment"), Column("tokens"), *(Column(name, 3) for name in NUMBERS))
    return Table(columns, rows, notes=(_note(length),))


def table_of_tokens(scored: Scored, texts: Mapping[int, str]) -> Table:
    """A row for each token of each segment; `texts` are the tokens as text."""
    rows: list[list[Cell]] = [
        [system, i, place, token, texts[token], value]
        for system, found in scored.items()
        for i, each in enumerate(found, 1)
        for place, (token, value) in enumerate(zip(each.tokens, each.token_log_probs, strict=True), 1)
    ]
    names = ("system", "segment", "place", "token", "text")
    return Table((*map(Column, names), Column("log P", 3)), rows)


def _by_token(total: float, tokens: int) -> tuple[float, float]:
    mean = total / tokens
    return mean, math.exp(-mean) if -mean < 700 else math.inf


def _note(length: "Length") -> str:
    return f"log P: natural logarithms, the end of a translation included. score: {length!r}"
