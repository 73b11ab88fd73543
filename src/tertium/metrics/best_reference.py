"""The reference a segment is compared with, where a metric takes the best of several."""

import numpy as np
from numpy.typing import NDArray

from tertium.native import Rows

MISSING = -1.0  # what the core writes where a segment has no such reference


def best_reference(overlaps: Rows, scores: NDArray[np.float64]) -> Rows:
    """Of (..., references, k) the one with the highest score, the first among equals; zeros where there is none.

    >>> overlaps = np.array([[3.0, 3, 4, 9], [3.0, 3, 4, 4], [-1, -1, -1, -1]])
    >>> best_reference(overlaps, overlaps[..., 0] / overlaps[..., 3]).tolist()
    [3.0, 3.0, 4.0, 4.0]
    """
    chosen = take(overlaps, best_index(overlaps, scores))
    return np.where((overlaps[..., -1] != MISSING).any(axis=-1)[..., None], chosen, 0.0)


def best_index(overlaps: Rows, scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """Which reference that is."""
    return np.asarray(np.where(overlaps[..., -1] != MISSING, scores, -np.inf).argmax(axis=-1))


def take(overlaps: Rows, index: NDArray[np.intp]) -> Rows:
    """The rows of the references at these indices."""
    if overlaps.shape[-2] == 1:
        return np.asarray(overlaps[..., 0, :])
    return np.asarray(np.take_along_axis(overlaps, index[..., None, None], axis=-2)[..., 0, :])
