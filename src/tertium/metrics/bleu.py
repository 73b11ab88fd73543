"""BLEU (Papineni et al., 2002): how many n-grams of the translation stand in a reference.

BLEU = 100 BP exp(sum_n w_n log p_n),   p_n = clipped matches of order n / n-grams of order n
BP   = exp(1 - r/c) where the hypothesis length c is below the reference length r, else 1
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium import native
from tertium.data.segments import pair_systems
from tertium.metrics.protocol import AnyReferences
from tertium.metrics.signature import spelled
from tertium.native import Rows, Segments
from tertium.text import prepare


@spelled
@dataclass(frozen=True, repr=False)
class BLEU:
    """BLEU with sacreBLEU's tokenizers and smoothing.

    >>> BLEU().score(BLEU().statistics(["the cat is on the mat"], ["the cat is on the mat"])).tolist()
    [100.0]
    """

    order: int = 4
    tokenize: str = "13a"
    lowercase: bool = False
    smoothing: str = "exp"
    effective_order: bool = False
    length: str = "closest"

    name: ClassVar[str] = "bleu"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    higher_is_better: ClassVar[bool] = True

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.order + 1)
        return (
            "hypothesis_length",
            "reference_length",
            *(f"matches_{n}" for n in orders),
            *(f"total_{n}" for n in orders),
        )

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        rows: Rows = self.statistics_of_systems([hypotheses], references, threads=threads)[0]
        return rows

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        texts, prepared = pair_systems(systems, references)
        ready = prepare([*texts, *prepared.streams], self.tokenize, lowercase=self.lowercase)
        return native.bleu_statistics(
            ready.corpora[: len(texts)],
            ready.corpora[len(texts) :],
            tokenizer=ready.tokenizer,
            lowercase=ready.lowercase,
            order=self.order,
            length=self.length,
            threads=threads,
        )

    def score(self, total: Rows) -> NDArray[np.float64]:
        lengths, references = total[..., 0], total[..., 1]
        matches, totals = total[..., 2 : 2 + self.order], total[..., 2 + self.order :]
        halvings = np.cumsum((matches == 0) & (totals > 0), axis=-1)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            precisions = np.where(matches > 0, matches, 0.5**halvings) / totals
            logs = np.where(totals > 0, np.log(precisions), -np.inf)
            brevity = np.where(lengths < references, np.exp(1 - references / lengths), 1.0)
            scores = 100.0 * brevity * np.exp(logs.mean(axis=-1))
        return np.where(matches.any(axis=-1), scores, 0.0)

    def details(self, total: Rows) -> dict[str, Any]:
        return dict(zip(self.columns, total.tolist(), strict=True))
