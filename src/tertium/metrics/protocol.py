"""What a metric is: rows that add, and a formula over their sum.

    statistics(hypotheses, references) -> float64 (segments, k)
    score(total (..., k)) -> float64 (...)

From these two come corpus scores `score(rows.sum(0))`, segment scores `score(rows)`, bootstrap `score(draws @ rows)`,
paired tests, scores of documents and buckets, and sums over many machines. A learned metric has k = 2: (score, 1).

Where the rows of a segment depend on other segments' references, as NIST's do by its information weights, the class
says so by `rows_depend_on_all_references = True`: rows of one test set still add, those of two cannot be put
together.

A metric is a frozen dataclass: options in fields, no state. `repr` is its spelling on the command line.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tertium.data.segments import References
from tertium.native import Rows, Segments

AnyReferences = References | Sequence[Any]


@runtime_checkable
class Metric(Protocol):
    """The two methods, and what a metric declares about itself."""

    name: ClassVar[str]
    bounds: ClassVar[tuple[float, float]]
    higher_is_better: ClassVar[bool]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the k statistics."""
        ...

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """One row of k addable statistics for each segment."""
        ...

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems on the same references, (systems, segments, k); the references are read once."""
        ...

    def score(self, total: Rows) -> NDArray[np.float64]:
        """The score of summed rows, vectorised over all leading axes."""
        ...

    def details(self, total: Rows) -> dict[str, Any]:
        """What the score is made of, for one total (k,)."""
        ...
