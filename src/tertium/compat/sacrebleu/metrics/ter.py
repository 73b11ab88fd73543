"""TER (Snover et al., 2006) with sacreBLEU's arguments and results."""

from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu.metrics.base import CoreMetric, Score, Signature, Streams
from tertium.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from tertium.metrics.ter import TER as TertiumTER


@lru_cache(maxsize=32)
def _core_ter(normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool) -> TertiumTER:
    return TertiumTER(
        normalized=normalized, no_punct=no_punct, asian_support=asian_support, case_sensitive=case_sensitive
    )


class TERSignature(Signature):
    """TER's items: case, tokenizer, normalisation, punctuation, Asian scripts."""

    _OWN: ClassVar[dict[str, str]] = {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}

    def __init__(self, args: Any) -> None:
        super().__init__(args)
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """A TER score, the edits and the (average) reference length it is the ratio of."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(CoreMetric):
    """TER with sacreBLEU's options.

    >>> TER().sentence_score("d e f g h a b c", ["a b c d e f g h"])
    TER = 12.50
    """

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Streams | None = None,
    ) -> None:
        super().__init__()
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _core(self, preprocessed: bool = False) -> TertiumTER:
        if preprocessed:
            return _core_ter(False, False, False, True)
        return _core_ter(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _compute_score_from_stats(self, stats: Any) -> TERScore:
        edits, length = stats.tolist() if isinstance(stats, np.ndarray) else stats
        rate = edits / length if length > 0 else float(edits > 0)
        return TERScore(100 * rate, edits, length)

    def _scores_of_totals(self, totals: NDArray[Any]) -> NDArray[Any]:
        edits, lengths = totals[..., 0], totals[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = 100 * (edits / lengths)
        return np.where(lengths > 0, rates, 100 * (edits > 0)).astype(rates.dtype)
