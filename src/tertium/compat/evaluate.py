"""Metrics in the manner of Hugging Face's `evaluate`: `load(name)`, then `compute(predictions=, references=)`.

The result is a dictionary with the keys and the scale that the module of that name has there:

    sacrebleu    score, counts, totals, precisions, bp, sys_len, ref_len                          0 to 100
    chrf         score, char_order, word_order, beta                                              0 to 100
    ter          score, num_edits, ref_length                                                     0 to 100 and more
    bleu         bleu, precisions, brevity_penalty, length_ratio, translation_length, reference_length      0 to 1
    google_bleu  google_bleu                                                                      0 to 1
    rouge        rouge1, rouge2, rougeL                                                           0 to 1
    wer, cer     the rate itself, a number                                                        0 to 1 and more

Any other metric of Tertium can be loaded by its spelling; its dictionary has `score` and its details. References are
given segment by segment, each a text or a list of texts; here the number of references may differ between segments.
Nothing is downloaded. Texts for `bleu` and `google_bleu` are cut by 13a, as there. `rouge` is the mean over the
segments, where that module gives the median of random resamples of it.

>>> load("sacrebleu").compute(predictions=["hello there"], references=[["hello there", "hi there"]])["counts"]
[2, 1, 0, 0]
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from tertium import registry
from tertium.compat import sacrebleu
from tertium.compat.nltk import brevity_penalty
from tertium.data.segments import References
from tertium.errors import InputError, OptionError
from tertium.metrics.bleu import BLEU
from tertium.metrics.gleu import GLEU
from tertium.metrics.rouge import ROUGE
from tertium.metrics.scoring import score
from tertium.metrics.wer import CER, WER

Compute = Callable[..., Any]


class EvaluationModule:
    """A metric that collects predictions and references until it is asked for its result."""

    def __init__(self, name: str, function: Compute) -> None:
        self.name = name
        self._function = function
        self._predictions: list[str] = []
        self._references: list[Any] = []

    def add(self, *, prediction: str, references: Any = None, reference: Any = None) -> None:
        """Add one segment."""
        self.add_batch(predictions=[prediction], references=[reference if references is None else references])

    def add_batch(self, *, predictions: Sequence[str], references: Sequence[Any]) -> None:
        """Add segments."""
        if len(predictions) != len(references):
            raise InputError(f"{len(predictions)} predictions, but references for {len(references)} segments")
        self._predictions.extend(predictions)
        self._references.extend(references)

    def compute(
        self, *, predictions: Sequence[str] | None = None, references: Sequence[Any] | None = None, **options: Any
    ) -> Any:
        """The result of everything added, together with what is given here; the module is empty afterwards."""
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions or [], references=references or [])
        texts, segments = self._predictions, [[r] if isinstance(r, str) else list(r) for r in self._references]
        self._predictions, self._references = [], []
        if not texts:
            raise InputError(f"{self.name} has nothing to score: add predictions and references first")
        return self._function(texts, segments, **options)


def load(path: str, config_name: str | None = None, **kwargs: Any) -> EvaluationModule:
    """The module of a name, or of the spelling of a metric of Tertium."""
    if path in MODULES:
        return EvaluationModule(path, MODULES[path])
    metric = registry.metric(path)

    def compute(predictions: list[str], references: list[list[str]]) -> dict[str, Any]:
        result = score(metric, predictions, References.from_segments(references))
        return {"score": result.score, **result.details}

    return EvaluationModule(path, compute)


def _streams(references: list[list[str]]) -> list[list[str | None]]:
    most = max(map(len, references))
    return [[texts[r] if r < len(texts) else None for texts in references] for r in range(most)]


def _sacrebleu(
    predictions: list[str],
    references: list[list[str]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> dict[str, Any]:
    metric = sacrebleu.BLEU(
        lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order
    )
    result = metric.corpus_score(predictions, _streams(references))
    keys = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {key: getattr(result, key) for key in keys}


def _chrf(
    predictions: list[str],
    references: list[list[str]],
    char_order: int = sacrebleu.CHRF.CHAR_ORDER,
    word_order: int = sacrebleu.CHRF.WORD_ORDER,
    beta: int = sacrebleu.CHRF.BETA,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> dict[str, Any]:
    metric = sacrebleu.CHRF(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
    result = metric.corpus_score(predictions, _streams(references))
    return {key: getattr(result, key) for key in ["score", "char_order", "word_order", "beta"]}


def _ter(
    predictions: list[str],
    references: list[list[str]],
    normalized: bool = False,
    ignore_punct: bool = False,
    support_zh_ja_chars: bool = False,
    case_sensitive: bool = False,
) -> dict[str, Any]:
    metric = sacrebleu.TER(normalized, ignore_punct, support_zh_ja_chars, case_sensitive)
    result = metric.corpus_score(predictions, _streams(references))
    return {key: getattr(result, key) for key in ["score", "num_edits", "ref_length"]}


def _cut(texts: list[Any], tokenizer: Callable[[str], Sequence[str]] | None) -> list[Any]:
    """Texts, or lists of them, cut by a function of the caller's."""
    if tokenizer is None:
        return texts
    return [_cut(text, tokenizer) if isinstance(text, list) else list(tokenizer(text)) for text in texts]


