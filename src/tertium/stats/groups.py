"""Documents, or other groups of segments, as the unit that is resampled.

Segments of one document are not independent: a system that gets a name wrong does so all along. Resampling segments
then makes intervals too narrow. Resampling whole documents does not (block bootstrap with given blocks), and since
rows add, a document is a row like any other: the sum of its segments' rows.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from tertium.errors import InputError
from tertium.native import Rows


def group_rows(rows: Rows, groups: Sequence[Hashable]) -> Rows:
    """The rows of groups, (systems, groups, k): sums over segments of the same group, in the order of first appearance.

    >>> group_rows(np.array([[[1.0], [2.0], [4.0]]]), ["a", "b", "a"]).tolist()
    [[[5.0], [2.0]]]
    """
    if len(groups) != rows.shape[1]:
        raise InputError(
            f"there are {rows.shape[1]} segments but groups for {len(groups)}: each segment needs its group"
        )
    numbers: dict[Hashable, int] = {}
    index = np.array([numbers.setdefault(group, len(numbers)) for group in groups])
    sums = np.zeros((rows.shape[0], len(numbers), rows.shape[2]))
    for system, system_rows in zip(sums, rows, strict=True):
        np.add.at(system, index, system_rows)
    return sums
