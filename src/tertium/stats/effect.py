"""How large a difference is, beside whether it is there: a large test set makes any difference significant.

cohen_d      mean / standard deviation of the paired differences between segments (Cohen, 1988, d_z), over the
             jackknife's pseudo-values: for a metric that is a mean over segments, over their scores
superiority  the chance that a segment of the one system is better than the same segment of the other, ties half (the
             probability of superiority; 0.5 is no difference), over the segments' scores

Both look from the baseline: above 0, or above 0.5, the system is better than it, whichever way the metric counts.
"""

import numpy as np

from tertium.native import Rows
from tertium.stats import Floats, Score


def cohen_d(pseudo: Floats, baseline: int, *, higher_is_better: bool = True) -> Floats:
    """The difference of each system from the baseline in standard deviations, from pseudo-values (systems, segments).

    >>> cohen_d(np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 5.0]]), baseline=0).tolist()
    [0.0, 1.0]
    """
    differences = pseudo - pseudo[baseline]
    means, deviations = differences.mean(axis=1), differences.std(axis=1, ddof=1)
    constant = deviations <= 1e-9 * np.abs(means)  # but for rounding, the same difference everywhere
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(means == 0, 0.0, means / np.where(constant, 0.0, deviations))
    return found if higher_is_better else 0.0 - found


def superiority(rows: Rows, score: Score, baseline: int, *, higher_is_better: bool = True) -> Floats:
    """The share of segments on which each system beats the baseline, ties half, (systems,).

    >>> mean = lambda total: total[..., 0] / total[..., 1]
    >>> rows = np.array([[[1.0, 1], [2.0, 1], [3.0, 1], [4.0, 1]], [[2.0, 1], [2.0, 1], [5.0, 1], [1.0, 1]]])
    >>> superiority(rows, mean, baseline=0).tolist()
    [0.5, 0.625]
    """
    scores = score(rows)
    signs = np.sign(scores - scores[baseline])
    return np.asarray((1 + (signs if higher_is_better else -signs).mean(axis=1)) / 2)
