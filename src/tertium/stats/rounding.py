"""What rounding makes of scores that are equal: the same rows summed in another order differ in the last digits.

A test that asks whether a resampled difference is *at least* the one observed must not lose ties to that, so each test
allows for it. The size of the numbers that were summed says how much it can be, not the size of their sum, as positive
and negative ones may cancel: for rows that add it is seen in the score of the rows without their signs.
"""

import numpy as np

from tertium.native import Rows
from tertium.stats import Floats, Score

RELATIVE = 1e-12  # far above the error of a sum of a million doubles, far below what any test set can show


def rounding_of(rows: Rows, score: Score) -> Floats:
    """What rounding can make of each system's score, (systems,).

    >>> cancelling = np.array([[[1e6, 1.0], [-1e6, 1.0]]])
    >>> rounding_of(cancelling, lambda total: total[..., 0] / total[..., 1]).tolist()
    [1e-06]
    """
    with np.errstate(all="ignore"):
        sizes = np.abs([score(rows.sum(axis=1)), score(np.abs(rows).sum(axis=1))])
    return np.asarray(RELATIVE * np.where(np.isfinite(sizes), sizes, 0.0).max(axis=0))
