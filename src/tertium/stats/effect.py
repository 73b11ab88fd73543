"""How large a difference is, beside whether it is there: a large test set makes any difference significant.

cohen_d      mean / standard deviation of the paired differences between segments (Cohen, 1988, d_z), over the
             jackknife's pseudo-values: for a metric that is a mean over segments, over their scores
superiority  the chance that a segment of the one system scores higher than the same segment of the other, ties
             half (the probability of superiority; 0.5 is no difference), over the segments' scores
"""

import numpy as np

from tertium.native import Rows
from tertium.stats import Floats, Score
from tertium.stats.jackknife import pseudo_values


def cohen_d(rows: Rows, score: Score, baseline: int) -> Floats:
    """The difference of each system from the baseline in standard deviations between segments, (systems,).

    >>> mean = lambda total: total[..., 0] / total[..., 1]
    >>> rows = np.array([[[1.0, 1], [2.0, 1], [3.0, 1]], [[2.0, 1], [2.0, 1], [5.0, 1]]])
    >>> cohen_d(rows, mean, baseline=0).tolist()
    [0.0, 1.0]
    """
    pseudo = pseudo_values(rows, score)
    differences = pseudo - pseudo[baseline]
    means, deviations = differences.mean(axis=1), differences.std(axis=1, ddof=1)
    constant = deviations <= 1e-9 * np.abs(means)  # but for rounding, the same difference everywhere
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(means == 0, 0.0, means / np.where(constant, 0.0, deviations))


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
