"""Metrics for torchmetrics and Lightning: `update`, `compute`, `reset`, `forward`, also on many machines.

`TertiumMetric("bleu:lowercase=yes")` takes any metric of Tertium. Its whole state is the sum of the statistics
(float64, so counts are exact up to 2**53); across processes the sums are added, and the score of the sum is the score
of all texts, not a mean of scores. The other classes have the names, arguments and scale (0 to 1) of torchmetrics'
text metrics. References are given segment by segment: `target[i]` is one text or a list of texts.

Where torchmetrics 1.9 gives other values than sacreBLEU 2.6, these are sacreBLEU's (a test shows each case):

- BLEU with references equally far in length: sacreBLEU takes the shorter one, torchmetrics the first;
- BLEU with `smooth=True` is add-one smoothing (Lin and Och, 2004); torchmetrics returns 0 where an order has no match;
- TER searches for shifts as tercom does; torchmetrics counts another number of edits for some texts, more or fewer;
- TER of an empty translation is that of one with every word missing; torchmetrics gives it 0, a perfect score;
- chrF counts the n-grams of a reference with which nothing matches; torchmetrics leaves them out of the corpus;
- chrF without white space leaves out all of Unicode's; torchmetrics only the plain space;
- WER and CER of a text whose reference is empty are 1; torchmetrics divides by zero;
- counts beyond 2**24, which its float32 sums cannot hold.

Needs the extra `torchmetrics`.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from tertium import registry
from tertium.data.segments import References
from tertium.errors import MissingExtra, OptionError
from tertium.metrics.bleu import BLEU
from tertium.metrics.chrf import CHRF
from tertium.metrics.protocol import Metric as AnyMetric
from tertium.metrics.rouge import PARTS, ROUGE
from tertium.metrics.ter import TER
from tertium.metrics.wer import CER, WER

try:
    import torch
    import torchmetrics
except ImportError:
    raise MissingExtra("tertium.compat.torchmetrics", "torchmetrics", "torchmetrics") from None

Texts = str | Sequence[str]
Targets = str | Sequence[str] | Sequence[Sequence[str]]


class TertiumMetric(torchmetrics.Metric):
    """Any metric of Tertium, by object or spelling, on Tertium's own scale times `scale`.

    `sentence_scores=True` makes `compute` return the scores of all segments as well.

    >>> metric = TertiumMetric("bleu")
    >>> metric.update(["the cat sat on the mat"], [["the cat is on the mat", "the cat sat on a mat"]])
    >>> round(metric.compute().item(), 2)  # 100 (6/6 5/5 3/4 1/3) ** (1/4)
    70.71
    """

    is_differentiable: bool | None = False
    full_state_update: bool | None = False
    sentences: Any

    def __init__(
        self, metric: str | AnyMetric, *, scale: float = 1.0, sentence_scores: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.metric = registry.metric(metric)
        if getattr(self.metric, "rows_depend_on_all_references", False):
            raise OptionError(
                f"{self.metric.name} cannot be added up batch by batch: its statistics depend on all references at once"
            )
        self.scale = scale
        self.sentence_scores = sentence_scores
        # The name tells states of different metrics apart: a MetricCollection shares states that look alike.
        self._total = "total_" + re.sub(r"\W", "_", repr(self.metric))
        zeros = torch.zeros(len(self.metric.columns), dtype=torch.float64)
        self.add_state(self._total, default=zeros, dist_reduce_fx="sum")
        if sentence_scores:
            self.add_state("sentences", default=[], dist_reduce_fx="cat")

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """Which way is up, as the metric declares."""
        return self.metric.higher_is_better

    def update(self, preds: Texts, target: Targets) -> None:
        """Add the statistics of a batch of texts."""
        hypotheses = [preds] if isinstance(preds, str) else list(preds)
        targets = [target] if isinstance(target, str) else list(target)
        if not hypotheses and not targets:
            return
        references = References.from_segments([[each] if isinstance(each, str) else list(each) for each in targets])
        rows = self.metric.statistics(hypotheses, references)
        total = getattr(self, self._total)
        setattr(self, self._total, total + torch.from_numpy(rows.sum(axis=0)).to(total.device))
        if self.sentence_scores:
            self.sentences.append(torch.from_numpy(self.scale * self.metric.score(rows)).to(total.device))

    def compute(self) -> Any:
        """The score of all texts so far."""
        total = getattr(self, self._total)
        score = torch.as_tensor(self.scale * self.metric.score(total.cpu().numpy()), device=total.device)
        if not self.sentence_scores:
            return score
        sentences = self.sentences
        if isinstance(sentences, list):
            sentences = torch.cat(sentences) if sentences else torch.zeros(0, dtype=torch.float64)
        return score, sentences


class BLEUScore(TertiumMetric):
    """BLEU on words between white space; `smooth` adds one to matches and totals of all orders but the first."""

    def __init__(
        self, n_gram: int = 4, smooth: bool | str = False, weights: Sequence[float] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(_bleu(n_gram, smooth, "none", False, weights), scale=0.01, **kwargs)


class SacreBLEUScore(TertiumMetric):
    """BLEU with sacreBLEU's tokenizers. `smooth="exp"` is sacreBLEU's own default; True is add-one, False none."""

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool | str = False,
        tokenize: str = "13a",
        lowercase: bool = False,
        weights: Sequence[float] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_bleu(n_gram, smooth, tokenize, lowercase, weights), scale=0.01, **kwargs)


class CHRFScore(TertiumMetric):
    """chrF++. Like torchmetrics it averages the orders' F-scores; `eps_smoothing=False` is sacreBLEU's default."""

    def __init__(
        self,
        n_char_order: int = 6,
        n_word_order: int = 2,
        beta: float = 2.0,
        lowercase: bool = False,
        whitespace: bool = False,
        return_sentence_level_score: bool = False,
        *,
        eps_smoothing: bool = True,
        **kwargs: Any,
    ) -> None:
        metric = CHRF(n_char_order, n_word_order, beta, lowercase, whitespace, eps_smoothing)
        super().__init__(metric, scale=0.01, sentence_scores=return_sentence_level_score, **kwargs)


class TranslationEditRate(TertiumMetric):
    """TER."""

    def __init__(
        self,
        normalize: bool = False,
        no_punctuation: bool = False,
        lowercase: bool = True,
        asian_support: bool = False,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        metric = TER(normalize, no_punctuation, asian_support, not lowercase)
        super().__init__(metric, scale=0.01, sentence_scores=return_sentence_level_score, **kwargs)


class WordErrorRate(TertiumMetric):
    """WER."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(WER(), scale=0.01, **kwargs)


