"""Scores of texts: from hypotheses and references to a `Result`, for every metric alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import registry
from tertium.data.segments import pair, pair_systems
from tertium.errors import InputError
from tertium.metrics.protocol import AnyReferences, Metric
from tertium.native import Rows, Segments


@dataclass(frozen=True)
class Result:
    """The rows of one system under one metric, and what follows from them.

    >>> result = score("bleu", ["a b c d e", "x y"], ["a b c d e", "x z"])
    >>> round(result.score, 2)
    91.0
    >>> result.segments.round(1).tolist()
    [100.0, 0.0]
    """

    metric: Metric
    rows: Rows  # (segments, k)
    reference_count: tuple[int, int]

    @cached_property
    def total(self) -> Rows:
        """The sum of the rows: the corpus statistics."""
        return np.asarray(self.rows.sum(axis=0))

    @cached_property
    def score(self) -> float:
        """The corpus score."""
        return float(self.metric.score(self.total))

    @cached_property
    def segments(self) -> NDArray[np.float64]:
        """The score of each segment."""
        return self.metric.score(self.rows)

    @cached_property
    def details(self) -> dict[str, Any]:
        """What the corpus score is made of."""
        return self.metric.details(self.total)

    def by(self, labels: Sequence[str]) -> dict[str, float]:
        """The score of each group of segments that share a label, such as a document; labels in order of appearance.

        >>> score("bleu:order=1", ["a b", "c", "x"], ["a b", "d", "x"]).by(["news", "chat", "chat"])
        {'news': 100.0, 'chat': 50.0}
        """
        if len(labels) != len(self.rows):
            raise InputError(f"there are {len(labels)} labels for {len(self.rows)} segments: each needs one")
        number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
        totals = np.zeros((len(number), self.rows.shape[1]))
        np.add.at(totals, [number[label] for label in labels], self.rows)
        return dict(zip(number, self.metric.score(totals).tolist(), strict=True))

    @property
    def signature(self) -> str:
        """The metric's spelling and the facts of the data, to be quoted beside the score."""
        from tertium import __version__

        fewest, most = self.reference_count
        references = str(most) if fewest == most else f"{fewest}-{most}"
        return f"{self.metric!r}|references={references}|tertium={__version__}"

    def __str__(self) -> str:
        return f"{self.metric.name} {self.score:.1f}"


def score(metric: str | Metric, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Result:
    """Score one system by one metric."""
    metric = registry.metric(metric)
    texts, prepared = pair(hypotheses, references)
    return Result(metric, metric.statistics(texts, prepared, threads=threads), prepared.count)


def score_systems(
    metrics: Sequence[str | Metric], systems: Mapping[str, Segments], references: AnyReferences, *, threads: int = 0
) -> dict[str, list[Result]]:
    """Score several systems by several metrics: system name -> a result for each metric, in the order given.

    The metrics are gone through once, one after another, so that whoever passes them can watch how far the work is.
    """
    texts, prepared = pair_systems(list(systems.values()), references)
    results: dict[str, list[Result]] = {name: [] for name in systems}
    for metric in map(registry.metric, metrics):
        rows = metric.statistics_of_systems(texts, prepared, threads=threads)
        for name, system_rows in zip(systems, rows, strict=True):
            results[name].append(Result(metric, system_rows, prepared.count))
    return results
