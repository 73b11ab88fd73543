"""Many tests at once: Holm's step-down correction (Holm, 1979).

With m tests the smallest p-value is multiplied by m, the next by m - 1 and so on, and none may fall below the one
before. The chance of one false claim or more among all m is then at most the level, whatever the dependence between
the tests.
"""

import numpy as np

from tertium.stats import Floats


def holm(p_values: Floats) -> Floats:
    """The corrected p-values of a family of tests, in the order given; NaN (no test) stays and does not count.

    >>> holm(np.array([0.01, 0.04, 0.03, 0.005])).round(3).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    corrected = np.full(p_values.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    steps = p_values[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected
