"""The typed face of the core's resampling kernels: summed rows of bootstrap draws and of random subsets.

The numbers come from Philox4x32-10, keyed by the seed and counted by draw and segment, so a draw depends on nothing but
the seed and its own number: the same on every machine, for every number of threads, and for every metric and system.
Whole numbers are summed exactly, others in a fixed order. The readable twin is `tertium.native.reference.resample`.
"""

import operator

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.native import Rows, _core, checked_threads


def bootstrap_totals(rows: Rows, first: int, last: int, *, seed: int, threads: int = 0) -> Rows:
    """The summed rows of bootstrap draws `first` to `last - 1`: (draws, systems, k) from rows (systems, segments, k).

    Each draw takes as many segments as there are, with replacement, and the same for every system.

    >>> bootstrap_totals(np.ones((1, 5, 1)), 0, 3, seed=1).ravel().tolist()
    [5.0, 5.0, 5.0]
    """
    check_draws(first, last)
    totals = _core.bootstrap_totals(_checked(rows), first, last, checked_seed(seed), checked_threads(threads))
    return totals.transpose(2, 0, 1)  # draws lie side by side in memory: formulas run over whole columns


def subset_totals(
    rows: Rows, first: int, last: int, *, seed: int = 0, exhaustive: bool = False, threads: int = 0
) -> Rows:
    """The summed rows of random subsets, trials `first` to `last - 1`: (trials, systems, k).

    A trial takes each segment with chance 1/2. With `exhaustive`, trial t takes the segments whose bits are set in t
    instead, so trials 0 to 2^segments - 1 are all subsets.

    >>> subset_totals(np.array([[[1.0], [10.0]]]), 0, 4, exhaustive=True).ravel().tolist()
    [0.0, 1.0, 10.0, 11.0]
    """
    check_draws(first, last)
    rows = _checked(rows)
    if exhaustive and rows.shape[1] > 32:
        raise OptionError(f"all subsets of {rows.shape[1]} segments cannot be numbered: at most 32 segments")
    totals = _core.subset_totals(rows, first, last, checked_seed(seed), exhaustive, checked_threads(threads))
    return totals.transpose(2, 0, 1)


def checked_seed(seed: int) -> int:
    """The seed, if it is one: the generator's key has 64 bits."""
    try:
        number = operator.index(seed)
    except TypeError:
        raise OptionError(f"the seed is {seed!r}; it must be a whole number") from None
    if not 0 <= number < 2**64:
        raise OptionError(f"the seed is {number}; it must be from 0 to 2^64 - 1")
    return number


def check_draws(first: int, last: int) -> None:
    """Refuse numbers of draws that the counter has no room for."""
    if not 0 <= first <= last <= 2**32:
        raise OptionError(f"draws {first} to {last} are not between 0 and 2^32")


def _checked(rows: Rows) -> Rows:
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    if rows.ndim != 3 or 0 in rows.shape:
        raise InputError(
            f"rows have the shape {rows.shape}; it must be (systems, segments, k) with at least one of each"
        )
    if rows.shape[1] >= 2**32:
        raise InputError(f"{rows.shape[1]} segments are more than can be resampled: fewer than 2^32")
    return rows
