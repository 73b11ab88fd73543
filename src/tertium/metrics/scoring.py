"""Scores of texts: from hypotheses and references to a `Result`, for every metric alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import registry
from tertium.data.segments import Facts, Paired
from tertium.metrics.protocol import AnyReferences, Metric, details, rows_of_systems
from tertium.metrics.rows import group_rows
from tertium.native import Rows, Segments


@dataclass(frozen=True, eq=False)
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
    facts: Facts  # of the data

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
        return details(self.metric, self.total)

    def by(self, labels: Sequence[str]) -> dict[str, float]:
        """The score of each group of segments that share a label, such as a document; labels in order of appearance.

        >>> score("bleu:order=1", ["a b", "c", "x"], ["a b", "d", "x"]).by(["news", "chat", "chat"])
        {'news': 100.0, 'chat': 50.0}
        """
        totals = group_rows(self.rows[None], labels)[0]
        return dict(zip(dict.fromkeys(labels), self.metric.score(totals).tolist(), strict=True))

    @property
    def signature(self) -> str:
        """The metric's spelling and the facts of the data, to be quoted beside the score."""
        from tertium import __version__

        return f"{self.metric!r}|{self.facts}|tertium={__version__}"

    def __str__(self) -> str:
        return f"{self.metric.name} {self.score:.1f}"


def score(
    metric: str | Metric,
    hypotheses: Segments,
    references: AnyReferences | None = None,
    *,
    source: Segments | None = None,
    threads: int = 0,
) -> Result:
    """Score one system by one metric.

    `hypotheses` is a list of texts (or of token lists), one a segment, and `references` a list with one text, or a list
    of texts, for each. Files of references, one stream a file, come as a dict: `{"refA": [...], "refB": [...]}`.
    `threads=0` takes all cores; the result does not depend on it.

    >>> print(score("wer", ["the cat sat"], [["the cat sat down", "a cat sat"]]))
    wer 25.0
    >>> print(score("ter", ["the cat sat"], {"refA": ["the cat sat down"], "refB": ["a cat sat"]}))
    ter 28.6
    """
    metric = registry.metric(metric)
    paired = Paired.of([hypotheses], references, source)
    return _results(metric, paired, threads)[0]


def score_systems(
    metrics: Sequence[str | Metric],
    systems: Mapping[str, Segments],
    references: AnyReferences | None = None,
    *,
    source: Segments | None = None,
    threads: int = 0,
) -> dict[str, list[Result]]:
    """Score several systems by several metrics: system name -> a result for each metric, in the order given.

    The metrics are gone through once, one after another, so that whoever passes them can watch how far the work is.

    >>> results = score_systems(["bleu:order=2", "wer"], {"A": ["a b c d"], "B": ["a c"]}, ["a b c d"])
    >>> [f"{name}: {', '.join(map(str, of_system))}" for name, of_system in results.items()]
    ['A: bleu 100.0, wer 0.0', 'B: bleu 26.0, wer 50.0']
    """
    paired = Paired.of(list(systems.values()), references, source)
    results: dict[str, list[Result]] = {name: [] for name in systems}
    for metric in map(registry.metric, metrics):
        for name, result in zip(systems, _results(metric, paired, threads), strict=True):
            results[name].append(result)
    return results


def _results(metric: Metric, paired: Paired, threads: int) -> list[Result]:
    return [Result(metric, rows, paired.facts) for rows in rows_of_systems(metric, paired, threads=threads)]
