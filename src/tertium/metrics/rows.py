"""What can be done with rows because they add: summing those of a group, leaving one out.

Segments of one document are not independent: a system that gets a name wrong does so all along. Resampling segments
then makes intervals too narrow. Resampling whole documents does not (block bootstrap with given blocks), and a document
is a row like any other: the sum of its segments' rows. A corpus score without one segment is a subtraction.
"""

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.native import Rows

Score = Callable[[Rows], NDArray[np.float64]]
"""The score of summed rows, vectorised over leading axes: a metric's `score`."""


def group_rows(rows: Rows, groups: Sequence[Hashable]) -> Rows:
    """The rows of groups, (systems, groups, k): sums over segments of the same group, in the order of first appearance.

    >>> group_rows(np.array([[[1.0], [2.0], [4.0]]]), ["a", "b", "a"]).tolist()
    [[[5.0], [2.0]]]
    """
    if isinstance(groups, str):
        raise InputError("groups is one text; it must be a list with a label for each segment")
    if len(groups) != rows.shape[1]:
        raise InputError(
            f"there are {rows.shape[1]} segments but groups for {len(groups)}: each segment needs its group"
        )
    missing = next((i for i, group in enumerate(groups) if group is None or group != group), None)
    if missing is not None:
        raise InputError(f"groups[{missing}] is {groups[missing]}: each segment needs its group")
    numbers: dict[Hashable, int] = {}
    index = np.array([numbers.setdefault(group, len(numbers)) for group in groups])
    sums = np.zeros((rows.shape[0], len(numbers), rows.shape[2]))
    for system, system_rows in zip(sums, rows, strict=True):
        np.add.at(system, index, system_rows)
    return sums


def leave_one_out(rows: Rows, score: Score) -> NDArray[np.float64]:
    """The corpus score without each segment, (systems, segments), from rows (systems, segments, k).

    >>> leave_one_out(np.array([[[1.0, 1], [3.0, 1], [5.0, 1]]]), lambda total: total[..., 0] / total[..., 1]).tolist()
    [[4.0, 3.0, 2.0]]
    """
    if rows.shape[1] < 2:
        raise InputError("there is one segment: leaving it out leaves nothing; at least two are needed")
    return score(rows.sum(axis=1, keepdims=True) - rows)
