"""The jackknife: what the score would be without each segment (Efron & Tibshirani, An Introduction to the Bootstrap,
1993).

The scores themselves are those of `tertium.metrics.rows.leave_one_out`.
"""

import numpy as np

from tertium.stats import Floats


def pseudo_values(scores: Floats, without: Floats) -> Floats:
    """What each segment contributes to the corpus score, (systems, segments).

        n score(all) - (n - 1) score(all but i)

    of the systems' `scores` (systems,) and those `without` each segment (systems, segments). For a metric that is a
    mean over segments these are the segments' own scores; for others, their linear approximation.
    """
    segments = without.shape[-1]
    return np.asarray(segments * scores[:, None] - (segments - 1) * without)


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
