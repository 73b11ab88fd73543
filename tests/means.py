"""The simplest metric, the mean of segment scores: its statistics have textbook formulas to compare with."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def rows_of(*systems: ArrayLike) -> NDArray[np.float64]:
    """Rows (score, 1) of each system's segment scores."""
    scores = np.array(systems, dtype=np.float64)
    return np.stack([scores, np.ones_like(scores)], axis=-1)


def mean(total: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the summed segments' scores."""
    return np.asarray(total[..., 0] / total[..., 1])
