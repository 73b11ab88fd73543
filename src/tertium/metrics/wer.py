"""WER and CER: edits that turn the hypothesis into the reference, for each word or character of the reference.

    WER = 100 (substitutions + deletions + insertions) / reference words        CER: the same over characters

A deletion is a reference word that is missing, an insertion a word too many. The number of edits is the Levenshtein
distance, computed exactly for texts of any length. Often several shortest ways exist that differ in their kinds of
edits; jiwer's is counted: what both texts have in common at their ends is kept; in between, going back from the end,
the step is a deletion where that is on a shortest way, else an insertion where without this word the hypothesis was
nearer to this much of the reference than to one word less, else keeping or substituting.

With several references a segment's row is that of the one with the fewest edits (of several the longest, then the
first): both the edits and the length are its own, while TER divides by the average length.
A total with edits but no reference word scores 100, one with neither 0.

The scale is that of the other metrics here, 100 for a reference that is wrong in every word; more is possible, as the
hypothesis may be longer. jiwer's rates are ours over 100.
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
from tertium.metrics.tokens import token_input
from tertium.native import Rows, Segments
from tertium.spelling import spelled

COLUMNS = ("edits", "reference_length", "substitutions", "deletions", "insertions")


@spelled
@dataclass(frozen=True, repr=False)
class WER:
    """Word error rate; lower is better. Words are what stands between white space, or what `tokenize` finds.

    >>> metric = WER()
    >>> rows = metric.statistics(["the cat sat on mat"], ["the cat is on the mat"])
    >>> metric.score(rows).round(2).tolist(), metric.details(rows[0])["deletions"]
    ([33.33], 1)
    """

    tokenize: str = "none"
    lowercase: bool = False

    name: ClassVar[str] = "wer"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = False
    columns: ClassVar[tuple[str, ...]] = COLUMNS

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Edits, reference length and kinds of edits of each segment."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems; the references are cut once."""
        prepared = token_input(systems, references, self.tokenize, lowercase=self.lowercase)
        return native.wer_statistics(
            prepared.systems,
            prepared.references,
            tokenizer=prepared.tokenizer,
            lowercase=prepared.lowercase,
            threads=threads,
        )

    def score(self, total: Rows) -> NDArray[np.float64]:
        """100 edits / reference length."""
        return error_rate(total)

    def details(self, total: Rows) -> dict[str, Any]:
        """The edits, their kinds, and the reference length."""
        return _details(total)


@spelled
@dataclass(frozen=True, repr=False)
class CER:
    """Character error rate; lower is better. Characters are Unicode code points.

    White space at both ends of a text never counts. Inside it counts like any character, each one as it stands; with
    `whitespace=False` it does not count at all, so that only the letters matter and not where words are cut. Token
    lists are read as texts with one space between tokens.

    >>> metric = CER()
    >>> metric.score(metric.statistics(["gut, nicht?"], ["gut nicht!"])).tolist()
    [20.0]
    """

    lowercase: bool = False
    whitespace: bool = True

    name: ClassVar[str] = "cer"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = False
    columns: ClassVar[tuple[str, ...]] = COLUMNS

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Edits, reference length and kinds of edits of each segment."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems; the references are read once."""
        texts, prepared = pair_systems(systems, references)
        return native.cer_statistics(
            texts, prepared.streams, lowercase=self.lowercase, whitespace=self.whitespace, threads=threads
        )

    def score(self, total: Rows) -> NDArray[np.float64]:
        """100 edits / reference length."""
        return error_rate(total)

    def details(self, total: Rows) -> dict[str, Any]:
        """The edits, their kinds, and the reference length."""
        return _details(total)


def _details(total: Rows) -> dict[str, Any]:
    return {column: int(value) for column, value in zip(COLUMNS, total.tolist(), strict=True)}
