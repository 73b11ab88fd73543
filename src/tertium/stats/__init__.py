"""Statistics over rows that add: arrays in, arrays out, for every metric alike.

Everything here takes `rows` (systems, segments, k) and a `score` that turns summed rows (..., k) into scores (...): the
two methods of a metric (`tertium.metrics.protocol`), so counted and learned metrics and human ratings are treated by
the same code. Draws depend on the seed only: metrics and systems that are given the same seed share them.

    bootstrap       scores of resampled test sets, percentile and BCa intervals, paired p-values
    randomisation   approximate randomisation, and the exact permutation test where all exchanges can be counted
    jackknife       what follows from scores without one segment: acceleration, standard errors
    multiplicity    Holm's correction for many tests
    clusters        ranks and clusters of systems that differ
    effect          how large a difference is, in standard deviations and in segments won
    power           the smallest difference that a test set can show, and how many segments a difference needs
    means           segment scores from elsewhere as rows
    rounding        what rounding makes of equal scores
    settings        how systems are compared
    comparison      all of this for one metric; `compare` for texts and several metrics, or for segment scores
"""

import numpy as np
from numpy.typing import NDArray

from tertium.metrics.rows import Score

__all__ = ["CONFIDENCE", "SEED", "Floats", "Score"]

Floats = NDArray[np.float64]

SEED = 12345
CONFIDENCE = 0.95
