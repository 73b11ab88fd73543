"""The fused loss is torch's label-smoothed cross entropy of the same logits, in value and in gradient."""

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from tertium.training.cross_entropy import CHUNK, smoothed_cross_entropy


def drawn(positions: int, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor, Tensor]:
    """Hidden states, weights and targets at random."""
    torch.manual_seed(positions)
    hidden = torch.randn(positions, 8, dtype=dtype, requires_grad=True)
    weight = torch.randn(30, 8, dtype=dtype, requires_grad=True)
    return hidden, weight, torch.randint(0, 30, (positions,))


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.7])
@pytest.mark.parametrize("positions", [1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 3])
def test_value_and_gradients_are_those_of_torch(positions: int, smoothing: float) -> None:
    """For any number of positions, whole chunks or not."""
    hidden, weight, targets = drawn(positions)
    ours = smoothed_cross_entropy(hidden, weight, targets, smoothing)
    theirs = functional.cross_entropy(hidden @ weight.T, targets, reduction="sum", label_smoothing=smoothing)
    torch.testing.assert_close(ours, theirs, rtol=1e-12, atol=1e-12)
    wanted = torch.autograd.grad(theirs * 3, (hidden, weight))
    torch.testing.assert_close(torch.autograd.grad(ours * 3, (hidden, weight)), wanted, rtol=1e-10, atol=1e-10)


def test_the_gradient_is_that_of_finite_differences() -> None:
    """gradcheck agrees."""
    hidden, weight, targets = drawn(5)
    assert torch.autograd.gradcheck(lambda h, w: smoothed_cross_entropy(h, w, targets, 0.1), (hidden, weight))


def test_large_logits_give_no_nan() -> None:
    """The exponential is of what is left when the largest logit is taken away."""
    hidden, weight, targets = drawn(4, torch.float32)
    loss = smoothed_cross_entropy(hidden * 1e4, weight, targets)
    loss.backward()
    assert torch.isfinite(loss)
    assert hidden.grad is not None
    assert torch.isfinite(hidden.grad).all()


def test_under_autocast_the_loss_is_near_the_exact_one() -> None:
    """Multiplications in bfloat16 cost at most a hundredth here; the gradients come in float32."""
    hidden, weight, targets = drawn(300, torch.float32)
    exact = smoothed_cross_entropy(hidden, weight, targets, 0.1)
    with torch.autocast("cpu", torch.bfloat16):
        rough = smoothed_cross_entropy(hidden, weight, targets, 0.1)
    rough.backward()
    assert abs((rough / exact).item() - 1) < 0.01
    assert hidden.grad is not None
    assert hidden.grad.dtype == torch.float32
