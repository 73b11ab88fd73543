"""The k largest of many numbers.

`torch.topk` looks at every number with care. The core looks at the maximum of each block of 64 only, until one exceeds
the k largest so far; and of equal numbers it takes the first, whatever else is in the batch.
"""

import torch
from torch import Tensor
from torch.nn import functional

from tertium.native import network


def padded_top(scores: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k largest of each row; where a row has fewer than k, minus infinity at place 0 fills it up."""
    values, places = scores.topk(min(k, scores.shape[1]))
    if k <= scores.shape[1]:
        return values, places
    missing = (0, k - values.shape[1])
    return functional.pad(values, missing, value=float("-inf")), functional.pad(places, missing)


def top(scores: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k largest of each row (rows, n) of float32 or all there are, largest first, and where they stand.

    >>> top(torch.tensor([[0.1, 0.7, 0.2]]), 2)[1].tolist()
    [[1, 2]]
    """
    rows, size = scores.shape
    values, places = torch.empty(rows, min(k, size)), torch.empty(rows, min(k, size), dtype=torch.long)
    network.top(scores.contiguous().numpy(), values.numpy(), places.numpy(), threads=torch.get_num_threads())
    return values, places
