"""A model small enough that every sequence can be enumerated: the oracle of all searches.

`Toy` draws the distribution after each prefix at random from a hash of the source and the whole prefix, so that nothing
a search remembers of one prefix helps it with another. Kinds:

    random   logits from a normal distribution: likely and unlikely tokens
    flat     the same, a third as wide: many sequences of similar probability
    peaked   the same, four times as wide: mostly one token has nearly everything
    ties     weights 1 or 2: many tokens, and many whole sequences, of exactly equal probability
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tertium.decoding.length import Length
from tertium.models.next_token import Step

KINDS = ("random", "flat", "peaked", "ties")
WIDTHS = {"random": 1.0, "flat": 1 / 3, "peaked": 4.0}

Source = tuple[int, ...]


@dataclass(frozen=True)
class ToyState:
    """The source and the prefix of every row."""

    sources: tuple[Source, ...]
    prefixes: tuple[tuple[int, ...], ...]

    @property
    def rows(self) -> int:
        return len(self.sources)

    def pick(self, rows: Tensor) -> "ToyState":
        chosen = rows.tolist()
        return ToyState(tuple(self.sources[i] for i in chosen), tuple(self.prefixes[i] for i in chosen))


@dataclass(frozen=True)
class Toy:
    """A random `NextToken`; see the file's docstring."""

    vocabulary_size: int = 5
    kind: str = "random"
    seed: int = 0
    end: int = 1
    longest_source: int | None = None
    longest_target: int | None = None

    def start(self, sources: Sequence[Sequence[int]]) -> Step:
        state = ToyState(tuple(tuple(source) for source in sources), ((),) * len(sources))
        return Step(self._log_probs(state), state)

    def advance(self, state: ToyState, tokens: Tensor) -> Step:
        said = []
        for token in tokens.T.tolist():
            prefixes = tuple((*prefix, each) for prefix, each in zip(state.prefixes, token, strict=True))
            state = ToyState(state.sources, prefixes)
            said.append(self._log_probs(state))
        return Step(torch.stack(said, 1), state)

    def _log_probs(self, state: ToyState) -> Tensor:
        rows = [self.distribution(*row) for row in zip(state.sources, state.prefixes, strict=True)]
        return torch.from_numpy(np.stack(rows))

    @cache  # noqa: B019 - a test's models are few
    def distribution(self, source: Source, prefix: tuple[int, ...]) -> NDArray[np.float32]:
        """The log probabilities of the token after a prefix."""
        numbers = np.random.default_rng([self.seed, len(source), *source, len(prefix), *prefix])
        if self.kind == "ties":
            logits = np.log(numbers.integers(1, 3, self.vocabulary_size))
        else:
            logits = WIDTHS[self.kind] * numbers.standard_normal(self.vocabulary_size)
        return np.asarray(logits - np.log(np.exp(logits).sum()), dtype=np.float32)

    def text(self, tokens: Sequence[int]) -> str:
        """Tokens as words; the end says nothing."""
        return " ".join(f"w{token}" for token in tokens if token != self.end)

    def target_tokens(self, text: str) -> list[int]:
        """The words' tokens and the end."""
        return [*(int(word.removeprefix("w")) for word in text.split()), self.end]

    def source_tokens(self, text: str) -> list[int]:
        """The same for a source."""
        return self.target_tokens(text)

    def log_prob(self, source: Source, tokens: Sequence[int]) -> float:
        """log P of a sequence, summed token by token."""
        return math.fsum(self.token_log_probs(source, tokens))

    def token_log_probs(self, source: Source, tokens: Sequence[int]) -> list[float]:
        """log P of each token of a sequence after those before it."""
        return [float(self.distribution(source, tuple(tokens[:i]))[token]) for i, token in enumerate(tokens)]

    def every(self, source: Source, most: int, least: int = 1) -> Iterator[tuple[tuple[int, ...], float]]:
        """Every sequence of `least` to `most` tokens, its end included, and its log P."""
        prefixes: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
        for length in range(1, most + 1):
            grown = []
            for prefix, total in prefixes:
                for token, log_prob in enumerate(self.distribution(source, prefix).tolist()):
                    if token == self.end and length >= least:
                        yield (*prefix, token), total + log_prob
                    elif token != self.end and length < most:
                        grown.append(((*prefix, token), total + log_prob))
            prefixes = grown

    def ranked(self, source: Source, length: Length, most: int, least: int = 1) -> list[tuple[float, tuple[int, ...]]]:
        """Every sequence with its score under an objective, best first; of equal ones the shorter first."""
        found = [(length.score(total, len(tokens)), tokens) for tokens, total in self.every(source, most, least)]
        return sorted(found, key=lambda pair: (-pair[0], len(pair[1]), pair[1]))
