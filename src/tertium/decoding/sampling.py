"""Sampling: the next token is drawn at random from what the model says, or from a part of it.

    temperature   log probabilities are divided by it and normalised again
    top_k         only the k likeliest tokens
    top_p         the fewest likeliest tokens that together have at least this probability (Holtzman et al., 2020)
    min_p         only tokens at least this share of the likeliest one's probability (Nguyen et al., 2024)
    epsilon       only tokens of at least this probability (Hewitt et al., 2022)

The likeliest token always stays. Filters look at the distribution after the temperature, each at the same one; what is
left is normalised.

A token is found by one random number u in [0, 1): the first whose cumulative probability, likeliest token first,
exceeds u. Each sentence has its own stream of random numbers, Philox with the key (seed, number of the sentence): what
is drawn for it depends on nothing else. A sample that constraints leave no token at all is given up: there is one less.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from tertium.decoding.frontier import Children, Frontier
from tertium.decoding.length import Length
from tertium.errors import OptionError
from tertium.spelling import spelled


@spelled
@dataclass(frozen=True, repr=False)
class Sample:
    """The options of sampling; of several samples the one with the highest log probability comes first.

    >>> Sample(count=100, epsilon=0.02)
    sample:count=100,temperature=1,top_p=1,min_p=0,epsilon=0.02,seed=0
    """

    count: int = 1
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0
    min_p: float = 0.0
    epsilon: float = 0.0
    seed: int = 0

    name: ClassVar[str] = "sample"
    length: ClassVar[Length] = Length(normalise="none")

    def __post_init__(self) -> None:
        if self.count < 1 or self.temperature <= 0 or (self.top_k is not None and self.top_k < 1):
            raise OptionError(f"{self!r}: count and top_k must be 1 or more, temperature above 0")
        if not (0 < self.top_p <= 1 and 0 <= self.min_p <= 1 and 0 <= self.epsilon < 1):
            raise OptionError(f"{self!r}: top_p must be in (0, 1], min_p in [0, 1], epsilon in [0, 1)")
        if self.seed < 0:
            raise OptionError(f"{self!r}: seed must be 0 or more")

    def chooser(self, end: int, most: Sequence[int], streams: Sequence[int]) -> "SampleChooser":
        """What chooses in one batch."""
        longest = max(most)
        numbers = [
            np.random.Generator(np.random.Philox(key=[self.seed, stream])).random((longest, self.count))
            for stream in streams
        ]
        return SampleChooser(self, end, torch.from_numpy(np.stack(numbers)))

    def weights(self, log_probs: Tensor) -> tuple[Tensor, Tensor]:
        """The tokens (rows, vocabulary), likeliest first, and the cumulative probabilities of what is left of them."""
        scaled = (log_probs.double() / self.temperature).log_softmax(-1)
        ordered, tokens = scaled.sort(dim=-1, descending=True, stable=True)
        probs = ordered.exp()
        stays = (probs >= self.epsilon) & (probs >= self.min_p * probs[:, :1])
        stays &= probs.cumsum(-1) - probs < self.top_p
        if self.top_k is not None:
            stays[:, self.top_k :] = False
        stays[:, 0] = True
        left = probs * stays
        return tokens, (left / left.sum(-1, keepdim=True)).cumsum(-1)


@dataclass
class SampleChooser:
    """Draws a token for each prefix; a sentence has `count` of them from the first step on."""

    options: Sample
    end: int
    numbers: Tensor  # (sources, steps, count)

    def choose(self, frontier: Frontier, log_probs: Tensor) -> Children:
        """A token for each prefix that has not ended."""
        sentences, width, vocabulary = log_probs.shape
        count = self.options.count
        tokens, cumulative = self.options.weights(log_probs.reshape(-1, vocabulary))
        numbers = self.numbers[frontier.sentences, frontier.position]  # (sentences, count)
        parents = torch.arange(count).expand(sentences, -1)
        if width == 1:
            parents = torch.zeros_like(parents)
        rows = torch.arange(sentences)[:, None] * width + parents
        places = torch.searchsorted(cumulative[rows.flatten()], numbers.reshape(-1, 1), right=True)[:, 0]
        last = (cumulative < cumulative[:, -1:]).sum(1)  # the last token left: rounding must not reach beyond it
        places = torch.minimum(places, last[rows.flatten()])
        drawn = tokens[rows.flatten()].gather(1, places[:, None]).view(sentences, count)
        possible = frontier.total.isfinite() & log_probs.amax(2).isfinite()  # constraints may have left no token
        live = possible[torch.arange(sentences)[:, None], parents]
        ends = (drawn == self.end) & live
        for sentence, draw in ends.nonzero().tolist():
            row = int(parents[sentence, draw])
            frontier.finish(sentence, row, self.end, float(log_probs[sentence, row, self.end]))
        frontier.done |= ~(live & ~ends).any(1)
        values = log_probs[torch.arange(sentences)[:, None], parents, drawn]
        return Children(parents, drawn, values.masked_fill(ends, float("-inf")))  # what has ended only fills its row
