"""What a search knows: for every sentence the prefixes it goes on from, and the hypotheses that are finished.

Sentences that are done leave the frontier, and with it the model's batch, as soon as they are a quarter of it: leaving
costs a copy of what remains.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from tertium.decoding.length import Length

if TYPE_CHECKING:
    from tertium.decoding.required import Banks

LEAVING = 0.25  # the share of sentences that are done at which they are left out


@dataclass(frozen=True)
class Hypothesis:
    """A translation as tokens, its end included, with what the model says of it.

    `log_prob` is the model's log P(y|x), whatever was constrained or truncated while searching; `score` is the
    objective under which it was chosen.
    """

    tokens: tuple[int, ...]
    token_log_probs: tuple[float, ...]
    log_prob: float
    score: float


class Children(NamedTuple):
    """The prefixes that a search goes on with; those of log probability minus infinity only fill their rows."""

    parents: Tensor  # (sentences, new width) which prefix of its sentence each comes from
    tokens: Tensor  # (sentences, new width)
    log_probs: Tensor  # (sentences, new width) of the tokens


class Frontier:
    """The prefixes of a batch of sentences, `width` of each, all of the same length."""

    def __init__(self, limits: Sequence[int], length: Length, numbers: Sequence[int] | None = None) -> None:
        count = len(limits)
        self.numbers = range(count) if numbers is None else numbers  # of the sources, as whoever asked counts them
        self.length = length
        self.limits = torch.tensor(limits)  # (sentences,) the most tokens, the end included
        self.sentences = torch.arange(count)  # (sentences,) which of the sources each is
        self.tokens = torch.zeros(count, 1, 0, dtype=torch.long)  # (sentences, width, length)
        self.token_log_probs = torch.zeros(count, 1, 0)
        self.total = torch.zeros(count, 1, dtype=torch.float64)  # (sentences, width)
        self.done = torch.zeros(count, dtype=torch.bool)
        self.finished: list[list[Hypothesis]] = [[] for _ in range(count)]  # of each source
        self.banks: Banks | None = None  # for the next step, where phrases are required

    @property
    def width(self) -> int:
        """How many prefixes a sentence has."""
        return self.tokens.shape[1]

    @property
    def position(self) -> int:
        """How many tokens each prefix has."""
        return self.tokens.shape[2]

    def number(self, sentence: int) -> int:
        """The number of a sentence's source."""
        return self.numbers[int(self.sentences[sentence])]

    def finish(self, sentence: int, row: int, end: int, log_prob: float) -> None:
        """A prefix ends: its hypothesis is finished. `log_prob` is the end token's."""
        total = float(self.total[sentence, row]) + log_prob
        tokens = (*self.tokens[sentence, row].tolist(), end)
        log_probs = (*self.token_log_probs[sentence, row].tolist(), log_prob)
        score = self.length.score(total, len(tokens))
        self.finished[int(self.sentences[sentence])].append(Hypothesis(tokens, log_probs, total, score))

    def has_finished(self, sentence: int, row: int) -> bool:
        """Whether a prefix has ended before, as that of another row."""
        prefix = tuple(self.tokens[sentence, row].tolist())
        return any(found.tokens[:-1] == prefix for found in self.finished[int(self.sentences[sentence])])

    def extend(self, children: Children) -> Tensor:
        """Go on with these children; returns the rows of the model's state that they come from.

        Done sentences are left out when there are many of them.
        """
        keep = torch.arange(len(self.sentences))
        if int(self.done.sum()) >= max(1.0, LEAVING * len(self.done)):
            keep = (~self.done).nonzero()[:, 0]
        parents, tokens, log_probs = (each[keep] for each in children)
        at = keep[:, None]
        rows = (at * self.width + parents).flatten()
        self.total = self.total[at, parents] + log_probs.double()
        self.tokens = torch.cat([self.tokens[at, parents], tokens[..., None]], 2)
        self.token_log_probs = torch.cat([self.token_log_probs[at, parents], log_probs[..., None]], 2)
        self.limits, self.sentences, self.done = self.limits[keep], self.sentences[keep], self.done[keep]
        self.banks = None
        return rows

    def best(self, count: int) -> list[list[Hypothesis]]:
        """The best finished hypotheses of every source; of equal ones the shorter, then the earlier found."""
        return [sorted(each, key=lambda found: (-found.score, len(found.tokens)))[:count] for each in self.finished]

    def thresholds(self, count: int) -> Tensor:
        """The score that a new hypothesis of each sentence must exceed to be among the `count` best of its source."""
        found = [self.finished[source] for source in self.sentences.tolist()]
        best = (sorted((each.score for each in own), reverse=True) if len(own) >= count else () for own in found)
        scores = [own[count - 1] if own else -math.inf for own in best]
        return torch.tensor(scores, dtype=torch.float64)
