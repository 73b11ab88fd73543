"""The bootstrap for corpus scores: intervals and paired tests (Efron & Tibshirani, 1993; Koehn, 2004).

A draw takes as many segments as the test set has, with replacement, and sums their rows; `score` of the sums gives
the score that the system could have had on another test set of its kind. All systems see the same draws, so differences
between systems are paired.

Two p-values for a difference d with bootstrap values d*:

    shifted   (1 + #{|d* - mean d*| >= |d|}) / (1 + draws)             Riezler & Maxwell (2005), two-sided
    folded    (1 + #{|d*| - mean |d*| > |d|}) / (1 + draws)            Moses' script and sacreBLEU's `paired-bs`

The second takes absolute values before it centres. Away from zero that leaves one tail of the two, so it is about half
of the first and rejects a true null hypothesis twice as often as it says; and two systems without any difference get
the smallest p-value there is. It is here to reproduce published numbers.

Few segments, or few documents, hold too little to redraw: their draws spread less than test sets do. Intervals are then
too narrow and p-values too small (of 20 segments, a test at 5% rejects about 7% of true null hypotheses; of 5, about
15%: tests/stats/test_calibration.py). An exchange test (`tertium.stats.randomisation`) has no such flaw.
"""

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.native import Rows
from tertium.native.resample import bootstrap_totals
from tertium.stats import CONFIDENCE, SEED, Floats, Score

MEMORY = 64 * 2**20  # bytes of totals held at a time
MOST_SAMPLES = 10**8  # days of computing and gigabytes of scores: a slip of the keyboard


def bootstrap_scores(rows: Rows, score: Score, *, samples: int = 1000, seed: int = SEED, threads: int = 0) -> Floats:
    """The score of every system on every draw, (samples, systems).

    >>> mean = lambda total: total[..., 0] / total[..., 1]
    >>> rows = np.stack([np.arange(100.0), np.ones(100)], axis=-1)[None]
    >>> bootstrap_scores(rows, mean, samples=500).shape
    (500, 1)
    """
    check_samples(samples)
    systems, _, k = checked_rows(rows).shape
    piece = max(1, MEMORY // (8 * systems * k))
    totals = (
        bootstrap_totals(rows, first, min(first + piece, samples), seed=seed, threads=threads)
        for first in range(0, samples, piece)
    )
    return np.concatenate([score(total) for total in totals])


def percentile_interval(scores: Floats, confidence: float = CONFIDENCE) -> Floats:
    """The interval that holds the middle `confidence` of the draws' scores (draws, ...): (2, ...), low and high.

    >>> percentile_interval(np.arange(101.0), 0.5).tolist()
    [25.0, 75.0]
    """
    check_confidence(confidence)
    tail = (1 - confidence) / 2
    return np.quantile(scores, [tail, 1 - tail], axis=0)


def bca_interval(scores: Floats, observed: Floats | float, without: Floats, confidence: float = CONFIDENCE) -> Floats:
    """The bias-corrected and accelerated interval (Efron, 1987): (2, ...), low and high.

    The quantiles are moved for the bias of the draws `scores` (draws, ...) around the `observed` score (...), and for a
    standard error that changes with the score, measured by the jackknife's `without` (..., segments). Where all draws
    lie on one side of the observed score there is nothing to correct by, and the percentile interval is given.

        quantile(Phi(z0 + (z0 + z) / (1 - a (z0 + z)))),   z0 = Phi^-1(share of draws below), a = acceleration
    """
    from statistics import NormalDist  # slower to import than all of this module

    from tertium.stats.jackknife import acceleration

    check_confidence(confidence)
    normal, tail = NormalDist(), (1 - confidence) / 2
    draws = scores.reshape(len(scores), -1)
    observed = np.asarray(observed, dtype=np.float64).reshape(-1)
    below = ((draws < observed).sum(axis=0) + (draws <= observed).sum(axis=0)) / (2 * len(draws))
    accelerations = acceleration(without.reshape(len(observed), -1))
    interval = np.empty((2, draws.shape[1]))
    for i, (share, a) in enumerate(zip(below, accelerations, strict=True)):
        levels = [tail, 1 - tail]
        if 0 < share < 1:
            z0 = normal.inv_cdf(share)
            shifted = [z0 + normal.inv_cdf(level) for level in levels]
            levels = [normal.cdf(z0 + z / (1 - a * z)) for z in shifted]
        interval[:, i] = np.quantile(draws[:, i], levels)
    return interval.reshape(2, *scores.shape[1:])


def shifted_p_values(differences: Floats, observed: Floats | float, rounding: Floats | float = 0.0) -> Floats:
    """Two-sided p-values of `observed` differences (...) from their bootstrap values (draws, ...).

    >>> float(shifted_p_values(np.array([1.0, 2.0, 3.0]), 2.0))
    0.25
    """
    deviations = np.abs(differences - differences.mean(axis=0))
    return share_at_least(deviations, np.abs(observed), rounding)


def folded_p_values(differences: Floats, observed: Floats | float, rounding: Floats | float = 0.0) -> Floats:
    """sacreBLEU's p-values of its paired bootstrap, which knows no `rounding`; see the file's docstring before use.

    >>> float(folded_p_values(np.array([1.0, 2.0, 3.0]), 0.5))
    0.5
    """
    folded = np.abs(differences)
    exceeding = (folded - folded.mean(axis=0) > np.abs(observed)).sum(axis=0)
    return np.where(np.isfinite(observed), (exceeding + 1) / (len(differences) + 1), np.nan)


def share_at_least(statistics: Floats, observed: Floats, rounding: Floats | float = 0.0) -> Floats:
    """(1 + #{statistics >= observed}) / (1 + draws), over the first axis: the observed value counts as a draw.

    A tie counts against the observed value, and so does what falls short of it by no more than `rounding`, and a draw
    that has no score (NaN). Where the observed value is none, there is no p-value: NaN.

    >>> share_at_least(np.array([0.5, 1.0, np.nan]), np.array(1.0)).tolist()
    0.75
    """
    reached = (~(statistics < observed - rounding)).sum(axis=0)
    return np.where(np.isfinite(observed), (reached + 1) / (len(statistics) + 1), np.nan)


def checked_rows(rows: Rows) -> Rows:
    """The rows, if they are those of systems."""
    if np.ndim(rows) != 3:
        raise InputError(f"rows have the shape {np.shape(rows)}; it must be (systems, segments, k)")
    return rows


def check_samples(samples: int, name: str = "samples") -> None:
    """Refuse a number of draws or trials that is no number, too few or too many."""
    if isinstance(samples, bool) or not isinstance(samples, (int, np.integer)):
        raise OptionError(f"{name} is {samples!r}; it must be a whole number, such as 1000")
    if not 1 <= samples <= MOST_SAMPLES:
        raise OptionError(f"{name} is {samples}; it must be at least 1 and at most {MOST_SAMPLES:,}")


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is no share."""
    if not isinstance(confidence, (float, np.floating)) or not 0 < confidence < 1:
        raise OptionError(f"confidence is {confidence!r}; it must lie between 0 and 1, such as 0.95")
