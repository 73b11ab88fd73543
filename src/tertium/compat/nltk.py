"""NLTK's translation scores on Tertium's core: `from tertium.compat.nltk import corpus_bleu, sentence_bleu, ...`.

The arguments are NLTK's: **references first**, each segment with a list of references, each reference a list of
tokens; tokens are strings or anything else that can be a dictionary key. Scores lie between 0 and 1 and are NLTK's to
1e-12, the conventions included: a segment shorter than n tokens counts as one n-gram without a match; orders whose
smoothed precision is 0 are left out of the mean; methods 5, 6 and 7 look at the last segment of a corpus. Where NLTK
stops with a division by zero (`nist` with hypotheses shorter than n) the order adds nothing here.

A smoothing function of your own works as well: it is called as NLTK calls it, with the precisions of all orders.
"""

import math
import sys
import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from tertium.data.segments import References
from tertium.errors import InputError
from tertium.metrics.bleu import BLEU
from tertium.metrics.gleu import GLEU
from tertium.metrics.nist import NIST
from tertium.native import Corpus, Rows, corpus

Tokens = Sequence[Hashable]
Weights = Sequence[float]
Smoothing = Callable[..., list[Any]]

UNIFORM = (0.25, 0.25, 0.25, 0.25)


class Precision(float):
    """A precision that remembers its two counts, as they are, not in lowest terms.

    >>> Precision(2, 4), Precision(2, 4).numerator
    (0.5, 2)
    """

    numerator: int
    denominator: int

    def __new__(cls, numerator: int, denominator: int) -> "Precision":
        self = super().__new__(cls, numerator / denominator)
        self.numerator = numerator
        self.denominator = denominator
        return self


def sentence_bleu(
    references: Sequence[Tokens],
    hypothesis: Tokens,
    weights: Weights | Sequence[Weights] = UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of one segment.

    >>> sentence_bleu([["the", "cat", "sat"]], ["the", "cat"], weights=(0.5, 0.5))  # exp(1 - 3/2)
    0.6065306597126334
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    weights: Weights | Sequence[Weights] = UNIFORM,
    smoothing_function: Smoothing | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """BLEU of a corpus; a list of scores where `weights` is a list of weightings."""
    weightings: list[Any] = list(weights) if isinstance(weights[0], Sequence) else [weights]
    order = max(map(len, weightings))
    total = _bleu_rows(list_of_references, hypotheses, order)
    length = int(total[0])
    if total[2] == 0:
        return 0 if len(weightings) == 1 else [0] * len(weightings)
    precisions: list[Any] = [Precision(int(total[2 + n]), int(total[2 + order + n])) for n in range(order)]
    smooth = smoothing_function or SmoothingFunction().method0
    precisions = smooth(precisions, references=list_of_references[-1], hypothesis=hypotheses[-1], hyp_len=length)
    penalty = brevity_penalty(int(total[1]), length)
    scores = []
    for weighting in weightings:
        if auto_reweigh and length < 4 and tuple(weighting) == UNIFORM:
            weighting = (1 / length,) * length
        logs = [weight * math.log(p) for weight, p in zip(weighting, precisions, strict=False) if p > 0]
        scores.append(penalty * math.exp(math.fsum(logs)))
    return scores[0] if len(scores) == 1 else scores


def modified_precision(references: Sequence[Tokens], hypothesis: Tokens, n: int) -> Precision:
    """The clipped precision of order n.

    >>> modified_precision([["a", "b", "a"]], ["a", "a", "a", "c"], 1)
    0.5
    """
    total = _bleu_rows([references], [hypothesis], n)
    return Precision(int(total[1 + n]), int(total[-1]))


def closest_ref_length(references: Iterable[Tokens], hyp_len: int) -> int:
    """The reference length closest to the hypothesis's, the shorter of two equally close.

    >>> closest_ref_length([["a"] * 13, ["a"] * 11], 12)
    11
    """
    return min(map(len, references), key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """exp(1 - r/c) for a hypothesis not longer than its reference, else 1.

    >>> brevity_penalty(13, 12)
    0.9200444146293233
    """
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0


def sentence_gleu(references: Sequence[Tokens], hypothesis: Tokens, min_len: int = 1, max_len: int = 4) -> float:
    """GLEU of one segment.

    >>> sentence_gleu([["the", "cat"]], ["the", "cat", "sat"])  # the, cat, the cat; of 3 + 2 + 1 n-grams
    0.5
    """
    return corpus_gleu([references], [hypothesis], min_len, max_len)


def corpus_gleu(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], min_len: int = 1, max_len: int = 4
) -> float:
    """GLEU of a corpus."""
    return _score(GLEU(min_len, max_len, tokenize="none"), list_of_references, hypotheses) / 100


def sentence_nist(references: Sequence[Tokens], hypothesis: Tokens, n: int = 5) -> float:
    """NIST of one segment.

    >>> round(sentence_nist([["a", "b", "b", "b"]], ["a", "c"], n=1), 3)  # log2(4/1) / 2, half as long
    0.132
    """
    return corpus_nist([references], [hypothesis], n)


def corpus_nist(list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], n: int = 5) -> float:
    """NIST of a corpus."""
    return _score(NIST(n, tokenize="none"), list_of_references, hypotheses)


