"""Comparison of systems from their texts, by several metrics on the same draws."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium import registry
from tertium.data.segments import pair_systems
from tertium.errors import InputError, UnknownName
from tertium.metrics.protocol import AnyReferences, Metric
from tertium.native import Segments
from tertium.stats import CONFIDENCE, SEED
from tertium.stats.comparison import COLUMNS, MetricComparison, Settings
from tertium.stats.groups import group_rows

SHOWN = ("system", "score", "low", "high", "difference", "p", "p_holm", "cluster")


@dataclass(frozen=True)
class Comparison:
    """Systems compared by several metrics; index it with a metric's name, spelling or place."""

    systems: tuple[str, ...]
    baseline: str
    settings: Settings
    metrics: tuple[MetricComparison, ...]

    def __getitem__(self, metric: str | int) -> MetricComparison:
        if isinstance(metric, int):
            return self.metrics[metric]
        for each in self.metrics:
            if metric in (each.metric.name, repr(each.metric)):
                return each
        raise UnknownName("metric of this comparison", metric, [each.metric.name for each in self.metrics])

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signature of each metric, to be quoted beside the numbers."""
        return tuple(each.signature for each in self.metrics)

    def records(self) -> list[dict[str, str | float | int | None]]:
        """One record a metric and system, with the fields of `tertium.stats.comparison.COLUMNS`."""
        return [record for each in self.metrics for record in each.records()]

    def rows(self) -> list[tuple[str | float | int | None, ...]]:
        """The records as rows in the order of `COLUMNS`."""
        return [tuple(record[column] for column in COLUMNS) for record in self.records()]

    def __str__(self) -> str:
        lines = []
        for each in self.metrics:
            table = [SHOWN, *(tuple(_cell(record[column]) for column in SHOWN) for record in each.records())]
            widths = [max(map(len, column)) for column in zip(*table, strict=True)]
            lines.append(f"{each.metric.name} against {self.baseline}")
            for row in table:
                first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
                lines.append("  ".join([first.strip().ljust(widths[0]), *others]))
            lines.append(each.signature)
        return "\n".join(lines)


def compare(
    systems: Mapping[str, Segments],
    references: AnyReferences,
    metrics: Sequence[str | Metric] | str | Metric = ("bleu",),
    *,
    baseline: str | None = None,
    test: str = "bootstrap",
    samples: int | None = None,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    interval: str = "percentile",
    interval_samples: int = 1000,
    groups: Sequence[Hashable] | None = None,
    threads: int = 0,
) -> Comparison:
    """Compare systems with a baseline (the first one unless named), and with each other, by one or several metrics.

    `test`, `samples`, `interval` and the others are those of `tertium.stats.comparison.Settings`. With `groups`, one
    label for each segment, whole groups (documents) are resampled. Metrics see the same draws.

    >>> reference = ["the cat is on the mat", "there is a dog", "it rains again today", "good night to you all"]
    >>> worse = ["a cat is on a mat", "here is a dog", "it rains again this day", "a good night to all"]
    >>> result = compare({"worse": worse, "same": reference}, reference, test="permutation", interval="none")
    >>> result["bleu"].p_values.tolist()
    [nan, 0.125]
    >>> [record["score"] for record in result.records() if record["system"] == "same"]
    [100.0]
    """
    settings = Settings(test, samples, seed, confidence, interval, interval_samples, threads)
    names = tuple(systems)
    if baseline is not None and baseline not in systems:
        raise UnknownName("system for a baseline", baseline, names)
    chosen = [metrics] if isinstance(metrics, str) or not isinstance(metrics, Sequence) else metrics
    if not chosen:
        raise InputError("there is no metric to compare by: pass at least one")
    texts, prepared = pair_systems(list(systems.values()), references)
    fewest, most = prepared.count
    facts = f"references={most if fewest == most else f'{fewest}-{most}'}"
    place = 0 if baseline is None else names.index(baseline)
    compared = []
    for metric in map(registry.metric, chosen):
        rows = np.asarray(metric.statistics_of_systems(texts, prepared, threads=threads))
        if groups is not None:
            rows = group_rows(rows, groups)
        unit = "" if groups is None else f"|groups={rows.shape[1]}"
        each = MetricComparison(metric, names, rows, place, settings, facts + unit)
        _ = each.intervals, each.p_values  # computed now: the caller waits here, and not at some later look
        compared.append(each)
    return Comparison(names, names[place], settings, tuple(compared))


def _cell(value: str | float | int | None) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
