"""Ensembles: the two averages by hand, and models that do not go together. (The contract runs them as models.)"""

import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from tertium.errors import InputError, OptionError, UnknownName
from tertium.models.ensemble import Ensemble
from tertium.models.next_token import State, Step


class Rows:
    """A state that knows how many rows there are."""

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def pick(self, rows: Tensor) -> "Rows":
        return Rows(len(rows))


class Constant:
    """A model that always says the same."""

    def __init__(self, *probs: float, end: int = 0, longest: int | None = None) -> None:
        self.log_probs = torch.tensor(probs).log()
        self.vocabulary_size, self.end = len(probs), end
        self.longest_source = self.longest_target = longest

    def start(self, sources: Sequence[Sequence[int]]) -> Step:
        return Step(self.log_probs.expand(len(sources), -1), Rows(len(sources)))

    def advance(self, state: State, tokens: Tensor) -> Step:
        return Step(self.log_probs.expand(*tokens.shape, -1), state)


def said(ensemble: Ensemble) -> list[float]:
    return [round(prob, 4) for prob in ensemble.start([[1]]).log_probs[0].exp().tolist()]


def test_probabilities_are_averaged() -> None:
    """(0.9 + 0.1) / 2 and (0.1 + 0.9) / 2; with weights 3 and 1, 0.75 0.9 + 0.25 0.1 = 0.7. One that no model holds
    possible stays so; one that one model does is possible."""
    assert said(Ensemble([Constant(0.9, 0.1), Constant(0.1, 0.9)])) == [0.5, 0.5]
    assert said(Ensemble([Constant(0.9, 0.1), Constant(0.1, 0.9)], [3, 1])) == [0.7, 0.3]
    assert said(Ensemble([Constant(1.0, 0.0, 0.0), Constant(0.5, 0.5, 0.0)])) == [0.75, 0.25, 0.0]


def test_logarithms_are_averaged_and_normalised() -> None:
    """sqrt(0.8 0.2) : sqrt(0.2 0.2) = 2 : 1 where the third is impossible for one; weights 1 and 0.5 mean 2/3, 1/3."""
    assert said(Ensemble([Constant(0.8, 0.2, 0.0), Constant(0.2, 0.2, 0.6)], average="log")) == [0.6667, 0.3333, 0.0]
    powers = [0.8 ** (2 / 3) * 0.5 ** (1 / 3), 0.2 ** (2 / 3) * 0.5 ** (1 / 3)]
    expected = [round(power / sum(powers), 4) for power in powers]
    assert said(Ensemble([Constant(0.8, 0.2), Constant(0.5, 0.5)], [1, 0.5], "log")) == expected


def test_the_shortest_limit_holds() -> None:
    """None is no limit."""
    limits = [Ensemble([Constant(1, longest=a), Constant(1, longest=b)]) for a, b in ((5, 7), (None, 7), (None, None))]
    assert [each.longest_source for each in limits] == [5, 7, None]
    assert [each.longest_target for each in limits] == [5, 7, None]


def test_rows_are_picked_from_all_states() -> None:
    """And the ensemble's state has as many as each."""
    ensemble = Ensemble([Constant(0.5, 0.5), Constant(0.5, 0.5)])
    state = ensemble.start([[1], [1], [1]]).state.pick(torch.tensor([2, 2]))
    assert state.rows == 2
    assert ensemble.advance(state, torch.tensor([[1, 1], [1, 1]])).log_probs.shape == (2, 2, 2)


def test_models_that_do_not_go_together_are_refused() -> None:
    """Other numbers of tokens, another end."""
    with pytest.raises(InputError, match="model 2 of the ensemble has 3 tokens, the first 2"):
        Ensemble([Constant(0.5, 0.5), Constant(0.5, 0.5, 0.0)])
    with pytest.raises(InputError, match="model 3 of the ensemble ends with token 1, the first with 0"):
        Ensemble([Constant(0.5, 0.5), Constant(0.5, 0.5), Constant(0.5, 0.5, end=1)])


@pytest.mark.parametrize("weights", [[1], [1, 0], [1, -1], [1, math.inf], [1, math.nan]])
def test_weights_are_checked(weights: list[float]) -> None:
    """One for each model, above 0 and finite; no models are none; averages have names."""
    models = [Constant(0.5, 0.5), Constant(0.5, 0.5)]
    with pytest.raises(OptionError, match="needs as many weights above 0"):
        Ensemble(models, weights)
    with pytest.raises(OptionError, match="has no models"):
        Ensemble([])
    with pytest.raises(UnknownName, match="did you mean probability"):
        Ensemble(models, average="probabilty")
