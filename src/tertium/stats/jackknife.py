"""The jackknife: what the score would be without each segment (Efron & Tibshirani, An Introduction to the Bootstrap,
1993).

For rows that add, leaving a segment out is a subtraction, so all n scores are one vectorised call: score(total - rows).
"""

import numpy as np

from tertium.errors import InputError
from tertium.native import Rows
from tertium.stats import Floats, Score


def leave_one_out(rows: Rows, score: Score) -> Floats:
    """The corpus score without each segment, (systems, segments).

    >>> leave_one_out(np.array([[[1.0, 1], [3.0, 1], [5.0, 1]]]), lambda total: total[..., 0] / total[..., 1]).tolist()
    [[4.0, 3.0, 2.0]]
    """
    if rows.shape[1] < 2:
        raise InputError("there is one segment: leaving it out leaves nothing; at least two are needed")
    return score(rows.sum(axis=1, keepdims=True) - rows)


def pseudo_values(rows: Rows, score: Score) -> Floats:
    """What each segment contributes to the corpus score, (systems, segments).

        n score(all) - (n - 1) score(all but i)

    For a metric that is a mean over segments these are the segments' own scores; for others, their linear
    approximation.
    """
    segments = rows.shape[1]
    every = np.asarray(score(rows.sum(axis=1)))[:, None]
    return np.asarray(segments * every - (segments - 1) * leave_one_out(rows, score))


def standard_error(pseudo: Floats) -> Floats:
    """The standard error of the corpus score (or of a difference, given differences) from pseudo-values (...,
    segments).

    sqrt(variance of the pseudo-values / n)
    """
    return np.asarray(pseudo.std(axis=-1, ddof=1) / pseudo.shape[-1] ** 0.5)


def acceleration(without: Floats) -> Floats:
    """BCa's acceleration from scores with one segment left out, (..., segments).

    sum (m - s_i)^3 / (6 (sum (m - s_i)^2)^(3/2)),   m the mean of the s_i
    """
    deviations = without.mean(axis=-1, keepdims=True) - without
    squares = (deviations**2).sum(axis=-1)
    return np.asarray(
        np.divide((deviations**3).sum(axis=-1), 6 * squares**1.5, out=np.zeros_like(squares), where=squares > 0)
    )
