"""Batches of about as many tokens each, in an order that follows from seed and epoch.

Sentences of like length stand together, so that little is padding: an epoch shuffles the pairs, sorts them by length
(the shuffle decides between equals), fills batches up to a number of tokens, padding counted, and shuffles the
batches. As the order is a function of (seed, epoch), a training goes on after an interruption with the very batch that
came next.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from torch import Tensor

from tertium.models.network import PADDING
from tertium.models.trained import padded

Pair = tuple[Sequence[int], Sequence[int]]


class Batch(NamedTuple):
    """Pairs side by side, padded on the right; all end with their end."""

    source: Tensor  # (pairs, source length)
    target: Tensor  # (pairs, target length)


def batch_of(pairs: Sequence[Pair], padding: int = PADDING) -> Batch:
    """Pairs of token ids, each with its end, as tensors.

    >>> batch_of([([5, 2], [6, 7, 2])]).target.tolist()
    [[6, 7, 2]]
    """
    return Batch(padded([source for source, _ in pairs], padding), padded([target for _, target in pairs], padding))


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
    """The batches of one epoch after another, without end."""

    def __init__(self, pairs: Sequence[Pair], *, tokens: int, seed: int, padding: int = PADDING) -> None:
        self.pairs, self.tokens, self.seed, self.padding = pairs, tokens, seed, padding
        self.lengths = [max(len(source), len(target)) for source, target in pairs]

    def order(self, epoch: int) -> list[list[int]]:
        """The batches of an epoch, each a list of pairs' numbers."""
        rng = np.random.default_rng([self.seed, epoch])
        shuffled = rng.permutation(len(self.pairs))
        by_length = shuffled[np.argsort(np.asarray(self.lengths)[shuffled], kind="stable")]
        batches = filled(self.lengths, by_length.tolist(), self.tokens)
        return [batches[i] for i in rng.permutation(len(batches))]

    def from_place(self, place: int, stride: int = 1) -> Iterator[Batch]:
        """Every `stride`-th batch, counted over all epochs, from a place on."""
        for epoch in itertools.count():
            order = self.order(epoch)
            while place < len(order):
                yield batch_of([self.pairs[i] for i in order[place]], self.padding)
                place += stride
            place -= len(order)
