"""BLEU (Papineni et al., 2002): how many n-grams of the translation stand in a reference.

    BLEU = 100 BP exp(sum_n w_n log p_n),   p_n = clipped matches of order n / n-grams of order n
    BP   = exp(1 - r/c) where the hypothesis length c is below the reference length r, else 1

An n-gram matches as often as it occurs in the hypothesis, but no more often than in that reference which has it most.
The reference length of a segment is the one closest to the hypothesis (the shorter of two equally close), or the
shortest or the average of its references. All counts are summed over the segments before the formula is applied.

The defaults are sacreBLEU's, whose scores this equals. Smoothings named nltk0 to nltk7 follow NLTK instead
(`tertium.metrics.smoothing` says how they differ); NLTK's scores are ours over 100, and its method 5 rises above 1
for a perfect translation. `effective_order` stops at the highest order the hypothesis has n-grams of and shares the
weights of the others out; it is meant for segment scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium import native
from tertium.data.segments import both_sides
from tertium.errors import OptionError, UnknownName
from tertium.metrics.pairs import in_blocks
from tertium.metrics.protocol import AnyReferences, Texts
from tertium.metrics.smoothing import NEXT_ORDER, SMOOTHINGS, Counts, precisions
from tertium.metrics.tokens import token_input
from tertium.native import Corpus, Rows, Segments
from tertium.native.pairwise import bleu_aggregated, bleu_pairwise
from tertium.spelling import spelled
from tertium.text import prepare

LENGTHS = ("closest", "shortest", "average")
DIVIDES_BY_VALUE = ("nltk4", "nltk6", "nltk7")  # smoothings whose value cannot be 0
MOST_ORDERS = 1000  # an n-gram longer than that is a mistake in an option, and would cost memory


@spelled
@dataclass(frozen=True, repr=False)
class BLEU:
    """BLEU with sacreBLEU's tokenizers and smoothing, or with NLTK's smoothing.

    >>> metric = BLEU()
    >>> rows = metric.statistics(["the cat is on a mat"], [["the cat is on the mat", "a cat is here"]])
    >>> rows.astype(int).tolist()  # lengths, matches of order 1 to 4, totals
    [[6, 6, 6, 3, 2, 1, 6, 5, 4, 3]]
    >>> round(float(metric.score(rows[0])), 2)  # 100 (6/6 3/5 2/4 1/3) ** (1/4)
    56.23
    """

    order: int = 4
    weights: tuple[float, ...] | None = None  # one for each order; None: all alike
    tokenize: str = "13a"
    lowercase: bool = False
    smoothing: str = "exp"
    smoothing_value: float | None = None  # None: the smoothing's own default
    effective_order: bool = False
    length: str = "closest"

    name: ClassVar[str] = "bleu"
    higher_is_better: ClassVar[bool] = True
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"smoothing": tuple(SMOOTHINGS), "length": LENGTHS}

    def __post_init__(self) -> None:
        if not 1 <= self.order <= MOST_ORDERS:
            raise OptionError(f"bleu: order is {self.order}; it must be from 1 to {MOST_ORDERS}")
        if self.weights is not None and len(self.weights) != self.order:
            raise OptionError(f"bleu: {len(self.weights)} weights for order {self.order}: give one for each order")
        if self.weights is not None and not (all(0 <= w <= 1e9 for w in self.weights) and sum(self.weights) > 0):
            raise OptionError(f"bleu: weights {self.weights} must be from 0 to 1e9, and not all of them 0")
        if self.smoothing not in SMOOTHINGS:
            raise UnknownName("smoothing", self.smoothing, SMOOTHINGS)
        if self.smoothing_value is not None and SMOOTHINGS[self.smoothing] is None:
            raise OptionError(f"bleu: smoothing {self.smoothing} takes no smoothing_value: leave it out")
        least = 0.0 if self.smoothing not in DIVIDES_BY_VALUE else 1e-9
        if self.smoothing_value is not None and not least <= self.smoothing_value < np.inf:
            raise OptionError(
                f"bleu: smoothing_value is {self.smoothing_value}; {self.smoothing} takes {least:g} or more"
            )
        if self.length not in LENGTHS:
            raise UnknownName("reference length", self.length, LENGTHS)

    @property
    def bounds(self) -> tuple[float, float]:
        """0 to 100; some smoothings give precisions above 1."""
        value = SMOOTHINGS[self.smoothing] if self.smoothing_value is None else self.smoothing_value
        above = {"floor": value, "nltk1": value, "nltk4": np.inf, "nltk5": np.inf, "nltk7": np.inf}
        return (0.0, 100.0 if (above.get(self.smoothing) or 0.0) <= 1 else np.inf)

    @property
    def _by_nltk(self) -> bool:
        return self.smoothing.startswith("nltk")

    @property
    def _looks_ahead(self) -> bool:
        return self.smoothing in ("nltk5", "nltk7")

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths, matches and totals of each order; for NLTK's smoothings also segments too short for each order."""
        kinds = ("matches", "total", "short") if self._by_nltk else ("matches", "total")
        counts = [f"{kind}_{n}" for kind in kinds for n in range(1, self.order + 1)]
        ahead = ["next_matches", "next_total", "next_short"] if self._looks_ahead else []
        return ("hypothesis_length", "reference_length", *counts, *ahead)

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Lengths, clipped matches and totals of each segment."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems; the references are cut and counted once."""
        prepared = token_input(systems, references, self.tokenize, lowercase=self.lowercase)
        rows = native.bleu_statistics(
            prepared.systems,
            prepared.references,
            tokenizer=prepared.tokenizer,
            lowercase=prepared.lowercase,
            order=self._counted_order,
            length=self.length,
            threads=threads,
        )
        return self._own_rows(rows)

    def pairwise(self, candidates: Texts, references: Texts, *, threads: int = 0) -> NDArray[np.float64]:
        """The score of each candidate against each reference, (candidates, references)."""

        def score(some: Texts) -> NDArray[np.float64]:
            texts, others, options = self._cut(some, references)
            return self.score(self._own_rows(bleu_pairwise(texts, others, **options, threads=threads)))

        return in_blocks(score, candidates, len(self.columns) * len(references))

    def aggregated_statistics(self, candidates: Texts, references: Texts, weights: NDArray[np.float64]) -> Rows:
        """The rows of each candidate with the mean of the references: n-grams as often as they have them on average.

        Its length is their average length, whatever `length` says.
        """
        texts, others, options = self._cut(candidates, references)
        return self._own_rows(bleu_aggregated(texts, others, weights, **options))

    def _cut(self, candidates: Texts, references: Texts) -> tuple[Corpus, Corpus, dict[str, Any]]:
        """Both sides, cut here where the core cannot cut them, and the core's options."""
        ready = prepare(both_sides(candidates, references), self.tokenize, lowercase=self.lowercase)
        options = {"tokenizer": ready.tokenizer, "lowercase": ready.lowercase, "order": self._counted_order}
        return ready.corpora[0], ready.corpora[1], options

    @property
    def _counted_order(self) -> int:
        return max(self.order, NEXT_ORDER) if self._looks_ahead else self.order

    def _own_rows(self, rows: Rows) -> Rows:
        """The core's rows with the columns that NLTK's conventions need."""
        if not self._by_nltk:
            return rows
        order = self._counted_order
        matches, totals = rows[..., 2 : 2 + order], rows[..., 2 + order :]
        short = (totals == 0).astype(np.float64)
        parts = [rows[..., :2], *(kind[..., : self.order] for kind in (matches, totals, short))]
        if self._looks_ahead:
            parts += [kind[..., NEXT_ORDER - 1 : NEXT_ORDER] for kind in (matches, totals, short)]
        return np.concatenate(parts, axis=-1)

    def _counts(self, total: Rows) -> Counts:
        matches, totals = total[..., 2 : 2 + self.order], total[..., 2 + self.order : 2 + 2 * self.order]
        short = total[..., 2 + 2 * self.order : 2 + 3 * self.order] if self._by_nltk else np.zeros_like(totals)
        following = np.zeros(total.shape[:-1])
        if self._looks_ahead:
            denominators = total[..., -2] + total[..., -1]
            following = np.divide(total[..., -3], denominators, out=following, where=denominators > 0)
        return Counts(matches, totals, total[..., 0], short, following)

    def _brevity_penalty(self, total: Rows) -> NDArray[np.float64]:
        lengths, wanted = total[..., 0], total[..., 1]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.where(lengths < wanted, np.exp(1.0 - wanted / lengths), 1.0)

    def factors(self, total: Rows) -> NDArray[np.float64]:
        """What each order multiplies the score by, p_n to the power of its weight, (..., order).

        The score is 100 times the brevity penalty times their product, where anything matches.
        """
        counts = self._counts(total)
        smoothed = precisions(counts, self.smoothing, self.smoothing_value)
        return np.asarray(np.exp(self._weighted_logs(smoothed, counts.totals)))

    def _weighted_logs(self, smoothed: NDArray[np.float64], totals: NDArray[np.float64]) -> NDArray[np.float64]:
        weights = (
            np.full(self.order, 1.0 / self.order) if self.weights is None else np.asarray(self.weights, np.float64)
        )
        with np.errstate(divide="ignore"):
            logs = np.log(smoothed)
        if self._by_nltk:
            logs = np.where(smoothed > 0, logs, 0.0)
        if self.effective_order and not (reached := self._reached(totals)).all():
            used = weights * np.logical_and.accumulate(reached, axis=-1)
            share = used.sum(axis=-1, keepdims=True)
            weights = used * np.divide(weights.sum(), share, out=np.zeros_like(share), where=share != 0)
            logs = np.where(share != 0, logs, -np.inf)  # no order that counts is reached: no score
            weights = np.where(share != 0, weights, 1.0)
        with np.errstate(invalid="ignore"):
            return np.where(weights != 0, weights * logs, 0.0)

    def _reached(self, totals: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Orders that there are n-grams of; add-k adds to the totals of all but the first before it looks."""
        if self.smoothing != "add-k":
            return totals > 0
        added = 1.0 if self.smoothing_value is None else self.smoothing_value
        return totals + np.where(np.arange(self.order) > 0, added, 0.0) > 0

    def score(self, total: Rows) -> NDArray[np.float64]:
        """BLEU of summed rows, 0 where nothing matches at all."""
        counts = self._counts(total)
        smoothed = precisions(counts, self.smoothing, self.smoothing_value)
        scores = (
            100.0 * self._brevity_penalty(total) * np.exp(self._weighted_logs(smoothed, counts.totals).sum(axis=-1))
        )
        return np.where(counts.matches.any(axis=-1), scores, 0.0)

    def details(self, total: Rows) -> dict[str, Any]:
        """Smoothed precisions in per cent, counts and totals of each order, brevity penalty, lengths and their ratio.

        >>> metric = BLEU(order=2)
        >>> metric.details(metric.statistics(["a b c d"], ["a b d e"])[0])["precisions"][0]
        75.0
        """
        counts = self._counts(total)
        smoothed = precisions(counts, self.smoothing, self.smoothing_value)
        length, wanted = float(total[0]), float(total[1])
        return {
            "precisions": [100.0 * value if counts.matches.any() else 0.0 for value in smoothed.tolist()],
            "counts": [int(value) for value in counts.matches.tolist()],
            "totals": [int(value) for value in (counts.totals + counts.short).tolist()],
            "brevity_penalty": float(self._brevity_penalty(total)),
            "hypothesis_length": int(length),
            "reference_length": int(wanted) if wanted.is_integer() else wanted,
            "ratio": length / wanted if wanted else 0.0,
        }
