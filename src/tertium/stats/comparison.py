"""Systems compared by one metric: scores, intervals, p-values, corrections, clusters and effect sizes from their rows.

Whatever is asked for is computed once and kept; what costs much and is asked for rarely (all pairs of systems, and the
clusters that follow from them) costs nothing before. All of it is a function of the rows and the settings, seed
included.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.metrics.rows import leave_one_out
from tertium.native import Rows
from tertium.stats import Floats
from tertium.stats.bootstrap import bca_interval, bootstrap_scores, percentile_interval
from tertium.stats.clusters import rank_clusters, rank_ranges
from tertium.stats.effect import cohen_d, superiority
from tertium.stats.jackknife import pseudo_values, standard_error
from tertium.stats.multiplicity import holm
from tertium.stats.randomisation import Pairs, sides
from tertium.stats.rounding import rounding_of
from tertium.stats.settings import BOOTSTRAP_TESTS, DEFAULTS, EXCHANGE_TESTS, Settings

FEW = 30  # segments; the bootstrap of fewer falls short of its confidence by several per cent
COLUMNS = (
    "metric", "system", "score", "low", "high", "difference", "difference_low", "difference_high", "p", "p_holm",
    "cohen_d", "superiority", "detectable", "cluster", "best_rank", "worst_rank",
)  # fmt: skip
PAIR_COLUMNS = ("metric", "system", "other", "difference", "difference_low", "difference_high", "p", "p_holm")

Record = dict[str, str | float | int | None]


class Scored(Protocol):
    """What a comparison has to know of a metric."""

    @property
    def name(self) -> str: ...
    @property
    def higher_is_better(self) -> bool: ...
    def score(self, total: Rows) -> Floats:
        """The score of summed rows, vectorised over leading axes."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class MetricComparison:
    """Systems compared with a baseline, and with each other, by one metric.

    Differences are `system - baseline` in the metric's own points; p-values are two-sided.
    """

    metric: Scored
    systems: tuple[str, ...]
    rows: Rows  # (systems, segments or groups of them, k)
    baseline: int = 0
    settings: Settings = DEFAULTS
    facts: str = ""  # of the data, for the signature
    unit: str = "segments"  # what is resampled
    label: str = ""  # what the metric is called in records; its name, if it is not said

    def __post_init__(self) -> None:
        if self.rows.ndim != 3 or len(self.rows) != len(self.systems):
            raise InputError(f"rows have the shape {self.rows.shape}; it must be ({len(self.systems)}, segments, k)")
        if self.rows.shape[1] < 2:
            raise InputError(f"there is only one of the {self.unit}: resampling needs at least two")
        if not np.isfinite(self.rows).all():
            system, segment, _ = np.argwhere(~np.isfinite(self.rows))[0]
            raise InputError(
                f"{self.metric.name} of {self.systems[system]} is not a finite number on one of the {self.unit} "
                f"({segment}): leave it out for all systems"
            )

    @cached_property
    def scores(self) -> Floats:
        """The corpus score of each system."""
        return self.metric.score(self.rows.sum(axis=1))

    @cached_property
    def draws(self) -> Floats:
        """The score of each system on each bootstrap draw, (draws, systems)."""
        options, systems = self.settings, len(self.systems)
        of_the_test = options.trials(systems) if options.test in BOOTSTRAP_TESTS else 0
        samples = max(of_the_test, 0 if options.interval == "none" else options.draws(systems))
        return bootstrap_scores(
            self.rows, self.metric.score, samples=max(1, samples), seed=options.seed, threads=options.threads
        )

    @cached_property
    def intervals(self) -> Floats:
        """The confidence interval of each score, (2, systems): low and high."""
        return self._interval(lambda draws: draws, self.scores)

    @cached_property
    def differences(self) -> Floats:
        """The difference of each system from the baseline."""
        return np.asarray(self.scores - self.scores[self.baseline])

    @cached_property
    def difference_intervals(self) -> Floats:
        """The confidence interval of each difference, (2, systems)."""
        return self._interval(lambda values: values - values[..., [self.baseline]], self.differences)

    def _interval(self, chosen: Callable[[Floats], Floats], observed: Floats) -> Floats:
        """The interval of what `chosen` makes of the systems' scores (..., systems)."""
        options = self.settings
        if options.interval == "none":
            return np.full((2, len(observed)), np.nan)
        draws = chosen(self.draws[: options.draws(len(self.systems))])
        if options.interval == "bca":
            return bca_interval(draws, observed, chosen(self._without.T).T, options.confidence)
        return percentile_interval(draws, options.confidence)

    @cached_property
    def _without(self) -> Floats:
        return leave_one_out(self.rows, self.metric.score)

    @cached_property
    def _pseudo(self) -> Floats:
        return pseudo_values(self.scores, self._without)

    @cached_property
    def _rounding(self) -> Floats:
        return rounding_of(self.rows, self.metric.score)

    def _p_values_of(self, pairs: Pairs) -> Floats:
        options, trials = self.settings, self.settings.trials(len(self.systems))
        if options.test in EXCHANGE_TESTS:
            return EXCHANGE_TESTS[options.test](
                self.rows, self.metric.score, pairs, samples=trials, seed=options.seed, threads=options.threads
            )
        left, right = sides(pairs)
        draws, observed = self.draws[:trials], self.scores[left] - self.scores[right]
        rounding = self._rounding[left] + self._rounding[right]
        return BOOTSTRAP_TESTS[options.test](draws[:, left] - draws[:, right], observed, rounding)

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
    def pairs(self) -> list[tuple[int, int]]:
        """Every pair of systems, in the order given."""
        return [(i, j) for i in range(len(self.systems)) for j in range(i + 1, len(self.systems))]

    @cached_property
    def pair_p_values(self) -> Floats:
        """The p-value of every pair of systems, (systems, systems), symmetric; NaN on the diagonal."""
        others = [pair for pair in self.pairs if self.baseline not in pair]
        square = self._square(others, self._p_values_of(others) if others else np.empty(0))
        square[self.baseline] = square[:, self.baseline] = self.p_values
        return square

    @cached_property
    def corrected_pair_p_values(self) -> Floats:
        """`pair_p_values` after Holm's correction for as many tests as there are pairs."""
        left, right = sides(self.pairs)
        return self._square(self.pairs, holm(self.pair_p_values[left, right]))

    def _square(self, pairs: Pairs, values: Floats) -> Floats:
        square = np.full((len(self.systems), len(self.systems)), np.nan)
        left, right = sides(pairs)
        square[left, right] = square[right, left] = values
        return square

    @cached_property
    def differ(self) -> NDArray[np.bool_]:
        """Which pairs of systems differ at the level 1 - confidence, after correction for all pairs."""
        unequal = self.scores[:, None] != self.scores  # the folded bootstrap calls a system different from itself
        return np.asarray(unequal & (self.corrected_pair_p_values <= self.settings.level))

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
        """Each difference from the baseline in standard deviations between segments; above 0 is better."""
        found = cohen_d(self._pseudo, self.baseline, higher_is_better=self.metric.higher_is_better)
        rounding = self._rounding + self._rounding[self.baseline]
        return np.where(np.abs(self.differences) <= rounding, 0.0, found)

    @cached_property
    def superiority(self) -> Floats:
        """The share of segments on which each system beats the baseline, ties half."""
        better_up = self.metric.higher_is_better
        return superiority(self.rows, self.metric.score, self.baseline, higher_is_better=better_up)

    @cached_property
    def detectable_differences(self) -> Floats:
        """The smallest true difference from the baseline that one test on this test set finds with a chance of 80%."""
        from tertium.stats.power import minimum_detectable_difference  # it imports more than is needed at start-up

        errors = standard_error(self._pseudo - self._pseudo[self.baseline])
        return np.array(
            [
                minimum_detectable_difference(error, confidence=self.settings.confidence)
                if i != self.baseline and math.isfinite(error)
                else math.nan
                for i, error in enumerate(errors.tolist())
            ]
        )

    @property
    def signature(self) -> str:
        """The metric's spelling, the facts of the data and how systems were compared."""
        from tertium import __version__

        facts = f"|{self.facts}" if self.facts else ""
        return f"{self.metric!r}{facts}|{self.settings.described(len(self.systems))}|tertium={__version__}"

    @property
    def cautions(self) -> tuple[str, ...]:
        """What a reader of these numbers must know, if there is anything."""
        options, units = self.settings, self.rows.shape[1]
        trials, pairs = options.trials(len(self.systems)), len(self.pairs)
        said = []
        if units < FEW and options.interval != "none":
            said.append(f"{units} {self.unit} are few: intervals of so few are somewhat too narrow.")
        if units < FEW and options.test in BOOTSTRAP_TESTS and pairs:
            said.append(f"{units} {self.unit} are few: a bootstrap's p-values are too small there; take permutation.")
        if pairs > options.level * (trials + 1) and options.test != "permutation":
            least = math.ceil(pairs / options.level)
            said.append(
                f"{trials} samples cannot tell any of {len(self.systems)} systems apart: the smallest p-value is "
                f"1/{trials + 1}, and {pairs} pairs are corrected for; take {least} samples or more."
            )
        return tuple(said)

    def records(self, columns: Sequence[str] = COLUMNS) -> list[Record]:
        """One record a system with these fields of `COLUMNS`; what does not apply or is not finite is None.

        Only what is asked for is computed.
        """
        makers: dict[str, Callable[[], NDArray[Any]]] = {
            "score": lambda: self.scores,
            "low": lambda: self.intervals[0],
            "high": lambda: self.intervals[1],
            "difference": lambda: self._of_others(self.differences),
            "difference_low": lambda: self._of_others(self.difference_intervals[0]),
            "difference_high": lambda: self._of_others(self.difference_intervals[1]),
            "p": lambda: self.p_values,
            "p_holm": lambda: self.corrected_p_values,
            "cohen_d": lambda: self._of_others(self.cohen_d),
            "superiority": lambda: self._of_others(self.superiority),
            "detectable": lambda: self.detectable_differences,
            "cluster": lambda: self.clusters,
            "best_rank": lambda: self.ranks[:, 0],
            "worst_rank": lambda: self.ranks[:, 1],
        }
        names = {"metric": [self._label] * len(self.systems), "system": list(self.systems)}
        return _records({column: names.get(column) or makers[column]() for column in columns})

    def _of_others(self, values: Floats) -> Floats:
        """What is said of each system against the baseline, and not of the baseline itself."""
        return np.where(np.arange(len(values)) == self.baseline, np.nan, values)

    def pair_records(self) -> list[Record]:
        """One record a pair of systems with the fields of `PAIR_COLUMNS`; p_holm is corrected for all pairs."""
        left, right = sides(self.pairs)
        differences = self.scores[left] - self.scores[right]
        intervals = self._interval(lambda values: values[..., left] - values[..., right], differences)
        columns = [
            [self._label] * len(self.pairs),
            [self.systems[a] for a in left],
            [self.systems[b] for b in right],
            differences,
            *intervals,
            self.pair_p_values[left, right],
            self.corrected_pair_p_values[left, right],
        ]
        return _records(dict(zip(PAIR_COLUMNS, columns, strict=True)))

    @property
    def _label(self) -> str:
        return self.label or self.metric.name

    def __repr__(self) -> str:
        return f"<{self._label} of {', '.join(self.systems)} on {self.rows.shape[1]} {self.unit}>"


def _records(columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> list[Record]:
    values = [[_shown(value) for value in np.asarray(column).tolist()] for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]


def _shown(value: str | float | int) -> str | float | int | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value
