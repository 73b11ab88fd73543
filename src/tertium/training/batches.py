"""Batches of about as many tokens each, in an order that follows from seed and epoch.

Sentences of like length stand together, so that little is padding: an epoch shuffles the pairs, sorts them by length
(the shuffle decides between equals), fills batches up to a number of tokens, padding counted, and shuffles the
batches. As the order is a function of (seed, epoch), a training goes on after an interruption with the very batch that
came next.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from torch import Tensor

from tertium.models.network import BEGIN
from tertium.models.trained import padded

Pair = tuple[Sequence[int], Sequence[int]]


class Batch(NamedTuple):
    """Pairs side by side, padded on the right. Targets have the begin token first."""

    source: Tensor  # (pairs, source length)
    target: Tensor  # (pairs, target length)


def batch_of(pairs: Sequence[Pair]) -> Batch:
    """Pairs of token ids, each with its end, as tensors.

    >>> batch_of([([5, 2], [6, 7, 2])]).target.tolist()
    [[1, 6, 7, 2]]
    """
    return Batch(padded([source for source, _ in pairs]), padded([[BEGIN, *target] for _, target in pairs]))


def filled(lengths: Sequence[int], order: Sequence[int], tokens: int) -> list[list[int]]:
    """Cut an order into runs whose longest item, times their number, stays within `tokens`; one item at least.

    >>> filled([3, 3, 4, 9], [0, 1, 2, 3], tokens=8)
    [[0, 1], [2], [3]]
    """
    batches: list[list[int]] = []
    longest = 0
    for item in order:
        longest = max(longest, lengths[item])
        if not batches or longest * (len(batches[-1]) + 1) > tokens:
            batches.append([])
            longest = lengths[item]
        batches[-1].append(item)
    return batches


class TokenBatches:
    """The batches of an epoch after another; knows where it is, so that it can go on from there."""

    def __init__(self, pairs: Sequence[Pair], *, tokens: int, seed: int) -> None:
        self.pairs, self.tokens, self.seed = pairs, tokens, seed
        self.lengths = [max(len(source), len(target) + 1) for source, target in pairs]
        self.epoch = 0
        self.taken = 0  # batches of this epoch

    def order(self, epoch: int) -> list[list[int]]:
        """The batches of an epoch, each a list of pairs' numbers."""
        rng = np.random.default_rng([self.seed, epoch])
        shuffled = rng.permutation(len(self.pairs))
        by_length = shuffled[np.argsort(np.asarray(self.lengths)[shuffled], kind="stable")]
        batches = filled(self.lengths, by_length.tolist(), self.tokens)
        return [batches[i] for i in rng.permutation(len(batches))]

    def __len__(self) -> int:
        """How many batches the present epoch has."""
        return len(self.order(self.epoch))

    def __iter__(self) -> Iterator[Batch]:
        """What is left of the present epoch; then the next one begins."""
        for batch in self.order(self.epoch)[self.taken :]:
            self.taken += 1
            yield batch_of([self.pairs[i] for i in batch])
        self.epoch, self.taken = self.epoch + 1, 0

    def state_dict(self) -> dict[str, Any]:
        """Where it is: Lightning puts it into its checkpoints."""
        return {"epoch": self.epoch, "taken": self.taken}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.epoch, self.taken = state["epoch"], state["taken"]
