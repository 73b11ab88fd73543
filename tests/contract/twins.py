"""The readable twin of each kernel: metric name -> the spelling it mirrors, and the rows of texts cut at spaces."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tertium.native.reference import bleu, chrf, nist, overlap, ter, wer

Rows = list[list[float]]


def _each(row: Callable[[list[str], list[list[str]]], list[float]]) -> Callable[[list[str], list[list[str]]], Rows]:
    """The rows of all segments, from what gives the row of one segment's tokens."""
    return lambda hypotheses, references: [
        list(row(h.split(), [r.split() for r in each])) for h, each in zip(hypotheses, references, strict=True)
    ]


def _best(overlaps: list[list[int]], score: Callable[[list[int]], Any]) -> list[int]:
    """The overlap with the highest score, the first of several."""
    return max(overlaps, key=score)


def _ratio(part: float, whole: float) -> Fraction:
    return Fraction(part) / Fraction(whole) if whole else Fraction(0)


def _gleu(hypothesis: list[str], references: list[list[str]]) -> list[float]:
    overlaps = overlap.statistics(hypothesis, references, "ngrams", 1, 4)
    matches, _, mine, theirs = _best(overlaps, lambda o: _ratio(o[0], max(o[2:])) if max(o[2:]) else -1)
    return [matches, mine, theirs, max(mine, theirs)]


def _f(found: list[int]) -> Fraction:
    precision, recall = _ratio(found[0], found[2]), _ratio(found[1], found[3])
    return _ratio(2 * precision * recall, precision + recall)


def _rouge(hypothesis: list[str], references: list[list[str]]) -> list[float]:
    found = _best(overlap.statistics(hypothesis, references, "subsequence"), _f)
    return [float(_ratio(found[0], found[2])), float(_ratio(found[1], found[3])), float(_f(found)), 1.0]


def _nist(hypotheses: list[str], references: list[list[str]]) -> Rows:
    cut = [[r.split() for r in each] for each in references]
    weights = nist.information(cut, 5)
    return [nist.statistics(h.split(), each, weights, 5) for h, each in zip(hypotheses, cut, strict=True)]


def _precision(hypothesis: list[str], references: list[list[str]]) -> list[float]:
    found = overlap.statistics(hypothesis, references, "anywhere")[0]
    return [found[0], found[2]]


def _recall(hypothesis: list[str], references: list[list[str]]) -> list[float]:
    found = _best(overlap.statistics(hypothesis, references, "occurrences"), lambda o: _ratio(o[1], o[3]))
    return [found[1], found[3]]


def _f1(hypothesis: list[str], references: list[list[str]]) -> list[float]:
    return list(_best(overlap.statistics(hypothesis, references, "occurrences"), _f))


def _chrf(hypotheses: list[str], references: list[list[str]]) -> Rows:
    return [chrf.chrf_row(h, each) for h, each in zip(hypotheses, references, strict=True)]


def _cer(hypotheses: list[str], references: list[list[str]]) -> Rows:
    return [
        wer.statistics(wer.characters(h), [wer.characters(r) for r in each])
        for h, each in zip(hypotheses, references, strict=True)
    ]


TWINS: dict[str, tuple[str, Callable[[list[str], list[list[str]]], Rows]]] = {
    "bleu": ("bleu:tokenize=none", _each(bleu.statistics)),
    "cer": ("cer", _cer),
    "chrf": ("chrf", _chrf),
    "f1": ("f1:tokenize=none", _each(_f1)),
    "gleu": ("gleu:tokenize=none", _each(_gleu)),
    "nist": ("nist:tokenize=none", _nist),
    "precision": ("precision:tokenize=none", _each(_precision)),
    "recall": ("recall:tokenize=none", _each(_recall)),
    "rouge": ("rouge:tokenize=none", _each(_rouge)),
    "ter": ("ter:case_sensitive=yes", _each(ter.statistics)),
    "wer": ("wer", _each(wer.statistics)),
}
