"""The k largest of many numbers, in two stages.

`torch.topk` looks at every number with care. The maximum of each block of 64 is found in one vectorised sweep, and the
k largest numbers can only stand in the k blocks with the largest maxima: those are looked at with care.
"""

import torch
from torch import Tensor
from torch.nn import functional

BLOCK = 64


def padded_top(scores: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k largest of each row; where a row has fewer than k, minus infinity at place 0 fills it up."""
    values, places = scores.topk(min(k, scores.shape[1]))
    missing = (0, k - values.shape[1])
    return functional.pad(values, missing, value=float("-inf")), functional.pad(places, missing)


def top(scores: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k largest of each row (rows, n) or all there are, largest first, and where they stand.

    >>> top(torch.tensor([[0.1, 0.7, 0.2]]), 2)[1].tolist()
    [[1, 2]]
    """
    rows, size = scores.shape
    blocks = size // BLOCK
    if blocks <= 2 * k:
        values, places = scores.topk(min(k, size))
        return values, places
    even = scores[:, : blocks * BLOCK].view(rows, blocks, BLOCK)
    chosen = even.amax(2).topk(k).indices.sort().values  # (rows, k), in order, so that ties fall as without blocks
    places = (chosen[:, :, None] * BLOCK + torch.arange(BLOCK)).flatten(1)  # (rows, k * BLOCK)
    if blocks * BLOCK < size:
        rest = torch.arange(blocks * BLOCK, size).expand(rows, -1)
        places = torch.cat([places, rest], 1)
    values, order = scores.gather(1, places).topk(k)
    return values, places.gather(1, order)