def _references(references: list[list[str]], tokenizer: Callable[[str], Sequence[str]] | None) -> References:
    return References.from_segments(_cut(references, tokenizer), tokenised=tokenizer is not None)


def _bleu(
    predictions: list[str],
    references: list[list[str]],
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> dict[str, Any]:
    # Its conventions: the shortest reference's length, and smoothing adds one to every order, the first included.
    rows = BLEU(order=max_order, length="shortest").statistics(
        _cut(predictions, tokenizer), _references(references, tokenizer)
    )
    total = rows.sum(axis=0)
    length, wanted = int(total[0]), int(total[1])
    counts = (total[2:] + bool(smooth)).reshape(2, max_order)
    precisions = [matches / ngrams if ngrams else 0.0 for matches, ngrams in counts.T.tolist()]
    mean = math.prod(precisions) ** (1 / max_order)
    penalty = float(brevity_penalty(wanted, length))
    return {
        "bleu": penalty * mean,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": length / wanted if wanted else 0.0,
        "translation_length": length,
        "reference_length": wanted,
    }


def _google_bleu(
    predictions: list[str],
    references: list[list[str]],
    tokenizer: Callable[[str], Sequence[str]] | None = None,
    min_len: int = 1,
    max_len: int = 4,
) -> dict[str, Any]:
    result = score(GLEU(min_len, max_len), _cut(predictions, tokenizer), _references(references, tokenizer))
    return {"google_bleu": result.score / 100}


def _rouge(
    predictions: list[str], references: list[list[str]], rouge_types: Sequence[str] = ("rouge1", "rouge2", "rougeL")
) -> dict[str, Any]:
    result = {}
    for key in rouge_types:
        if not key.startswith("rouge") or key == "rougeLsum":
            raise OptionError(f"rouge_types has {key!r}: there are rouge1 to rouge9 and rougeL")
        metric = ROUGE(variant=key.removeprefix("rouge"), lowercase=True)
        result[key] = score(metric, predictions, References.from_segments(references)).score / 100
    return result


def _rate(metric: WER | CER) -> Compute:
    def compute(predictions: list[str], references: list[list[str]]) -> float:
        return score(metric, predictions, References.from_segments(references)).score / 100

    return compute


MODULES: dict[str, Compute] = {
    "bleu": _bleu,
    "cer": _rate(CER()),
    "chrf": _chrf,
    "google_bleu": _google_bleu,
    "rouge": _rouge,
    "sacrebleu": _sacrebleu,
    "ter": _ter,
    "wer": _rate(WER()),
}
