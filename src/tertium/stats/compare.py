"""Comparison of systems by several metrics on the same draws, from their texts or from scores that there are."""

import operator
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium import registry
from tertium.data.segments import Paired
from tertium.errors import InputError, OptionError, UnknownName
from tertium.metrics.protocol import AnyReferences, Metric, rows_of_systems
from tertium.metrics.rows import group_rows
from tertium.native import Rows, Segments
from tertium.stats import CONFIDENCE, SEED
from tertium.stats.comparison import COLUMNS, MetricComparison, Record, Scored
from tertium.stats.means import Mean, checked_scores, rows_of
from tertium.stats.settings import DEFAULT_TEST, DEFAULTS, Settings

SHOWN = ("system", "score", "low", "high", "difference", "p", "p_holm", "cluster")


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Systems compared by several metrics; index it with a metric's label (as it was given), name, spelling or place.

    `print` shows a table; `records` and `pair_records` are lists of dicts, as data frames and JSON take them.
    """

    systems: tuple[str, ...]
    baseline: str
    settings: Settings
    metrics: tuple[MetricComparison, ...]

    def __len__(self) -> int:
        return len(self.metrics)

    def __getitem__(self, metric: str | int) -> MetricComparison:
        if not isinstance(metric, str):
            return self.metrics[operator.index(metric)]
        for named in (lambda each: (each.label, repr(each.metric)), lambda each: (each.metric.name,)):
            found = [each for each in self.metrics if metric in named(each)]
            if len(found) == 1:
                return found[0]
            if found:
                labels = " and ".join(each.label for each in found)
                raise OptionError(f"{metric} may be any of {labels} here: name one of them")
        raise UnknownName("metric of this comparison", metric, [each.label for each in self.metrics])

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signature of each metric, to be quoted beside the numbers."""
        return tuple(each.signature for each in self.metrics)

    @property
    def cautions(self) -> tuple[str, ...]:
        """What a reader of these numbers must know, each thing once."""
        return tuple(dict.fromkeys(caution for each in self.metrics for caution in each.cautions))

    def records(self, columns: Sequence[str] = COLUMNS) -> list[Record]:
        """One record a metric and system, with these fields of `tertium.stats.comparison.COLUMNS`."""
        return [record for each in self.metrics for record in each.records(columns)]

    def pair_records(self) -> list[Record]:
        """One record a metric and pair of systems, with the fields of `tertium.stats.comparison.PAIR_COLUMNS`."""
        return [record for each in self.metrics for record in each.pair_records()]

    def __repr__(self) -> str:
        return f"<{', '.join(each.label for each in self.metrics)} of {', '.join(self.systems)}>"

    def __str__(self) -> str:
        lines = []
        for each in self.metrics:
            table = [SHOWN, *(tuple(_cell(record[column]) for column in SHOWN) for record in each.records(SHOWN))]
            widths = [max(map(len, column)) for column in zip(*table, strict=True)]
            lines.append(f"{each.label} against {self.baseline}")
            for row in table:
                first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
                lines.append("  ".join([first.strip().ljust(widths[0]), *others]))
            lines.append(each.signature)
        return "\n".join([*lines, *self.cautions])


def compare(
    systems: Mapping[str, Segments],
    references: AnyReferences | None,
    metrics: Sequence[str | Metric] | str | Metric = ("bleu",),
    *,
    source: Segments | None = None,
    baseline: str | None = None,
    test: str = DEFAULT_TEST,
    samples: int | None = None,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    interval: str = "percentile",
    interval_samples: int | None = None,
    groups: Sequence[Hashable] | None = None,
    threads: int = 0,
) -> Comparison:
    """Compare systems with a baseline (the first one unless named), and with each other, by one or several metrics.

    `test`, `samples`, `interval` and the others are those of `tertium.stats.settings.Settings`. With `groups`, one
    label for each segment, whole groups (documents) are resampled. Metrics see the same draws.

    >>> reference = ["the cat is on the mat", "there is a dog", "it rains again today", "good night to you all"]
    >>> worse = ["a cat is on a mat", "here is a dog", "it rains again this day", "a good night to all"]
    >>> result = compare({"worse": worse, "same": reference}, reference, interval="none")
    >>> result["bleu"].p_values.tolist()
    [nan, 0.125]
    >>> [record["score"] for record in result.records() if record["system"] == "same"]
    [100.0]
    """
    settings = Settings(test, samples, seed, confidence, interval, interval_samples, threads)
    names = _names(systems, baseline)
    single = isinstance(metrics, str) or not isinstance(metrics, Sequence)
    chosen: Any = [metrics] if single else metrics
    if not chosen:
        raise InputError("there is no metric to compare by: pass at least one")
    paired = Paired.of(list(systems.values()), references, source)
    facts = str(paired.facts)
    compared: list[MetricComparison] = []
    for each in chosen:
        metric = registry.metric(each)
        label = each if isinstance(each, str) else repr(each)
        if any(label == other.label for other in compared):
            raise OptionError(f"metric {label} is given twice: leave one out")
        rows = rows_of_systems(metric, paired, threads=threads)
        compared.append(_compared(metric, label, names, rows, baseline, settings, groups, facts))
    return Comparison(names, baseline or names[0], settings, tuple(compared))


def compare_scores(
    scores: Mapping[str, Sequence[float]],
    *,
    name: str = "mean",
    higher_is_better: bool = True,
    baseline: str | None = None,
    groups: Sequence[Hashable] | None = None,
    settings: Settings = DEFAULTS,
) -> Comparison:
    """Compare systems by segment scores that there are already: those of a learned metric, or of people.

    >>> result = compare_scores({"a": [0.9, 0.8, 0.7, 0.6], "b": [0.5, 0.6, 0.4, 0.1]}, name="comet")
    >>> [(record["system"], round(record["score"], 2), record["p"]) for record in result.records()]
    [('a', 0.75, None), ('b', 0.4, 0.125)]
    """
    names = _names(scores, baseline)
    rows = rows_of(*(checked_scores(system, values) for system, values in scores.items()))
    metric = Mean(name, higher_is_better)
    return Comparison(
        names,
        baseline or names[0],
        settings,
        (_compared(metric, name, names, rows, baseline, settings, groups, ""),),
    )


def _names(systems: Mapping[str, Any], baseline: str | None) -> tuple[str, ...]:
    if not isinstance(systems, Mapping):
        raise InputError(f"systems is of type {type(systems).__name__}; it must be a dict: name -> its segments")
    if not systems:
        raise InputError("there are no systems: pass at least one")
    if baseline is not None and baseline not in systems:
        raise UnknownName("system for a baseline", baseline, systems)
    return tuple(systems)


def _compared(
    metric: Scored,
    label: str,
    names: tuple[str, ...],
    rows: Rows,
    baseline: str | None,
    settings: Settings,
    groups: Sequence[Hashable] | None,
    facts: str,
) -> MetricComparison:
    """One metric's comparison, with all that takes long computed."""
    unit = "segments"
    if groups is not None:
        rows, unit = group_rows(np.asarray(rows), groups), "groups"
        facts = "|".join(filter(None, [facts, f"groups={rows.shape[1]}"]))
    place = 0 if baseline is None else names.index(baseline)
    each = MetricComparison(metric, names, rows, place, settings, facts, unit, label)
    _ = each.intervals, each.p_values  # computed now: the caller waits here, and not at some later look
    return each


def _cell(value: str | float | int | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
