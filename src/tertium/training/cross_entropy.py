"""Label-smoothed cross entropy, fused with the output layer.

    loss = sum over targets y of  (1 - e) (-log p_y)  +  e / V sum_v (-log p_v),   p = softmax(W h + b)

With a vocabulary of thousands, the logits are the largest tensor of a training by far, and a loss of separate
operations writes and reads them half a dozen times. Here they exist for a few hundred positions at a time: their loss,
and what their gradient adds to those of h and W, are computed in one go while they are in the cache, and they are
forgotten. The multiplications are the same three as otherwise. The bias b, which few networks have, is a constant: it
is not learned.
"""

from typing import Any

import torch
from torch import Tensor

CHUNK = 256  # positions


class SmoothedCrossEntropy(torch.autograd.Function):
    """The summed loss of hidden states (positions, width) with targets (positions,)."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        targets: Tensor,
        smoothing: float,
        bias: Tensor | None,
        dtype: torch.dtype,
    ) -> Tensor:
        """The loss; the gradients are computed on the way and kept."""
        vocabulary = weight.shape[0]
        h, w = hidden.detach().to(dtype), weight.detach().to(dtype)
        grad_hidden = torch.empty_like(h)
        grad_weight = torch.zeros_like(weight, dtype=torch.float32 if dtype == torch.bfloat16 else dtype)
        total = hidden.new_zeros((), dtype=torch.float64)
        for start in range(0, len(h), CHUNK):
            part, answers = h[start : start + CHUNK], targets[start : start + CHUNK, None]
            logits = (part @ w.T).to(grad_weight.dtype)
            if bias is not None:
                logits += bias
            largest = logits.amax(1, keepdim=True)
            logits -= largest
            right, mean = logits.gather(1, answers), logits.mean(1, keepdim=True)
            probabilities = logits.exp_()
            sums = probabilities.sum(1, keepdim=True)
            total += (sums.log() - (1 - smoothing) * right - smoothing * mean).sum().double()
            probabilities /= sums
            probabilities -= smoothing / vocabulary
            probabilities.scatter_add_(1, answers, probabilities.new_full((), smoothing - 1).expand_as(answers))
            gradient = probabilities.to(dtype)
            torch.mm(gradient, w, out=grad_hidden[start : start + CHUNK])
            grad_weight += gradient.T @ part
        ctx.save_for_backward(grad_hidden, grad_weight)
        ctx.kinds = hidden.dtype, weight.dtype
        return total.to(torch.float32 if dtype == torch.bfloat16 else dtype)

    @staticmethod
    def backward(ctx: Any, *outer: Tensor) -> tuple[Tensor, Tensor, None, None, None, None]:
        """What was kept, scaled."""
        hidden, weight = ctx.saved_tensors
        kind_of_hidden, kind_of_weight = ctx.kinds
        return (hidden * outer[0]).to(kind_of_hidden), (weight * outer[0]).to(kind_of_weight), None, None, None, None


def smoothed_cross_entropy(
    hidden: Tensor, weight: Tensor, targets: Tensor, smoothing: float = 0.0, bias: Tensor | None = None
) -> Tensor:
    """The summed label-smoothed cross entropy (in nats) of targets (positions,) under softmax(hidden @ weight' + bias).

    Under autocast the multiplications are in bfloat16, sums in float32.

    >>> hidden, weight = torch.zeros(1, 4), torch.zeros(8, 4)
    >>> round(smoothed_cross_entropy(hidden, weight, torch.tensor([3]), 0.1).item(), 4)  # log 8
    2.0794
    """
    dtype = torch.bfloat16 if torch.is_autocast_enabled(hidden.device.type) else hidden.dtype
    loss: Tensor = SmoothedCrossEntropy.apply(hidden, weight, targets, smoothing, bias, dtype)  # type: ignore[no-untyped-call]
    return loss
