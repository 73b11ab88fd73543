"""Statistics over rows that add: arrays in, arrays out, for every metric alike.

Everything here takes `rows` (systems, segments, k) and a `score` that turns summed rows (..., k) into scores (...): the
two methods of a metric (`tertium.metrics.protocol`), so counted and learned metrics and human ratings are treated by
the same code. Draws depend on the seed only: metrics and systems that are given the same seed share them.

    bootstrap       scores of resampled test sets, percentile and BCa intervals, paired p-values
    randomisation   approximate randomisation, and the exact permutation test where all exchanges can be counted
    jackknife       scores without one segment, and what follows: acceleration, standard errors
    multiplicity    Holm's correction for many tests
    clusters        ranks and clusters of systems that differ
    effect          how large a difference is, in standard deviations and in segments won
    power           the smallest difference that a test set can show, and how many segments a difference needs
    groups          documents as the unit that is resampled
    comparison      all of this for one metric; `compare` for texts and several metrics
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tertium.native import Rows

Floats = NDArray[np.float64]
Score = Callable[[Rows], Floats]
"""The score of summed rows, vectorised over leading axes: a metric's `score`."""

SEED = 12345
CONFIDENCE = 0.95