class SmoothingFunction:
    """The smoothing methods of Chen and Cherry (2014) as NLTK has them: precisions in, precisions out."""

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """No smoothing: an order without a match makes the score practically 0, with a warning."""
        for n, p in enumerate(p_n, 1):
            if p.numerator == 0:
                warnings.warn(
                    f"no {n}-gram of the hypothesis is in a reference, so BLEU is 0 whatever the shorter ones do; use "
                    "fewer orders or another method of SmoothingFunction",
                    stacklevel=3,
                )
        return [p if p.numerator else sys.float_info.min for p in p_n]

    def method1(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Epsilon matches where there is none."""
        return [p if p.numerator else self.epsilon / p.denominator for p in p_n]

    def method2(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """One more match and one more n-gram for all orders but the first."""
        return [p_n[0], *(Precision(p.numerator + 1, p.denominator + 1) for p in p_n[1:])]

    def method3(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """1/2, 1/4, ... of a match for the first, second, ... order without one."""
        return self._halved(p_n, 1.0)

    def method4(
        self, p_n: list[Any], references: Any, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Like method 3, with smaller matches for shorter texts: times ln(length) / k."""
        length = hyp_len or len(hypothesis)
        return self._halved(p_n, math.log(length) / self.k) if length > 1 else p_n

    def method5(
        self, p_n: list[Any], references: Any, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """The mean of an order's precision and those of the orders before (smoothed) and after."""
        after = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        before, smoothed = p_n[0] + 1, []
        for p, following in zip(p_n, after, strict=True):
            before = (before + p + following) / 3
            smoothed.append(before)
        return smoothed

    def method6(
        self, p_n: list[Any], references: Any, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """An order from the third on is drawn to what the two before it lead to expect."""
        if len(p_n) < 3 or not p_n[2]:
            raise InputError(
                "smoothing method 6 needs at least one matching trigram: the text is too short or too far off"
            )
        smoothed = list(p_n)
        for n in range(2, len(p_n)):
            expected = smoothed[n - 1] ** 2 / smoothed[n - 2] if smoothed[n - 2] else 0.0
            total = max(0, len(hypothesis) - n)
            smoothed[n] = (p_n[n].numerator + self.alpha * expected) / (total + self.alpha)
        return smoothed

    def method7(
        self, p_n: list[Any], references: Any, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Method 4, then method 5."""
        return self.method5(self.method4(p_n, references, hypothesis, hyp_len), references, hypothesis, hyp_len)

    @staticmethod
    def _halved(p_n: list[Any], share: float) -> list[Any]:
        smoothed = []
        for p in p_n:
            if p.numerator == 0:
                share /= 2
                p = share / p.denominator
            smoothed.append(p)
        return smoothed


def _score(metric: GLEU | NIST, list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]) -> float:
    rows = metric.statistics(*_prepared(list_of_references, hypotheses))
    return float(metric.score(rows.sum(axis=0)))


def _bleu_rows(list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens], order: int) -> Rows:
    """Lengths, matches and n-grams of the corpus; a segment counts for one n-gram at least, of each order."""
    rows = BLEU(order, tokenize="none").statistics(*_prepared(list_of_references, hypotheses))
    rows[:, 2 + order :] = np.maximum(rows[:, 2 + order :], 1)
    return np.asarray(rows.sum(axis=0))


def _prepared(
    list_of_references: Sequence[Sequence[Tokens]], hypotheses: Sequence[Tokens]
) -> tuple[Corpus, References]:
    """Hypotheses and references as the core takes them; tokens that are not texts get numbers for names."""
    if len(list_of_references) != len(hypotheses):
        raise InputError(
            f"there are references for {len(list_of_references)} segments and {len(hypotheses)} hypotheses: each needs "
            "the other (references come first, as in NLTK)"
        )
    counts = [len(references) for references in list_of_references]
    if 0 in counts:
        raise InputError(f"segment {counts.index(0)} has no reference")
    texts: list[Any] = [list(tokens) for tokens in hypotheses]
    streams: list[list[Any]] = [
        [None if tokens is None else list(tokens) for tokens in stream] for stream in zip_longest(*list_of_references)
    ]
    try:
        prepared = corpus(texts), tuple(map(corpus, streams))
    except InputError:
        names: dict[Hashable, str] = {}
        for tokens in filter(None, (tokens for stream in (texts, *streams) for tokens in stream)):
            tokens[:] = [names.setdefault(token, str(len(names))) for token in tokens]
        prepared = corpus(texts), tuple(map(corpus, streams))
    return prepared[0], References(prepared[1], (min(counts), max(counts)))
