"""What a metric is: rows that add, and a formula over their sum.

    statistics(hypotheses, references) -> float64 (segments, k)
    score(total (..., k)) -> float64 (...)

From these two come corpus scores `score(rows.sum(0))`, segment scores `score(rows)`, bootstrap `score(draws @ rows)`,
paired tests, scores of documents and buckets, and sums over many machines. A learned metric has k = 2: (score, 1). A
segment that a metric has nothing to say of is a row of zeros.

A metric is a frozen dataclass: options in fields, no state. `repr` is its spelling on the command line. What it may
add to the two methods, and what is done without:

    needs                            of "references" and "source"; {"references"}. A metric that needs the source gets
                                     it as `statistics(..., source=)`; one that needs no references gets None.
    statistics_of_systems(systems, references)
                                     the rows of several systems where reading the references once saves time; else
                                     `statistics` is called for each.
    pairwise(candidates, references) the score of each candidate of a sentence against each reference, (N, M), where
                                     that is quicker than `statistics` of all pairs (`tertium.metrics.pairs`).
    aggregated_statistics(candidates, references, weights)
                                     the rows of each candidate with the mean of the references, (N, k): what is
                                     averaged is the metric's to say. Without it there is no reference aggregation.
    details(total)                   what a score is made of; else the columns' sums.
    rows_depend_on_all_references    true where a segment's row depends on other segments' references, as NIST's do by
                                     its information weights: rows of one test set still add, those of two cannot be
                                     put together.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tertium.data.segments import AnyReferences, Paired
from tertium.errors import InputError
from tertium.native import Rows, Segments

__all__ = ["AnyReferences", "Metric", "Texts", "details", "rows_of_systems"]

Texts = Sequence[str] | Sequence[Sequence[str]]
"""Texts, or lists of tokens, that belong to one sentence."""


@runtime_checkable
class Metric(Protocol):
    """The two methods, and what a metric declares about itself."""

    name: ClassVar[str]
    higher_is_better: ClassVar[bool]

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest score there is."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the k statistics."""
        ...

    def statistics(self, hypotheses: Segments, references: Any, *, threads: int = 0) -> Rows:
        """One row of k addable statistics for each segment."""
        ...

    def score(self, total: Rows) -> NDArray[np.float64]:
        """The score of summed rows, vectorised over all leading axes."""
        ...


@runtime_checkable
class OfSystems(Protocol):
    """A metric that reads the references once for several systems."""

    def statistics_of_systems(self, systems: Sequence[Segments], references: Any, *, threads: int = 0) -> Rows:
        """The rows of several systems on the same references, (systems, segments, k)."""
        ...


@runtime_checkable
class Pairwise(Protocol):
    """A metric that has a quick way to compare each text of a list with each of another."""

    def pairwise(self, candidates: Texts, references: Texts, *, threads: int = 0) -> NDArray[np.float64]:
        """The score of each candidate against each reference, (candidates, references)."""
        ...


@runtime_checkable
class Aggregating(Protocol):
    """A metric that can take the mean of many references for one."""

    def aggregated_statistics(self, candidates: Texts, references: Texts, weights: NDArray[np.float64]) -> Rows:
        """The rows of each candidate with the mean of the references, (candidates, k); the weights sum to one."""
        ...


def rows_of_systems(metric: Metric, paired: Paired, *, threads: int = 0) -> Rows:
    """The rows of systems under any metric, (systems, segments, k); what it needs and was not given is an error."""
    needs = getattr(metric, "needs", {"references"})
    for what in sorted(needs):
        if getattr(paired, what) is None:
            raise InputError(f"{metric.name} needs {what}: pass {what}=")
    source: dict[str, Any] = {"source": paired.source} if "source" in needs else {}
    if isinstance(metric, OfSystems):
        return metric.statistics_of_systems(paired.systems, paired.references, threads=threads, **source)
    each = [metric.statistics(texts, paired.references, threads=threads, **source) for texts in paired.systems]
    return np.stack(each)


def details(metric: Metric, total: Rows) -> dict[str, Any]:
    """What a score is made of: as the metric says, or the sums of its columns."""
    own = getattr(metric, "details", None)
    return own(total) if own else dict(zip(metric.columns, np.asarray(total).tolist(), strict=True))
