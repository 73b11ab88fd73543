"""Ranks and clusters of systems, as the WMT campaigns report them.

Systems are put in the order of their scores. A line is drawn between two neighbours where every system above differs
significantly from every system below: the clusters between lines are then really different, while inside a cluster the
order may be chance. A system's range of ranks runs from 1 + the number of systems significantly better than it to
the number of all systems less those significantly worse.

So two systems of one cluster may differ all the same, where a third between them differs from neither.
"""

import numpy as np
from numpy.typing import NDArray

from tertium.stats import Floats


def rank_clusters(scores: Floats, differ: NDArray[np.bool_], *, higher_is_better: bool = True) -> NDArray[np.int64]:
    """The cluster of each system, 1 the best; `differ` (systems, systems) says which pairs differ significantly.

    >>> differ = np.array([[False, True, False], [True, False, True], [False, True, False]])
    >>> rank_clusters(np.array([30.0, 20.0, 29.0]), differ).tolist()
    [1, 2, 1]
    """
    order = ranking(scores, higher_is_better=higher_is_better)
    sorted_differ = np.asarray(differ)[np.ix_(order, order)]
    clusters = np.empty(len(order), dtype=np.int64)
    cluster = 1
    for place, system in enumerate(order):
        if place and sorted_differ[:place, place:].all():
            cluster += 1
        clusters[system] = cluster
    return clusters


def rank_ranges(scores: Floats, differ: NDArray[np.bool_], *, higher_is_better: bool = True) -> NDArray[np.int64]:
    """The best and the worst rank that each system may have, (systems, 2).

    >>> differ = np.array([[False, True, False], [True, False, False], [False, False, False]])
    >>> rank_ranges(np.array([30.0, 20.0, 25.0]), differ).tolist()
    [[1, 2], [2, 3], [1, 3]]
    """
    signed = scores if higher_is_better else -scores
    better = np.asarray(differ) & (signed[None, :] > signed[:, None])  # (system, the others)
    worse = np.asarray(differ) & (signed[None, :] < signed[:, None])
    return np.stack([1 + better.sum(axis=1), len(scores) - worse.sum(axis=1)], axis=1)


def ranking(scores: Floats, *, higher_is_better: bool = True) -> NDArray[np.int64]:
    """The systems from best to worst; equal scores keep their order."""
    return np.argsort(-scores if higher_is_better else scores, kind="stable").astype(np.int64)
