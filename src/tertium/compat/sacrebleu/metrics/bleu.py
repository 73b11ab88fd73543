"""BLEU (Papineni et al., 2002) with sacreBLEU's arguments and results."""

import logging
import math
from collections.abc import MutableSequence
from functools import lru_cache
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu.metrics.base import CoreMetric, Score, Signature, Streams
from tertium.compat.sacrebleu.tokenizers import BaseTokenizer
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import SchemeTokenizer
from tertium.compat.sacrebleu.utils import LOG_OF_ZERO, my_log
from tertium.errors import OptionError, UnknownName
from tertium.metrics.bleu import BLEU as TertiumBLEU

sacrelogger = logging.getLogger("sacrebleu")

MAX_NGRAM_ORDER = 4

_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}


def _get_tokenizer(name: str) -> type[BaseTokenizer]:
    """The class of a tokenizer; its module is imported now and not before."""
    if name not in _TOKENIZERS:
        raise UnknownName("tokenizer", name, _TOKENIZERS)
    module, attribute = _TOKENIZERS[name].split(".")
    cls: type[BaseTokenizer] = getattr(import_module(f"tertium.compat.sacrebleu.tokenizers.{module}"), attribute)
    return cls


@lru_cache(maxsize=64)
def _core_bleu(order: int, tokenize: str, lowercase: bool) -> TertiumBLEU:
    return TertiumBLEU(order=order, tokenize=tokenize, lowercase=lowercase)


class BLEUSignature(Signature):
    """BLEU's items: case, effective order, tokenizer, smoothing."""

    _OWN: ClassVar[dict[str, str]] = {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}

    def __init__(self, args: Any) -> None:
        super().__init__(args)
        smoothing, value = args["smooth_method"], args["smooth_value"]
        default = BLEU.SMOOTH_DEFAULTS[smoothing]
        if default is not None:
            smoothing += f"[{default if value is None else value:.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smoothing,
        }


