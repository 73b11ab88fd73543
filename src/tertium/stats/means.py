"""Means of segment scores: the simplest metric, for scores that come from elsewhere (a learned metric, people).

A score has the row (score, 1), so rows add and the formula over their sum is first column / second.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tertium.errors import InputError
from tertium.native import Rows
from tertium.stats import Floats


def rows_of(*systems: ArrayLike) -> Rows:
    """Rows (score, 1) of each system's segment scores, (systems, segments, 2).

    >>> rows_of([0.5, 0.25], [1.0, 0.75])[1].tolist()
    [[1.0, 1.0], [0.75, 1.0]]
    """
    lengths = [np.shape(scores) for scores in systems]
    if len(set(lengths)) != 1 or len(lengths[0]) != 1:
        raise InputError(f"segment scores of systems have the shapes {lengths}: each needs one number a segment")
    scores = np.array(systems, dtype=np.float64)
    return np.stack([scores, np.ones_like(scores)], axis=-1)


def mean(total: Rows) -> Floats:
    """The mean of the summed segments' scores.

    >>> mean(rows_of([0.5, 0.25])[0].sum(axis=0)).tolist()
    0.375
    """
    return np.asarray(total[..., 0] / total[..., 1])


@dataclass(frozen=True)
class Mean:
    """What a comparison has to know of segment scores: their name and which way is better."""

    name: str = "mean"
    higher_is_better: bool = True

    def score(self, total: Rows) -> Floats:
        """The mean of the summed segments' scores."""
        return mean(total)

    def __repr__(self) -> str:
        return self.name


def checked_scores(name: str, scores: Sequence[float]) -> Floats:
    """One system's segment scores as an array, if they are numbers."""
    try:
        return np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"the segment scores of {name} are not all numbers") from None
