"""The objective of a search: how log probabilities of sequences of different length are compared.

    none     log P(y|x)
    power    log P(y|x) / T^alpha                        (alpha = 1: the mean of a token; 0.7 is the default)
    gnmt     log P(y|x) / ((5 + T) / 6)^alpha            (Wu et al., 2016)

T is the number of tokens; whether the end counts as one is an option. A log probability only falls as a sequence
grows, while what it is divided by rises: both give bounds on what may still become of a prefix, on which rest the
stopping rule of beam search and the pruning of exact search.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from tertium.errors import OptionError, UnknownName
from tertium.spelling import spelled

NORMALISATIONS = ("power", "gnmt", "none")


@spelled
@dataclass(frozen=True, repr=False)
class Length:
    """How a log probability and a length become a score.

    >>> Length(normalise="power", alpha=1.0).score(-6.0, 3)
    -2.0
    """

    normalise: str = "power"
    alpha: float = 0.7
    count_end: bool = True

    name: ClassVar[str] = "length"

    def __post_init__(self) -> None:
        if self.normalise not in NORMALISATIONS:
            raise UnknownName("length normalisation", self.normalise, NORMALISATIONS)
        if self.alpha < 0 or not math.isfinite(self.alpha):
            raise OptionError(f"length: alpha is {self.alpha}; it must be 0 or more")

    def divisor(self, tokens: int) -> float:
        """What the log probability of so many tokens, the end included, is divided by."""
        counted = max(1, tokens if self.count_end else tokens - 1)
        if self.normalise == "none":
            return 1.0
        return float((counted if self.normalise == "power" else (5 + counted) / 6) ** self.alpha)

    def divisors(self, tokens: Tensor) -> Tensor:
        """`divisor` of many lengths."""
        counted = (tokens if self.count_end else tokens - 1).clamp(min=1).double()
        if self.normalise == "none":
            return torch.ones_like(counted)
        return (counted if self.normalise == "power" else (5 + counted) / 6) ** self.alpha

    def score(self, log_prob: float, tokens: int) -> float:
        """The score of a sequence of so many tokens, the end included."""
        return log_prob / self.divisor(tokens)

    def bound(self, log_prob: float, most: int) -> float:
        """No sequence that goes on from a prefix of this log probability, to at most `most` tokens, scores higher."""
        return log_prob / self.divisor(most)

    def least_log_prob(self, score: float, most: int) -> float:
        """A prefix of at most this log probability cannot score above `score` within `most` tokens."""
        return score * self.divisor(most)
