"""What BLEU does about an order of n-grams without a match, whose logarithm would be minus infinity.

sacreBLEU has four ways, NLTK seven and "none"; both follow Chen and Cherry (2014), and still they differ:

    name                value            the precision of order n
    none                                 as counted
    floor               floor = 0.1      no match: floor / total
    add-k               k = 1            n > 1: (matches + k) / (total + k)
    exp                                  k-th order without a match: 1 / (2^k total)
    nltk0                                no match: the smallest float
    nltk1               epsilon = 0.1    no match: epsilon / total
    nltk2                                n > 1: (matches + 1) / (total + 1)
    nltk3                                k-th order without a match: 1 / (2^k total)
    nltk4               K = 5            k-th order without a match: ln(length) / (2^k K total), if length > 1
    nltk5                                p'_n = (p'_{n-1} + p_n + p_{n+1}) / 3,  p'_0 = p_1 + 1
    nltk6               alpha = 5        n > 2: (matches + alpha p'_{n-1}^2 / p'_{n-2}) / (total + alpha)
    nltk7               K = 5            nltk4, then nltk5

In NLTK a segment with fewer than n tokens counts as one n-gram without a match (the denominator is at least 1 for each
segment), so its rows carry how many segments are that short. An order whose precision is still 0 is left out of NLTK's
mean, which can make a bad translation look good; that convention is kept.

At the level of a corpus NLTK's methods 5, 6 and 7 read the last segment where they should read the corpus: the
matches of order 5, and method 6's total. Here these are the corpus's (`tertium.compat.nltk` reads as NLTK does). Where
NLTK's method 6 stops because no trigram matches, its formula is applied all the same. Method 5 gives precisions above
1, and so scores above 100, to a perfect translation.
"""

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tertium.metrics.ratios import ratio

Array = NDArray[np.float64]

SMOOTHINGS: dict[str, float | None] = {  # and the value each has by default
    "none": None,
    "floor": 0.1,
    "add-k": 1.0,
    "exp": None,
    "nltk0": None,
    "nltk1": 0.1,
    "nltk2": None,
    "nltk3": None,
    "nltk4": 5.0,
    "nltk5": None,
    "nltk6": 5.0,
    "nltk7": 5.0,
}
NEXT_ORDER = 5  # the order beyond the last that NLTK's methods 5 and 7 look at, whatever the last one is


@dataclass(frozen=True)
class Counts:
    """What the precisions of orders 1..N are made of, over any leading axes."""

    matches: Array  # (..., N)
    totals: Array  # (..., N), n-grams there are
    lengths: Array  # (...), hypothesis tokens
    short: Array  # (..., N), segments with fewer than n tokens (NLTK counts one n-gram for each)
    following: Array  # (...), precision of NEXT_ORDER, for NLTK's methods 5 and 7


def precisions(counts: Counts, smoothing: str, value: float | None) -> Array:
    """The smoothed precisions of each order, 0 where there is none; `value` is the smoothing's parameter.

    >>> empty = np.zeros(2)
    >>> counts = Counts(np.array([2.0, 0.0]), np.array([3.0, 2.0]), np.array(3.0), empty, np.array(0.0))
    >>> precisions(counts, "exp", None).round(3).tolist()
    [0.667, 0.25]
    """
    if value is None:
        value = SMOOTHINGS[smoothing]
    number = 0.0 if value is None else value
    return _nltk(counts, smoothing, number) if smoothing.startswith("nltk") else _sacrebleu(counts, smoothing, number)


def _sacrebleu(counts: Counts, smoothing: str, value: float) -> Array:
    matches, totals = counts.matches, counts.totals
    if smoothing == "add-k":
        added = np.where(np.arange(matches.shape[-1]) > 0, value, 0.0)
        matches, totals = matches + added, totals + added
    reached = totals > 0
    all_reached = bool(reached.all())
    if all_reached and (matches > 0).all():  # nothing to smooth: nearly always so in draws from a corpus
        return np.asarray(matches / totals)
    if not all_reached:
        reached = np.logical_and.accumulate(reached, axis=-1)
    missing = np.logical_and(matches == 0, reached)
    if smoothing == "exp":
        matches = np.where(missing, _halvings(missing), matches)
    elif smoothing == "floor":
        matches = np.where(missing, value, matches)
    return np.asarray(matches / totals) if all_reached else ratio(matches, np.where(reached, totals, 0.0))


def _halvings(missing: NDArray[np.bool_]) -> Array:
    """1 / 2^k, where k of the orders up to this one are missing."""
    halvings = np.empty(missing.shape)
    latest = np.ones(missing.shape[:-1])
    for n in range(missing.shape[-1]):  # `cumsum` along a short axis takes ten times as long
        latest = halvings[..., n] = np.where(missing[..., n], 0.5 * latest, latest)
    return halvings


def _nltk(counts: Counts, smoothing: str, value: float) -> Array:
    denominators = counts.totals + counts.short
    plain = ratio(counts.matches, denominators)
    missing = counts.matches == 0
    halvings = _halvings(missing)
    match smoothing:
        case "nltk0":
            return np.where(missing, sys.float_info.min, plain)
        case "nltk1":
            return np.where(missing, ratio(np.full_like(plain, value), denominators), plain)
        case "nltk2":
            later = np.arange(plain.shape[-1]) > 0
            return np.where(later, (counts.matches + 1) / (denominators + 1), plain)
        case "nltk3":
            return np.where(missing, ratio(halvings, denominators), plain)
        case "nltk4":
            return _by_length(plain, missing, halvings, denominators, counts.lengths, value)
        case "nltk5":
            return _neighbours(plain, counts.following)
        case "nltk6":
            return _extrapolated(plain, counts, value)
        case _:
            by_length = _by_length(plain, missing, halvings, denominators, counts.lengths, value)
            return _neighbours(by_length, counts.following)


def _by_length(
    plain: Array, missing: Array, halvings: Array, denominators: Array, lengths: Array, value: float
) -> Array:
    """NLTK's method 4: the shorter the text, the smaller the count it is given."""
    long_enough = lengths[..., None] > 1
    logarithm = np.log(np.maximum(lengths, 1.0))[..., None]
    return np.where(np.logical_and(missing, long_enough), ratio(halvings * logarithm / value, denominators), plain)


def _neighbours(plain: Array, following: Array) -> Array:
    """NLTK's method 5: the mean of an order's precision and those of its neighbours."""
    smoothed = np.empty_like(plain)
    before = plain[..., 0] + 1
    for n in range(plain.shape[-1]):
        after = plain[..., n + 1] if n + 1 < plain.shape[-1] else following
        before = smoothed[..., n] = (before + plain[..., n] + after) / 3
    return smoothed


def _extrapolated(plain: Array, counts: Counts, alpha: float) -> Array:
    """NLTK's method 6: each order is expected to lose as much as the one before did."""
    smoothed = plain.copy()
    for n in range(2, plain.shape[-1]):
        expected = ratio(smoothed[..., n - 1] ** 2, smoothed[..., n - 2])
        smoothed[..., n] = (counts.matches[..., n] + alpha * expected) / (counts.totals[..., n] + alpha)
    return smoothed
