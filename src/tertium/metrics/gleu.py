"""GLEU (Wu et al., 2016): the smaller of n-gram precision and recall, over n-grams of all orders together.

    GLEU = 100 matches / max(n-grams of the hypothesis, n-grams of the reference)

Matches are clipped. With several references a segment takes the one with the highest GLEU, the first among equals; a
corpus adds up numerators and denominators. That is NLTK's definition (its score is ours over 100), of which the paper
leaves several references and the corpus open. It was made to be used on single sentences, as a reward: it is symmetric
and has no brevity penalty.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium import native
from tertium.errors import OptionError
from tertium.metrics.best_reference import best_reference
from tertium.metrics.protocol import AnyReferences
from tertium.metrics.ratios import ratio
from tertium.metrics.tokens import token_input
from tertium.native import Rows, Segments
from tertium.spelling import spelled

MOST_ORDERS = 1000  # an n-gram longer than that is a mistake in an option, and would cost memory


@spelled
@dataclass(frozen=True, repr=False)
class GLEU:
    """GLEU over n-grams of `min_len` to `max_len` tokens.

    >>> metric = GLEU()
    >>> rows = metric.statistics(["the cat sat"], ["the cat is on"])
    >>> rows.tolist()  # the, cat, the cat; of 3 + 2 + 1 and 4 + 3 + 2 + 1 n-grams
    [[3.0, 6.0, 10.0, 10.0]]
    >>> metric.score(rows[0]).item()
    30.0
    """

    min_len: int = 1
    max_len: int = 4
    tokenize: str = "13a"
    lowercase: bool = False

    name: ClassVar[str] = "gleu"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    higher_is_better: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 1 <= self.min_len <= self.max_len <= MOST_ORDERS:
            raise OptionError(
                f"gleu: n-grams of {self.min_len} to {self.max_len} tokens; "
                f"it takes 1 <= min_len <= max_len <= {MOST_ORDERS}"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """Matches, n-grams of hypothesis and reference, and the larger of the two in each segment."""
        return ("matches", "hypothesis_ngrams", "reference_ngrams", "larger")

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Matches and n-grams of each segment with its best reference."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems."""
        overlaps = self.overlaps(systems, references, self.min_len, self.max_len, threads=threads)
        best = best_reference(overlaps, self.reference_scores(overlaps))
        return np.concatenate([best[..., :1], best[..., 2:], best[..., 2:].max(axis=-1, keepdims=True)], axis=-1)

    def overlaps(
        self,
        systems: Sequence[Segments],
        references: AnyReferences,
        shortest: int,
        longest: int,
        *,
        threads: int = 0,
    ) -> Rows:
        """What each hypothesis shares with each of its references in n-grams of some orders."""
        ready = token_input(systems, references, self.tokenize, lowercase=self.lowercase)
        return native.overlap_statistics(
            ready.systems,
            ready.references,
            tokenizer=ready.tokenizer,
            lowercase=ready.lowercase,
            shortest=shortest,
            longest=longest,
            threads=threads,
        )

    @staticmethod
    def reference_scores(overlaps: Rows) -> NDArray[np.float64]:
        """By what the reference is chosen. Two texts without n-grams are no candidate, even where nothing matches."""
        larger = np.maximum(overlaps[..., 2], overlaps[..., 3])
        return np.where(larger > 0, ratio(overlaps[..., 0], larger), -1.0)

    def score(self, total: Rows) -> NDArray[np.float64]:
        """GLEU of summed rows, 0 where there are no n-grams."""
        return 100.0 * ratio(total[..., 0], total[..., 3])

    def details(self, total: Rows) -> dict[str, Any]:
        """Matches, the n-grams of both sides, and the precision and recall they give, in per cent."""
        matches, hypothesis, reference, larger = total.tolist()
        return {
            "matches": int(matches),
            "hypothesis_ngrams": int(hypothesis),
            "reference_ngrams": int(reference),
            "larger": int(larger),
            "precision": 100.0 * matches / hypothesis if hypothesis else 0.0,
            "recall": 100.0 * matches / reference if reference else 0.0,
        }
