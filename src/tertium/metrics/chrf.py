"""chrF (Popović, 2015) and chrF++ (Popović, 2017): F-score over character and word n-grams.

    P_n = matches_n / hypothesis_n,   R_n = matches_n / reference_n
    chrF = 100 (1 + beta²) P R / (beta² P + R),   P, R: means over the orders that both texts reach

`words=0` is chrF, `words=1` chrF+, `words=2` chrF++. Counted as sacreBLEU counts: the hypothesis count is 0 where the
reference has no n-gram of that order; with several references the first one with the best segment score gives the row.
`eps_smoothing` averages the F-scores of all orders instead, with 1e-16 for an undefined ratio, as chrF++.py, NLTK and
Moses do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium import native
from tertium.data.segments import both_sides, pair_systems
from tertium.errors import OptionError
from tertium.metrics.protocol import AnyReferences, Texts
from tertium.native import Rows, Segments
from tertium.native.pairwise import chrf_aggregated, chrf_pairwise
from tertium.spelling import spelled

MOST_ORDERS = 100  # an n-gram longer than that is a mistake in an option, and would cost gigabytes
LARGEST_BETA = 1e6  # recall alone by then; its square must stay a number
UNDEFINED = 1e-16  # what eps smoothing puts for a ratio with nothing below the line


@spelled
@dataclass(frozen=True, repr=False)
class CHRF:
    """chrF with character n-grams up to `order` and word n-grams up to `words`; `beta` weighs recall.

    >>> metric = CHRF(words=2)
    >>> round(metric.score(metric.statistics(["a cat sat"], ["the cat sat"])).item(), 2)
    55.0
    """

    order: int = 6
    words: int = 0
    beta: float = 2.0
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    name: ClassVar[str] = "chrf"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    higher_is_better: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.order > MOST_ORDERS or self.words > MOST_ORDERS:
            raise OptionError(f"chrf: order={self.order}, words={self.words}; both must be at most {MOST_ORDERS}")
        if self.order < 0 or self.words < 0:
            raise OptionError(f"chrf: order={self.order}, words={self.words}; both must be 0 or more")
        if self.order + self.words == 0:
            raise OptionError("chrf needs n-grams to count: order=0 and words=0 leave none")
        if not 0 < self.beta <= LARGEST_BETA:
            raise OptionError(f"chrf: beta is {self.beta}; it must be above 0 and at most {LARGEST_BETA:g}")

    @property
    def columns(self) -> tuple[str, ...]:
        """N-grams of hypothesis and reference and their matches, for each order of characters, then of words."""
        orders = [f"character_{n}" for n in range(1, self.order + 1)] + [f"word_{n}" for n in range(1, self.words + 1)]
        return tuple(f"{kind}_{order}" for order in orders for kind in ("hypothesis", "reference", "matches"))

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """N-grams and matches of each segment with its best reference."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems; the references are counted once."""
        texts, prepared = pair_systems(systems, references)
        return native.chrf_statistics(
            texts,
            prepared.streams,
            **self._counted,
            beta=self.beta,
            eps_smoothing=self.eps_smoothing,
            threads=threads,
        )

    def pairwise(self, candidates: Texts, references: Texts, *, threads: int = 0) -> NDArray[np.float64]:
        """The score of each candidate against each reference, (candidates, references)."""
        return chrf_pairwise(
            *both_sides(candidates, references),
            **self._counted,
            beta=self.beta,
            eps_smoothing=self.eps_smoothing,
            threads=threads,
        )

    def aggregated_statistics(self, candidates: Texts, references: Texts, weights: NDArray[np.float64]) -> Rows:
        """The rows of each candidate with the mean of the references: n-grams as often as they have them on average."""
        return chrf_aggregated(*both_sides(candidates, references), weights, **self._counted)

    @property
    def _counted(self) -> dict[str, Any]:
        """The options that say what is counted."""
        return {
            "characters": self.order,
            "words": self.words,
            "lowercase": self.lowercase,
            "whitespace": self.whitespace,
        }

    def score(self, total: Rows) -> NDArray[np.float64]:
        """chrF of summed rows, 0 where no order is reached by both texts."""
        precision, recall, reached = self._ratios(total)
        factor = self.beta**2
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.eps_smoothing:
                below = factor * precision + recall
                scores = np.where(below > 0, (1 + factor) * precision * recall / below, UNDEFINED)
                return np.asarray(100 * scores.mean(axis=-1))
            orders = reached.sum(axis=-1)
            mean_precision = np.where(reached, precision, 0).sum(axis=-1) / orders
            mean_recall = np.where(reached, recall, 0).sum(axis=-1) / orders
            scores = (1 + factor) * mean_precision * mean_recall / (factor * mean_precision + mean_recall)
        return np.where((orders > 0) & (mean_precision + mean_recall > 0), 100 * scores, 0.0)

    def details(self, total: Rows) -> dict[str, Any]:
        """Precision and recall of each order in per cent, and the counts."""
        precision, recall, reached = self._ratios(total)
        return {
            "precisions": np.where(reached, 100 * precision, 0.0).tolist(),
            "recalls": np.where(reached, 100 * recall, 0.0).tolist(),
            "hypothesis_counts": total[0::3].tolist(),
            "reference_counts": total[1::3].tolist(),
            "matches": total[2::3].tolist(),
        }

    @staticmethod
    def _ratios(total: Rows) -> tuple[Rows, Rows, NDArray[np.bool_]]:
        """Precision and recall of each order, and which orders both texts reach."""
        hypothesis, reference, matches = total[..., 0::3], total[..., 1::3], total[..., 2::3]
        precision = np.divide(matches, hypothesis, where=hypothesis > 0, out=np.full(matches.shape, UNDEFINED))
        recall = np.divide(matches, reference, where=reference > 0, out=np.full(matches.shape, UNDEFINED))
        return precision, recall, (hypothesis > 0) & (reference > 0)
