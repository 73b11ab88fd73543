"""chrF (Popović, 2015) and chrF++ (Popović, 2017) with sacreBLEU's arguments and results."""

from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from tertium.compat.sacrebleu.metrics.base import CoreMetric, Score, Signature, Streams
from tertium.metrics.chrf import CHRF as TertiumCHRF
from tertium.metrics.chrf import UNDEFINED


@lru_cache(maxsize=64)
def _core_chrf(order: int, words: int, beta: float, lowercase: bool, whitespace: bool, eps: bool) -> TertiumCHRF:
    return TertiumCHRF(order, words, beta, lowercase, whitespace, eps)


class CHRFSignature(Signature):
    """chrF's items: case, effective order, character and word orders, whitespace."""

    _OWN: ClassVar[dict[str, str]] = {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}

    def __init__(self, args: Any) -> None:
        super().__init__(args)
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }


class CHRFScore(Score):
    """A chrF score; a plus sign in its name for each order of word n-grams."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        super().__init__(f"chrF{beta}" + "+" * word_order, score)
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order


class CHRF(CoreMetric):
    """chrF with sacreBLEU's options.

    >>> CHRF(word_order=2).sentence_score("a cat", ["a cat"])
    chrF2++ = 100.00
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Streams | None = None,
    ) -> None:
        super().__init__()
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _core(self, preprocessed: bool = False) -> TertiumCHRF:
        lowercase = self.lowercase and not preprocessed
        return _core_chrf(self.char_order, self.word_order, self.beta, lowercase, self.whitespace, self.eps_smoothing)

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _f_beta(self, precision: Any, recall: Any) -> Any:
        factor = self.beta**2
        return (1 + factor) * precision * recall / (factor * precision + recall)

    def _compute_f_score(self, statistics: Any) -> float:
        """chrF from (hypothesis, reference, matches) of each order."""
        counts = statistics.tolist() if isinstance(statistics, np.ndarray) else statistics
        smoothed = precisions = recalls = 0.0
        reached = 0
        for n in range(0, 3 * self.order, 3):
            hypothesis, reference, matches = counts[n : n + 3]
            precision = matches / hypothesis if hypothesis > 0 else UNDEFINED
            recall = matches / reference if reference > 0 else UNDEFINED
            smoothed += self._f_beta(precision, recall) if precision + recall > 0 else UNDEFINED
            if hypothesis > 0 and reference > 0:
                precisions += precision
                recalls += recall
                reached += 1
        if self.eps_smoothing:
            return 100 * smoothed / self.order
        if not precisions + recalls:
            return 0.0
        return float(100 * self._f_beta(precisions / reached, recalls / reached))

    def _compute_score_from_stats(self, stats: Any) -> CHRFScore:
        return CHRFScore(self._compute_f_score(stats), self.char_order, self.word_order, self.beta)

    def _scores_of_totals(self, totals: Any) -> Any:
        # The formula of _compute_f_score on arrays: the same operations in the same order and precision.
        kind: Any = np.float32 if totals.dtype == np.float32 else np.float64
        smoothed, precisions, recalls, reached = (np.zeros(totals.shape[:-1], kind) for _ in range(4))
        with np.errstate(divide="ignore", invalid="ignore"):
            for n in range(0, 3 * self.order, 3):
                hypothesis, reference, matches = (totals[..., n + i] for i in range(3))
                precision = np.where(hypothesis > 0, matches / hypothesis, UNDEFINED).astype(kind)
                recall = np.where(reference > 0, matches / reference, UNDEFINED).astype(kind)
                smoothed += np.where(precision + recall > 0, self._f_beta(precision, recall), UNDEFINED)
                both = (hypothesis > 0) & (reference > 0)
                precisions += np.where(both, precision, 0)
                recalls += np.where(both, recall, 0)
                reached += both
            if self.eps_smoothing:
                return 100 * smoothed / self.order
            scores = 100 * self._f_beta(precisions / reached, recalls / reached)
        return np.where(precisions + recalls > 0, scores, 0.0).astype(kind)