class CharErrorRate(TertiumMetric):
    """CER."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(CER(), scale=0.01, **kwargs)


class ROUGEScore(torchmetrics.MetricCollection):
    """ROUGE-1 to -9 and -L: precision, recall and F-measure of each, averaged over the segments."""

    def __init__(
        self,
        use_stemmer: bool = False,
        normalizer: Callable[[str], str] | None = None,
        tokenizer: Callable[[str], Sequence[str]] | None = None,
        accumulate: str = "best",
        rouge_keys: str | Sequence[str] = ("rouge1", "rouge2", "rougeL"),
        **kwargs: Any,
    ) -> None:
        if use_stemmer or normalizer or tokenizer or accumulate != "best":
            raise OptionError(
                "ROUGEScore has no stemmer, normalizer or tokenizer to choose, and accumulates the best only"
            )
        keys = [rouge_keys] if isinstance(rouge_keys, str) else list(rouge_keys)
        if unknown := [key for key in keys if not re.fullmatch(r"rouge([1-9]|L)", key)]:
            raise OptionError(f"ROUGEScore cannot compute {unknown[0]!r}: it has rouge1 to rouge9 and rougeL")
        super().__init__({key: _RougeParts(key, **kwargs) for key in keys})


class _RougeParts(TertiumMetric):
    """The three values of one variant."""

    def __init__(self, key: str, **kwargs: Any) -> None:
        super().__init__(ROUGE(variant=key.removeprefix("rouge"), lowercase=True), scale=0.01, **kwargs)
        self.key = key

    def compute(self) -> dict[str, torch.Tensor]:
        total = getattr(self, self._total)
        means = total[: len(PARTS)] / total[-1].clamp(min=1)
        names = {"f": "fmeasure"}
        return {f"{self.key}_{names.get(part, part)}": mean for part, mean in zip(PARTS, means, strict=True)}


def _bleu(order: int, smooth: bool | str, tokenize: str, lowercase: bool, weights: Sequence[float] | None) -> BLEU:
    smoothing = smooth if isinstance(smooth, str) else ("add-k" if smooth else "none")
    if weights is not None and len(weights) != order:
        raise OptionError(f"{len(weights)} weights for n_gram={order}: give one for each order")
    chosen = None if weights is None else tuple(map(float, weights))
    return BLEU(order=order, weights=chosen, tokenize=tokenize, lowercase=lowercase, smoothing=smoothing)
