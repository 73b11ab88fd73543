"""Beam search: the `width` best prefixes of each sentence go on together.

At every step the children of all prefixes of a sentence are ranked by log P. Those among the first `width` that are the
end become finished hypotheses; the first `width` that are not go on. The hypotheses are compared under the length
normalisation, and the search of a sentence stops by one of these rules:

    proven           as soon as no prefix can still beat the hypotheses wanted: its log probability can only fall, so
                     its score is at most log P / divisor(longest allowed). Nothing is lost that this beam would find
    first-finished   as soon as as many hypotheses as wanted are finished: fast, and biased to short ones
    patience         as soon as patience * width are finished, and as many as wanted (Kasai et al., 2024; patience 1 is
                     the rule of many tools)

With `groups` > 1 it is diverse beam search (Vijayakumar et al., 2018): the width is split into groups, and a group pays
`diversity` for each time that an earlier group has chosen the same token at this step. Hypotheses and log
probabilities are those of the model, without what was paid; what several groups find counts once.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from tertium.decoding.frontier import Children, Frontier
from tertium.decoding.length import Length
from tertium.decoding.top import padded_top, top
from tertium.errors import OptionError, UnknownName
from tertium.spelling import spelled

STOPPING = ("proven", "first-finished", "patience")


@spelled
@dataclass(frozen=True, repr=False)
class Beam:
    """The options of beam search.

    >>> Beam(width=8).length
    length:normalise=power,alpha=0.7,count_end=yes
    """

    width: int = 4
    count: int = 1  # of hypotheses wanted
    normalise: str = "power"
    alpha: float = 0.7
    count_end: bool = True
    stop: str = "proven"
    patience: float = 1.0
    groups: int = 1
    diversity: float = 0.5

    name: ClassVar[str] = "beam"

    def __post_init__(self) -> None:
        if self.width < 1 or not 1 <= self.count <= self.width:
            raise OptionError(f"beam: width={self.width}, count={self.count}; 1 <= count <= width must hold")
        if self.stop not in STOPPING:
            raise UnknownName("stopping rule", self.stop, STOPPING)
        if self.groups < 1 or self.width % self.groups:
            raise OptionError(f"beam: width={self.width} cannot be split into groups={self.groups} of equal size")
        if self.patience <= 0 or self.diversity < 0:
            raise OptionError(f"beam: patience={self.patience} must be above 0, diversity={self.diversity} 0 or more")
        _ = self.length  # checks its own options

    @property
    def length(self) -> Length:
        """The objective."""
        return Length(self.normalise, self.alpha, self.count_end)

    def chooser(self, end: int, most: Sequence[int], streams: Sequence[int]) -> "BeamChooser":
        """What chooses in one batch."""
        return BeamChooser(self, end, self.length.divisors(torch.tensor(most)))


class BeamChooser:
    """Goes on with the best children of each sentence."""

    def __init__(self, options: Beam, end: int, divisors: Tensor) -> None:
        self.options = options
        self.end = end
        self.divisors = divisors  # (sources,) of the longest sequence allowed

    def choose(self, frontier: Frontier, log_probs: Tensor) -> Children:
        """The best children that are not the end; those that are become hypotheses."""
        options = self.options
        size = options.width // options.groups
        parts = []
        paid = torch.zeros_like(log_probs[:, :1]) if options.groups > 1 else None  # (sentences, 1, vocabulary)
        for group in range(options.groups):
            rows = slice(None) if frontier.width == 1 else slice(group * size, (group + 1) * size)
            children, best = self._best(frontier, log_probs, rows, size, paid)
            parts.append((children.parents + (rows.start or 0), *children[1:], best))
            if paid is not None:
                price = options.diversity * children.log_probs.isfinite().to(paid)
                paid.scatter_add_(2, children.tokens[:, None], price[:, None])
        joined = (torch.cat(pieces, 1) if len(pieces) > 1 else pieces[0] for pieces in zip(*parts, strict=True))
        parents, tokens, chosen, best = joined
        frontier.done |= self._done(frontier, best.max(1).values)
        return Children(parents, tokens, chosen)

    def _best(
        self, frontier: Frontier, log_probs: Tensor, rows: slice, size: int, paid: Tensor | None
    ) -> tuple[Children, Tensor]:
        """The children (sentences, size) of one group and their whole log probabilities; finishes what ends."""
        own, banks = log_probs[:, rows], frontier.banks
        sentences, width, vocabulary = own.shape
        scores = own if paid is None else own - paid
        values, places = (each.view(sentences, width, -1) for each in top(scores.reshape(-1, vocabulary), 2 * size))
        if banks is not None:
            values, places = banks.candidates(scores, values, places, rows)
        kept = values.shape[2]
        totals = frontier.total[:, rows, None] + values.double()
        if banks is None:
            best, index = padded_top(totals.flatten(1), 2 * size)  # best first
        else:
            best, index = banks.ranked(totals, places, 2 * size, rows)
        parents = torch.div(index, kept, rounding_mode="floor")
        tokens = places.flatten(1).gather(1, index)
        ends = tokens == self.end
        self._finish(frontier, log_probs, rows, parents, ends[:, :size] & best[:, :size].isfinite())
        live = ends.int().argsort(dim=1, stable=True)[:, :size]  # the first that are not the end
        best = best.masked_fill(ends, -math.inf).gather(1, live)
        parents, tokens = parents.gather(1, live), tokens.gather(1, live)
        chosen = own[torch.arange(sentences)[:, None], parents, tokens].masked_fill(~best.isfinite(), -math.inf)
        if paid is not None:  # the price ranks, but what may still be won is the model's
            best = frontier.total[:, rows].gather(1, parents) + chosen.double()
        return Children(parents, tokens, chosen), best

    def _finish(self, frontier: Frontier, log_probs: Tensor, rows: slice, parents: Tensor, ends: Tensor) -> None:
        first = rows.start or 0
        for sentence, rank in (ends & ~frontier.done[:, None]).nonzero().tolist():
            row = first + int(parents[sentence, rank])
            if self.options.groups == 1 or not frontier.has_finished(sentence, row):
                frontier.finish(sentence, row, self.end, float(log_probs[sentence, row, self.end]))

    def _done(self, frontier: Frontier, best: Tensor) -> Tensor:
        """Which sentences can stop, given the log probability of the best prefix of each."""
        options = self.options
        if options.stop == "proven":
            bounds = best / self.divisors[frontier.sentences]
            return bounds <= frontier.thresholds(options.count)
        wanted = options.count
        if options.stop == "patience":
            wanted = max(wanted, math.ceil(options.patience * options.width))
        counts = [len(frontier.finished[source]) >= wanted for source in frontier.sentences.tolist()]
        return torch.tensor(counts) | ~best.isfinite()
