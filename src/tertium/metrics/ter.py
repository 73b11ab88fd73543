"""TER (Snover et al., 2006): edits and block moves that turn the translation into a reference, for each reference word.

    TER = 100 edits / reference length,   edits = insertions + deletions + substitutions + shifts

A shift moves a block of words at the cost of one edit. The best set of shifts is not known to be computable in
reasonable time; tercom searches greedily, and its search is part of the metric's definition. This is edit for edit the
search of sacreBLEU's port of tercom (cpp/ter.hpp describes it): blocks of at most 10 words, at most 50 words apart, at
most 1,000 candidates a segment, and an edit distance within a beam of 25 words around the diagonal.

With several references the edits are those of the nearest one, and the reference length is the average of all. An empty
reference takes as many edits as the translation has words, and 100 is the score of a total with edits but no reference
word; 0 that of a total with neither.

Texts are tokenised as sacreBLEU does, which runs its tokenizer over hypotheses once and over references twice. With
`normalized` the second run can cut more: the first makes "it's ," of "it's,", and the second "it 's ,". Token lists are
lower-cased unless `case_sensitive`, and the other options do nothing to them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium import native
from tertium.data.segments import pair_systems
from tertium.metrics.protocol import AnyReferences
from tertium.metrics.ratios import error_rate
from tertium.native import Rows, Segments
from tertium.spelling import spelled


@spelled
@dataclass(frozen=True, repr=False)
class TER:
    """Translation edit rate; lower is better. The options are those of tercom's tokenizer (`tertium.text.tercom`).

    >>> metric = TER()
    >>> rows = metric.statistics(["on the mat the cat sat"], ["the cat sat on the mat"])  # one shift of three words
    >>> rows.tolist(), metric.score(rows).round(2).tolist()
    ([[1.0, 6.0]], [16.67])
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    name: ClassVar[str] = "ter"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = False
    columns: ClassVar[tuple[str, ...]] = ("edits", "reference_length")

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Edits and average reference length of each segment."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems; the references are cut once."""
        texts, prepared = pair_systems(systems, references)
        return native.ter_statistics(
            texts,
            prepared.streams,
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
            threads=threads,
        )

    def score(self, total: Rows) -> NDArray[np.float64]:
        """100 edits / reference length."""
        return error_rate(total)

    def details(self, total: Rows) -> dict[str, Any]:
        """The edits and the average reference length."""
        return {"edits": int(total[0]), "reference_length": float(total[1])}
