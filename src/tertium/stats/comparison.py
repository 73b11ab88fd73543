"""Systems compared by one metric: scores, intervals, p-values, corrections, clusters and effect sizes from their rows.

Whatever is asked for is computed once and kept; what costs much and is asked for rarely (all pairs of systems, and the
clusters that follow from them) costs nothing before. All of it is a function of the rows and the settings, seed
included.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, OptionError, UnknownName
from tertium.metrics.protocol import Metric
from tertium.native import Rows
from tertium.native.resample import checked_seed
from tertium.stats import CONFIDENCE, SEED, Floats
from tertium.stats.bootstrap import (
    bca_interval,
    bootstrap_scores,
    check_confidence,
    folded_p_values,
    percentile_interval,
    shifted_p_values,
)
from tertium.stats.clusters import rank_clusters, rank_ranges
from tertium.stats.effect import cohen_d, superiority
from tertium.stats.jackknife import leave_one_out, pseudo_values, standard_error
from tertium.stats.multiplicity import holm
from tertium.stats.randomisation import Pairs, permutation_p_values, randomisation_p_values

BOOTSTRAP_TESTS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "bootstrap": shifted_p_values,
    "bootstrap-folded": folded_p_values,
}
EXCHANGE_TESTS = {"randomisation": randomisation_p_values, "permutation": permutation_p_values}
DEFAULT_SAMPLES = {**dict.fromkeys(BOOTSTRAP_TESTS, 1000), **dict.fromkeys(EXCHANGE_TESTS, 10_000)}
MOST_SAMPLES = 10**8  # days of computing and gigabytes of scores: a slip of the keyboard
INTERVALS = ("percentile", "bca", "none")
COLUMNS = (
    "metric", "system", "score", "low", "high", "difference", "difference_low", "difference_high", "p", "p_holm",
    "cohen_d", "superiority", "detectable", "cluster", "best_rank", "worst_rank",
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """How systems are compared.

    `test` is bootstrap (two-sided, Riezler & Maxwell's shift), bootstrap-folded (sacreBLEU's p-value, for published
    numbers), randomisation, or permutation (exact where few segments differ). `samples` are its draws or trials, 1,000
    for a bootstrap and 10,000 else; the intervals take `interval_samples` bootstrap draws.
    """

    test: str = "bootstrap"
    samples: int | None = None
    seed: int = SEED
    confidence: float = CONFIDENCE
    interval: str = "percentile"
    interval_samples: int = 1000
    threads: int = 0

    def __post_init__(self) -> None:
        if self.test not in DEFAULT_SAMPLES:
            raise UnknownName("test", self.test, DEFAULT_SAMPLES)
        if self.interval not in INTERVALS:
            raise UnknownName("interval", self.interval, INTERVALS)
        for name, value in (("samples", self.trials), ("interval_samples", self.interval_samples)):
            if not 1 <= value <= MOST_SAMPLES:
                raise OptionError(f"{name} is {value}; it must be at least 1 and at most {MOST_SAMPLES:,}")
        check_confidence(self.confidence)
        checked_seed(self.seed)

    @property
    def trials(self) -> int:
        """The number of draws or trials of the test."""
        return DEFAULT_SAMPLES[self.test] if self.samples is None else self.samples

    @property
    def draws(self) -> int:
        """The number of bootstrap draws for intervals; a bootstrap test and its intervals share them."""
        return self.trials if self.test in BOOTSTRAP_TESTS else self.interval_samples

    def __str__(self) -> str:
        intervals = "" if self.interval == "none" else f"|interval={self.interval}:{self.draws}"
        return f"test={self.test}|samples={self.trials}{intervals}|confidence={self.confidence:g}|seed={self.seed}"


@dataclass(frozen=True)
class MetricComparison:
    """Systems compared with a baseline, and with each other, by one metric.

    Differences are `system - baseline` in the metric's own points; p-values are two-sided.
    """

    metric: Metric
    systems: tuple[str, ...]
    rows: Rows  # (systems, segments or groups of them, k)
    baseline: int = 0
    settings: Settings = Settings()
    facts: str = ""  # of the data, for the signature

    def __post_init__(self) -> None:
        if self.rows.ndim != 3 or len(self.rows) != len(self.systems):
            raise InputError(f"rows have the shape {self.rows.shape}; it must be ({len(self.systems)}, segments, k)")
        if self.rows.shape[1] < 2:
            raise InputError("there is only one segment (or one group): resampling needs at least two")

    @cached_property
    def scores(self) -> Floats:
        """The corpus score of each system."""
        return self.metric.score(self.rows.sum(axis=1))

    @cached_property
    def draws(self) -> Floats:
        """The score of each system on each bootstrap draw, (draws, systems)."""
        options = self.settings
        return bootstrap_scores(
            self.rows, self.metric.score, samples=options.draws, seed=options.seed, threads=options.threads
        )

    @cached_property
    def intervals(self) -> Floats:
        """The confidence interval of each score, (2, systems): low and high."""
        return self._interval(self.draws_if_wanted, self.scores, lambda: self._without)

    @cached_property
    def differences(self) -> Floats:
        """The difference of each system from the baseline."""
        return np.asarray(self.scores - self.scores[self.baseline])

    @cached_property
    def difference_intervals(self) -> Floats:
        """The confidence interval of each difference, (2, systems)."""
        draws, without = self.draws_if_wanted, lambda: self._without - self._without[self.baseline]
        return self._interval(draws - draws[:, [self.baseline]], self.differences, without)

    @property
    def draws_if_wanted(self) -> Floats:
        """The bootstrap scores, or none where no interval is wanted."""
        return self.draws if self.settings.interval != "none" else np.empty((0, len(self.systems)))

    @cached_property
    def _without(self) -> Floats:
        return leave_one_out(self.rows, self.metric.score)

    def _interval(self, draws: Floats, observed: Floats, without: Callable[[], Floats]) -> Floats:
        if self.settings.interval == "none":
            return np.full((2, len(self.systems)), np.nan)
        if self.settings.interval == "bca":
            return bca_interval(draws, observed, without(), self.settings.confidence)
        return percentile_interval(draws, self.settings.confidence)

    def _p_values_of(self, pairs: Pairs) -> Floats:
        options = self.settings
        if options.test in EXCHANGE_TESTS:
            return EXCHANGE_TESTS[options.test](
                self.rows, self.metric.score, pairs, samples=options.trials, seed=options.seed, threads=options.threads
            )
        left, right = [a for a, _ in pairs], [b for _, b in pairs]
        observed = self.scores[left] - self.scores[right]
        return BOOTSTRAP_TESTS[options.test](self.draws[:, left] - self.draws[:, right], observed)

    @cached_property
    def p_values(self) -> Floats:
        """The p-value of each system's difference from the baseline; NaN for the baseline itself."""
        others = [i for i in range(len(self.systems)) if i != self.baseline]
        p_values = np.full(len(self.systems), np.nan)
        if others:
            p_values[others] = self._p_values_of([(i, self.baseline) for i in others])
        return p_values

    @cached_property
    def corrected_p_values(self) -> Floats:
        """`p_values` after Holm's correction for as many tests as there are systems but the baseline."""
        return holm(self.p_values)

    @cached_property
    def pair_p_values(self) -> Floats:
        """The p-value of every pair of systems, (systems, systems), symmetric; NaN on the diagonal."""
        first, second = np.triu_indices(len(self.systems), k=1)
        pairs = list(zip(first.tolist(), second.tolist(), strict=True))
        return self._square(self._p_values_of(pairs) if pairs else np.empty(0))

    @cached_property
    def corrected_pair_p_values(self) -> Floats:
        """`pair_p_values` after Holm's correction for as many tests as there are pairs."""
        return self._square(holm(self.pair_p_values[np.triu_indices(len(self.systems), k=1)]))

    def _square(self, upper: Floats) -> Floats:
        square = np.full((len(self.systems), len(self.systems)), np.nan)
        places = np.triu_indices(len(self.systems), k=1)
        square[places] = square.T[places] = upper
        return square

    @cached_property
    def differ(self) -> NDArray[np.bool_]:
        """Which pairs of systems differ at the level 1 - confidence, after correction for all pairs."""
        return np.asarray(self.corrected_pair_p_values < 1 - self.settings.confidence)

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """The cluster of each system, 1 the best: see `tertium.stats.clusters`."""
        return rank_clusters(self.scores, self.differ, higher_is_better=self.metric.higher_is_better)

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The best and worst rank that each system may have, (systems, 2)."""
        return rank_ranges(self.scores, self.differ, higher_is_better=self.metric.higher_is_better)

    @cached_property
    def cohen_d(self) -> Floats:
        """Each difference from the baseline in standard deviations between segments."""
        return cohen_d(self.rows, self.metric.score, self.baseline)

    @cached_property
    def superiority(self) -> Floats:
        """The share of segments on which each system beats the baseline, ties half."""
        better_up = self.metric.higher_is_better
        return superiority(self.rows, self.metric.score, self.baseline, higher_is_better=better_up)

    @cached_property
    def detectable_differences(self) -> Floats:
        """The smallest true difference from the baseline that this test set shows with a chance of 80%."""
        from tertium.stats.power import minimum_detectable_difference  # it imports more than is needed at start-up

        pseudo = pseudo_values(self.rows, self.metric.score)
        errors = standard_error(pseudo - pseudo[self.baseline])
        found = [minimum_detectable_difference(e, confidence=self.settings.confidence) for e in errors.tolist()]
        return np.array([np.nan if i == self.baseline else value for i, value in enumerate(found)])

    @property
    def signature(self) -> str:
        """The metric's spelling, the facts of the data and how systems were compared."""
        from tertium import __version__

        facts = f"|{self.facts}" if self.facts else ""
        return f"{self.metric!r}{facts}|{self.settings}|tertium={__version__}"

    def records(self) -> list[dict[str, str | float | int | None]]:
        """One record a system with the fields of `COLUMNS`; what does not apply or is not finite is None."""
        columns = [
            self.scores, *self.intervals, self.differences, *self.difference_intervals, self.p_values,
            self.corrected_p_values, self.cohen_d, self.superiority, self.detectable_differences, self.clusters,
            *self.ranks.T,
        ]  # fmt: skip
        values = [np.asarray(column).tolist() for column in columns]
        records = []
        for i, system in enumerate(self.systems):
            cells = [value[i] if math.isfinite(value[i]) else None for value in values]
            record = dict(zip(COLUMNS, [self.metric.name, system, *cells], strict=True))
            if i == self.baseline:
                record |= dict.fromkeys(
                    ("difference", "difference_low", "difference_high", "cohen_d", "superiority"), None
                )
            records.append(record)
        return records
