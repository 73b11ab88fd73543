"""Precision, recall and F1 over single tokens: what is wrong with them is why BLEU is as it is.

    precision = 100 matching tokens of the hypothesis / its tokens
    recall    = 100 matching tokens of the reference / its tokens
    F1        = 2 precision recall / (precision + recall)

Naively a token matches if the other text has it at all, so "the the the the" has a precision of 100. Clipped, it
matches no more often than the other text has it: clipped precision is BLEU's p_1. Both forget the order of words.

Several references: precision looks for a token in all of them (clipped: in the one that has it most), as in Papineni et
al. (2002); recall and F1 take the reference that gives the segment most. A corpus adds up numerators and denominators.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium import native
from tertium.metrics.best_reference import best_reference
from tertium.metrics.protocol import AnyReferences
from tertium.metrics.ratios import ratio
from tertium.metrics.tokens import token_input
from tertium.native import Rows, Segments
from tertium.spelling import spelled


@spelled
@dataclass(frozen=True, repr=False)
class Precision:
    """The share of the hypothesis's tokens that a reference has.

    >>> rows = Precision().statistics(["the the the the"], ["the cat is on the mat"])
    >>> clipped = Precision(clipped=True).statistics(["the the the the"], ["the cat is on the mat"])
    >>> rows.tolist(), clipped.tolist()
    ([[4.0, 4.0]], [[2.0, 4.0]])
    """

    clipped: bool = False
    tokenize: str = "13a"
    lowercase: bool = False

    name: ClassVar[str] = "precision"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    higher_is_better: ClassVar[bool] = True

    @property
    def columns(self) -> tuple[str, ...]:
        """Matching tokens, and all tokens of the hypothesis."""
        return ("matches", "hypothesis_length")

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Matching and all tokens of each hypothesis."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems."""
        if not self.clipped:
            overlaps = _overlaps(self, systems, references, "anywhere", threads)
            return np.asarray(np.maximum(overlaps[..., [0, 2]].max(axis=-2), 0.0))
        ready = token_input(systems, references, self.tokenize, lowercase=self.lowercase)
        rows = native.bleu_statistics(
            ready.systems,
            ready.references,
            tokenizer=ready.tokenizer,
            lowercase=ready.lowercase,
            order=1,
            threads=threads,
        )
        return np.ascontiguousarray(rows[..., 2:])

    def score(self, total: Rows) -> NDArray[np.float64]:
        """Precision of summed rows, 0 where there are no tokens."""
        return 100.0 * ratio(total[..., 0], total[..., 1])

    def details(self, total: Rows) -> dict[str, Any]:
        """The counts."""
        return _counts(self, total)


@spelled
@dataclass(frozen=True, repr=False)
class Recall:
    """The share of the reference's tokens that the hypothesis has.

    >>> Recall().statistics(["the cat"], [["the cat is on the mat", "a dog"]]).tolist()  # the, cat, the of six
    [[3.0, 6.0]]
    """

    clipped: bool = False
    tokenize: str = "13a"
    lowercase: bool = False

    name: ClassVar[str] = "recall"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    higher_is_better: ClassVar[bool] = True

    @property
    def columns(self) -> tuple[str, ...]:
        """Matching tokens, and all tokens of the reference."""
        return ("matches", "reference_length")

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Matching and all tokens of the reference that each hypothesis recalls most of."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems."""
        overlaps = _overlaps(self, systems, references, "ngrams" if self.clipped else "occurrences", threads)
        best = best_reference(overlaps, ratio(overlaps[..., 1], overlaps[..., 3]))
        return np.ascontiguousarray(best[..., [1, 3]])

    def score(self, total: Rows) -> NDArray[np.float64]:
        """Recall of summed rows, 0 where there are no tokens."""
        return 100.0 * ratio(total[..., 0], total[..., 1])

    def details(self, total: Rows) -> dict[str, Any]:
        """The counts."""
        return _counts(self, total)


@spelled
@dataclass(frozen=True, repr=False)
class F1:
    """The harmonic mean of precision and recall with the same reference.

    >>> metric = F1()
    >>> round(metric.score(metric.statistics(["the cat"], ["the cat is on the mat"])[0]).item(), 1)  # of 2/2 and 3/6
    66.7
    """

    clipped: bool = False
    tokenize: str = "13a"
    lowercase: bool = False

    name: ClassVar[str] = "f1"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    higher_is_better: ClassVar[bool] = True

    @property
    def columns(self) -> tuple[str, ...]:
        """Tokens of hypothesis and reference that match, and all of them."""
        return ("hypothesis_matches", "reference_matches", "hypothesis_length", "reference_length")

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Matching and all tokens of each hypothesis and its best reference."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems."""
        overlaps = _overlaps(self, systems, references, "ngrams" if self.clipped else "occurrences", threads)
        return best_reference(overlaps, self.score(overlaps))

    def score(self, total: Rows) -> NDArray[np.float64]:
        """F1 of summed rows, 0 where nothing matches."""
        precision = ratio(total[..., 0], total[..., 2])
        recall = ratio(total[..., 1], total[..., 3])
        return 200.0 * ratio(precision * recall, precision + recall)

    def details(self, total: Rows) -> dict[str, Any]:
        """The counts, precision and recall."""
        shares = 100.0 * ratio(total[:2], total[2:])
        return {**_counts(self, total), "precision": float(shares[0]), "recall": float(shares[1])}


def _overlaps(
    metric: "Precision | Recall | F1", systems: Sequence[Segments], references: AnyReferences, rule: str, threads: int
) -> Rows:
    """What each hypothesis shares with each reference by a rule of the core."""
    ready = token_input(systems, references, metric.tokenize, lowercase=metric.lowercase)
    return native.overlap_statistics(
        ready.systems,
        ready.references,
        tokenizer=ready.tokenizer,
        lowercase=ready.lowercase,
        rule=rule,
        threads=threads,
    )


def _counts(metric: "Precision | Recall | F1", total: Rows) -> dict[str, Any]:
    return {column: int(value) for column, value in zip(metric.columns, total.tolist(), strict=True)}
