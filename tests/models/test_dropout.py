"""Dropout keeps the mean, drops by its rate, and follows torch's seed."""

import pytest
import torch

from tertium.models.dropout import Dropout


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5])
def test_the_share_dropped_is_the_rate(rate: float) -> None:
    """Of a million numbers, within five standard deviations; what stays is scaled to keep the mean."""
    torch.manual_seed(1)
    found = Dropout(rate)(torch.ones(1000, 1001))
    share = float((found == 0).double().mean())
    assert abs(share - rate) < 5 * (rate * (1 - rate) / found.numel()) ** 0.5
    assert found.max().item() == pytest.approx(1 / (1 - rate), rel=1e-4)


def test_neighbours_are_dropped_independently() -> None:
    """The numbers that share 64 random bits do not share their fate."""
    torch.manual_seed(1)
    kept = (Dropout(0.5)(torch.ones(1_000_000)) != 0).double().view(-1, 4) - 0.5
    correlations = kept.T @ kept / len(kept) * 4
    assert (correlations - torch.eye(4, dtype=torch.float64)).abs().max() < 0.01


def test_the_gradient_is_dropped_where_the_number_was() -> None:
    """And scaled alike."""
    torch.manual_seed(1)
    inputs = torch.ones(100, requires_grad=True)
    outputs = Dropout(0.3)(inputs)
    outputs.sum().backward()
    assert inputs.grad is not None
    assert torch.equal(inputs.grad, outputs.detach())


def test_the_seed_decides() -> None:
    """Torch's own, so that a training can be repeated."""
    masks = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        masks.append(Dropout(0.5)(torch.ones(50)).tolist())
    assert masks[0] == masks[1] != masks[2]


def test_nothing_is_dropped_while_translating_or_at_rate_0() -> None:
    """The inputs themselves come back."""
    inputs = torch.ones(10)
    assert Dropout(0.5).eval()(inputs) is inputs
    assert Dropout(0.0)(inputs) is inputs
