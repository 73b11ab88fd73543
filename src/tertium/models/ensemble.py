"""Several models as one: at every step the average of what they say of the next token.

    probability   log sum_i w_i p_i(token)              what at least one model holds likely stays likely
    log           sum_i w_i log p_i(token), normalised  what one model holds impossible is impossible

with weights w_i that sum to 1. All models feed the same tokens, so they need the same vocabulary: models trained from
different seeds, or checkpoints of one training. Their `source_vocabulary` and `target_vocabulary` are compared, where
they have such; otherwise only the number of tokens and the end. Texts become tokens by the first model.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from tertium.errors import InputError, OptionError, UnknownName
from tertium.models.next_token import NextToken, State, Step

AVERAGES = ("probability", "log")


@dataclass(frozen=True)
class EnsembleState:
    """The states of all models; their rows are the same prefixes."""

    states: Sequence[State]

    @property
    def rows(self) -> int:
        return self.states[0].rows

    def pick(self, rows: Tensor) -> "EnsembleState":
        """These rows of every model's state."""
        return EnsembleState([state.pick(rows) for state in self.states])


class Ensemble:
    """Models over one vocabulary; a `TextModel` where the first of them is one."""

    def __init__(
        self,
        models: Sequence[NextToken],
        weights: Sequence[float] | None = None,
        average: str = "probability",
    ) -> None:
        if not models:
            raise OptionError("an ensemble has no models: give one at least")
        if average not in AVERAGES:
            raise UnknownName("average", average, AVERAGES)
        weights = [1.0] * len(models) if weights is None else list(weights)
        if len(weights) != len(models) or not all(0 < weight < math.inf for weight in weights):
            raise OptionError(f"an ensemble of {len(models)} models needs as many weights above 0, not {weights}")
        for number, model in enumerate(models[1:], 2):
            _check_same(models[0], model, number)
        self.models: Sequence[Any] = models
        self.average = average
        self.log_weights = (torch.tensor(weights, dtype=torch.float64) / sum(weights)).log().float()  # (models,)

    @property
    def vocabulary_size(self) -> int:
        return int(self.models[0].vocabulary_size)

    @property
    def end(self) -> int:
        return int(self.models[0].end)

    @property
    def longest_source(self) -> int | None:
        return _least(model.longest_source for model in self.models)

    @property
    def longest_target(self) -> int | None:
        return _least(model.longest_target for model in self.models)

    def source_tokens(self, text: str) -> list[int]:
        """The tokens of a source text."""
        return list(self.models[0].source_tokens(text))

    def target_tokens(self, text: str) -> list[int]:
        """The tokens of a translation and its end."""
        return list(self.models[0].target_tokens(text))

    def text(self, tokens: Sequence[int]) -> str:
        """The text of a translation's tokens."""
        return str(self.models[0].text(tokens))

    def start(self, sources: Sequence[Sequence[int]]) -> Step:
        """Every model reads the sources."""
        return self._together([model.start(sources) for model in self.models])

    def advance(self, state: Any, tokens: Tensor) -> Step:
        """Every model goes on by tokens (rows, n)."""
        pairs = zip(self.models, state.states, strict=True)
        return self._together([model.advance(own, tokens) for model, own in pairs])

    def _together(self, steps: Sequence[Step]) -> Step:
        said = torch.stack([step.log_probs for step in steps], -1)  # (..., vocabulary, models)
        if self.average == "probability":
            log_probs = (said + self.log_weights).logsumexp(-1)
        else:
            log_probs = (said * self.log_weights.exp()).sum(-1).log_softmax(-1)
        return Step(log_probs, EnsembleState([step.state for step in steps]))


def _check_same(first: NextToken, other: NextToken, number: int) -> None:
    """Refuse a model whose tokens mean something else."""
    what = f"model {number} of the ensemble"
    if other.vocabulary_size != first.vocabulary_size:
        raise InputError(
            f"{what} has {other.vocabulary_size} tokens, the first {first.vocabulary_size}: one vocabulary is needed"
        )
    if other.end != first.end:
        raise InputError(f"{what} ends with token {other.end}, the first with {first.end}: one vocabulary is needed")
    for side in ("source", "target"):
        own, others = (getattr(model, f"{side}_vocabulary", None) for model in (first, other))
        if own is not None and others is not None and own != others:
            raise InputError(f"{what} has another {side} vocabulary than the first: one vocabulary is needed")


def _least(limits: Any) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)