class BLEUScore(Score):
    """A BLEU score and all it is made of."""

    def __init__(
        self,
        score: float,
        counts: Any,
        totals: Any,
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


class BLEU(CoreMetric):
    """BLEU with sacreBLEU's options.

    >>> BLEU(lowercase=True).corpus_score(["the dog bit the man."], [["The dog bit the man."]]).score
    100.00000000000004
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Streams | None = None,
    ) -> None:
        super().__init__()
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        _check_smoothing(smooth_method)
        usual = self._TOKENIZER_MAP.get(trg_lang)
        if tokenize is None:
            tokenize = usual or self.TOKENIZER_DEFAULT
        elif usual and tokenize != usual:
            sacrelogger.warning(
                f"Texts in {trg_lang!r} are usually cut by the tokenizer {usual!r} or 'spm', not {tokenize!r}."
            )
        self.tokenizer = _get_tokenizer(tokenize)()
        self.tokenizer_signature = self.tokenizer.signature()
        if references is not None:
            self._ref_cache = self._cache_references(references)

    @property
    def _counts_raw_text(self) -> bool:  # type: ignore[override]
        return isinstance(self.tokenizer, SchemeTokenizer)

    def _core(self, preprocessed: bool = False) -> TertiumBLEU:
        if preprocessed or not isinstance(self.tokenizer, SchemeTokenizer):
            return _core_bleu(self.max_ngram_order, "none", False)
        return _core_bleu(self.max_ngram_order, self.tokenizer.spelling, self.lowercase)

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())

    @staticmethod
    def compute_bleu(
        correct: MutableSequence[Any],
        total: MutableSequence[Any],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU from its counts. Smoothing `add-k` changes `correct` and `total` in place, as sacreBLEU's does.

        >>> BLEU.compute_bleu([9, 7, 5, 3], [10, 8, 6, 4], 11, 11).prec_str
        '90.0/87.5/83.3/75.0'
        """
        _check_smoothing(smooth_method)
        if smooth_value is None:
            smooth_value = BLEU.SMOOTH_DEFAULTS[smooth_method]
        penalty = 1.0
        if sys_len < ref_len:
            penalty = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        precisions = [0.0] * max_ngram_order
        if not any(correct):
            return BLEUScore(0.0, correct, total, precisions, penalty, sys_len, ref_len)
        halvings, reached = 1.0, max_ngram_order
        for n in range(max_ngram_order):
            if smooth_method == "add-k" and n > 0:
                correct[n] += smooth_value
                total[n] += smooth_value
            if total[n] == 0:
                break
            if effective_order:
                reached = n + 1
            if correct[n]:
                precisions[n] = 100.0 * correct[n] / total[n]
            elif smooth_method == "exp":
                halvings *= 2
                precisions[n] = 100.0 / (halvings * total[n])
            elif smooth_method == "floor":
                precisions[n] = 100.0 * smooth_value / total[n]  # type: ignore[operator]
        score = penalty * math.exp(sum([my_log(precision) for precision in precisions[:reached]]) / reached)
        return BLEUScore(score, correct, total, precisions, penalty, sys_len, ref_len)

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        counts = stats
        if isinstance(stats, np.ndarray) and stats.dtype == np.float64:
            counts = stats.astype(np.int64).tolist()  # whole numbers all
        order = self.max_ngram_order
        return self.compute_bleu(
            counts[2 : 2 + order],
            counts[2 + order :],
            int(counts[0]),
            int(counts[1]),
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            order,
        )

    def _scores_of_totals(self, totals: NDArray[Any]) -> NDArray[np.float64]:
        # The formula of compute_bleu on arrays, step by step in the precision that sacreBLEU's numpy scalars have.
        order = self.max_ngram_order
        correct, total = totals[..., 2 : 2 + order], totals[..., 2 + order :]
        value = self.SMOOTH_DEFAULTS[self.smooth_method] if self.smooth_value is None else self.smooth_value
        found = correct.any(axis=-1)
        if self.smooth_method == "add-k":
            added = np.array([0] + [value] * (order - 1))
            # whole numbers stay whole: sacreBLEU adds k in place
            correct, total = (correct + added).astype(totals.dtype), (total + added).astype(totals.dtype)
        reached = np.logical_and.accumulate(total != 0, axis=-1)
        missed = reached & (correct == 0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            precisions = 100.0 * correct / total
            if self.smooth_method == "exp":
                halvings = np.exp2(np.cumsum(missed, axis=-1)).astype(precisions.dtype)
                precisions = np.where(missed, 100.0 / (halvings * total), precisions)
            elif self.smooth_method == "floor":
                precisions = np.where(missed, 100.0 * value / total, precisions)  # type: ignore[operator]
            precisions = np.where(reached, precisions, 0).astype(np.float64)
            logs = np.where(precisions == 0, LOG_OF_ZERO, np.log(precisions))
            orders: Any = order
            if self.effective_order:
                orders = np.maximum(reached.sum(axis=-1), 1)
                logs = np.where(reached, logs, 0.0)
            lengths, references = totals[..., 0].astype(np.int64), totals[..., 1].astype(np.int64)
            penalty = np.where(lengths < references, np.exp(1 - references / lengths), 1.0)
            scores = penalty * np.exp(logs.sum(axis=-1) / orders)
        return np.where(found, scores, 0.0)

    def sentence_score(self, hypothesis: str, references: Any) -> BLEUScore:
        if not self.effective_order:
            sacrelogger.warning("Sentence-level BLEU is better computed with `effective_order` on.")
        score: BLEUScore = super().sentence_score(hypothesis, references)
        return score


def _check_smoothing(method: str) -> None:
    if method not in BLEU.SMOOTH_DEFAULTS:
        raise OptionError(f"smooth_method cannot be {method!r}: it takes {', '.join(BLEU.SMOOTH_DEFAULTS)}")
