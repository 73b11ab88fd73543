"""Approximate randomisation and the exact permutation test of paired systems (Noreen, 1989; Riezler & Maxwell, 2005).

If two systems are equally good, it does not matter which of the two a segment's outputs came from. A trial exchanges
the outputs of a random half of the segments between the systems; the p-value is the share of trials whose difference
in score is at least as large, in absolute value, as the one observed. The observed arrangement is one of the possible
ones and is counted: (1 + trials reaching it) / (1 + trials). Ties count as reaching it, so a system against itself
has p = 1.

For rows that add, exchanging a subset S changes the totals by the difference of the two systems' sums over S. Sums over
subsets do not depend on the pair, so one set of sums serves all pairs of systems.

With n segments on which the systems' rows differ there are 2^n arrangements. Where all of them can be visited, the test
is exact (Fisher's permutation test) and there is no sampling error: share of arrangements reaching the observed.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tertium.native import Rows
from tertium.native.resample import subset_totals
from tertium.stats import SEED, Floats, Score
from tertium.stats.bootstrap import MEMORY, check_samples, checked_rows, share_at_least
from tertium.stats.rounding import rounding_of

Pairs = Sequence[tuple[int, int]]
EXACT_SEGMENTS = 16  # up to 2^16 arrangements are visited
PIECE = 1 << 17  # numbers of one piece of totals: they stay in the processor's cache while the formula runs


def randomisation_p_values(
    rows: Rows, score: Score, pairs: Pairs, *, samples: int = 10_000, seed: int = SEED, threads: int = 0
) -> Floats:
    """The two-sided p-value of the difference in score of each pair of systems, by approximate randomisation.

    >>> mean = lambda total: total[..., 0] / total[..., 1]
    >>> rows = np.stack([np.stack([np.arange(30.0) + shift, np.ones(30)], axis=-1) for shift in (0, 0, 1)])
    >>> randomisation_p_values(rows, mean, [(0, 1), (0, 2)], samples=999).tolist()
    [1.0, 0.001]
    """
    check_samples(samples)
    systems, _, k = checked_rows(rows).shape
    if not pairs:
        return np.empty(0)
    observed, rounding = _observed(rows, score, pairs)
    piece = max(1, MEMORY // (8 * systems * k))
    differences = []
    for first in range(0, samples, piece):
        sums = subset_totals(rows, first, min(first + piece, samples), seed=seed, threads=threads)
        differences.append(_exchanged(rows.sum(axis=1), sums, score, pairs))
    return share_at_least(np.concatenate(differences), observed, rounding)


def permutation_p_values(
    rows: Rows, score: Score, pairs: Pairs, *, samples: int = 10_000, seed: int = SEED, threads: int = 0
) -> Floats:
    """As `randomisation_p_values`, but exact for pairs whose rows differ on no more than 16 segments.

    >>> mean = lambda total: total[..., 0] / total[..., 1]
    >>> rows = np.stack([np.stack([np.arange(4.0) + shift, np.ones(4)], axis=-1) for shift in (0, 1)])
    >>> permutation_p_values(rows, mean, [(0, 1)]).tolist()
    [0.125]
    """
    check_samples(samples)
    p_values = np.empty(len(pairs))
    sampled = []
    for number, pair in enumerate(pairs):
        differing = differing_segments(rows, pair)
        if len(differing) <= EXACT_SEGMENTS:
            p_values[number] = _exact_p_value(rows[list(pair)], differing, score, threads)
        else:
            sampled.append(number)
    if sampled:
        chosen = [pairs[number] for number in sampled]
        p_values[sampled] = randomisation_p_values(rows, score, chosen, samples=samples, seed=seed, threads=threads)
    return p_values


def differing_segments(rows: Rows, pair: tuple[int, int]) -> NDArray[np.intp]:
    """The segments on which two systems have different rows; only exchanging those can change anything."""
    first, second = pair
    return np.flatnonzero((checked_rows(rows)[first] != rows[second]).any(axis=-1))


def _exact_p_value(rows: Rows, differing: NDArray[np.intp], score: Score, threads: int) -> float:
    """The share of all exchanges of the differing segments that reach the observed difference."""
    observed, rounding = _observed(rows, score, [(0, 1)])
    if not np.isfinite(observed[0]):
        return np.nan
    if not len(differing):
        return 1.0
    sums = subset_totals(rows[:, differing], 0, 2 ** len(differing), exhaustive=True, threads=threads)
    differences = _exchanged(rows.sum(axis=1), sums, score, [(0, 1)])
    return float((~(differences < observed - rounding)).mean())


def _observed(rows: Rows, score: Score, pairs: Pairs) -> tuple[Floats, Floats]:
    """The absolute difference of each pair, and what rounding can make of equal differences between such scores."""
    scores, rounding = score(rows.sum(axis=1)), rounding_of(rows, score)
    left, right = sides(pairs)
    return np.abs(scores[left] - scores[right]), rounding[left] + rounding[right]


def sides(pairs: Pairs) -> tuple[list[int], list[int]]:
    """The first systems of the pairs, and the second ones."""
    return [a for a, _ in pairs], [b for _, b in pairs]


def _exchanged(totals: Rows, sums: Rows, score: Score, pairs: Pairs) -> Floats:
    """The absolute differences in score, (trials, pairs), after exchanging subsets with these sums (trials, systems,
    k).

    Arrays have the trials on the last axis in memory, as `subset_totals` gives them: formulas run over whole columns.
    """
    left, right = sides(pairs)
    by_system = sums.transpose(1, 2, 0)  # (systems, k, trials)
    piece = max(64, PIECE // (len(pairs) * totals.shape[-1]))
    differences = np.empty((len(sums), len(pairs)))
    for first in range(0, len(sums), piece):
        taken = by_system[:, :, first : first + piece]
        moved = taken[right] - taken[left]  # (pairs, k, trials)
        with_moved = (totals[left][:, :, None] + moved).transpose(2, 0, 1)
        without_moved = (totals[right][:, :, None] - moved).transpose(2, 0, 1)
        differences[first : first + piece] = np.abs(score(with_moved) - score(without_moved))
    return differences
