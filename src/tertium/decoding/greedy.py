"""Greedy search: the likeliest token, again and again, until it is the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from tertium.decoding.frontier import Children, Frontier
from tertium.decoding.length import Length
from tertium.decoding.top import top
from tertium.spelling import spelled


@spelled
@dataclass(frozen=True, repr=False)
class Greedy:
    """Greedy search has no options of its own.

    >>> Greedy()
    greedy
    """

    name: ClassVar[str] = "greedy"
    count: ClassVar[int] = 1
    length: ClassVar[Length] = Length(normalise="none")

    def chooser(self, end: int, most: Sequence[int], streams: Sequence[int]) -> "GreedyChooser":
        """What chooses in one batch."""
        return GreedyChooser(end)


@dataclass(frozen=True)
class GreedyChooser:
    """Takes the likeliest token of each sentence's only prefix."""

    end: int

    def choose(self, frontier: Frontier, log_probs: Tensor) -> Children:
        """The likeliest token."""
        best, tokens = (each[:, 0] for each in top(log_probs[:, 0], 1))
        ends = (tokens == self.end) & ~frontier.done & best.isfinite()
        for sentence in ends.nonzero()[:, 0].tolist():
            frontier.finish(sentence, 0, self.end, float(best[sentence]))
        frontier.done |= ends | ~best.isfinite()
        return Children(torch.zeros_like(tokens)[:, None], tokens[:, None], best[:, None])
