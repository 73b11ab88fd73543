"""Why a score is what it is: the n-grams behind it, what each order and the brevity penalty cost, which segments
matter.

`explain` answers for one text or for a whole test set. Two questions are answered for every metric, from rows alone:
what each segment scores, and what the corpus would score without it, `score(total - row)`; NIST keeps the information
weights of the whole test set in both. BLEU, GLEU and chrF also
say what each order of n-grams contributes, and BLEU and GLEU show the n-grams of any segment with the count that was
credited and the reference that allowed it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import registry
from tertium.data.segments import References, pair
from tertium.errors import InputError, OptionError
from tertium.metrics.best_reference import best_index, take
from tertium.metrics.bleu import BLEU
from tertium.metrics.chrf import CHRF
from tertium.metrics.gleu import GLEU
from tertium.metrics.protocol import AnyReferences, Metric
from tertium.metrics.rows import leave_one_out
from tertium.native import Corpus, Rows, Segments
from tertium.text import scheme


@dataclass(frozen=True)
class NgramMatch:
    """One n-gram of a hypothesis: how often it stands there, and how often it was credited."""

    ngram: tuple[str, ...]
    count: int
    clipped: int
    reference: int | None  # the one that has it most, the first of several; None where no reference has it
    reference_counts: tuple[int, ...]  # in each reference

    @property
    def order(self) -> int:
        """How many tokens it has."""
        return len(self.ngram)


@dataclass(frozen=True)
class OrderShare:
    """What the n-grams of one order do to the score of the corpus."""

    label: str  # the order, and for chrF of what
    matches: float
    total: float  # n-grams of the hypotheses
    reference_total: float | None  # n-grams of the references, where the metric counts them
    precision: float  # matches / total in per cent, smoothed if the metric smooths
    contribution: float  # BLEU: the factor p_n ** w_n; GLEU: points of the score; chrF: the order's own F-score
    score_if_perfect: float | None = None  # BLEU: the score if this order's factor were 1


@dataclass(frozen=True)
class Explanation:
    """The score of a corpus taken apart. Arrays have one entry a segment."""

    metric: Metric
    score: float
    segments: NDArray[np.float64]  # each segment's own score
    without: NDArray[np.float64]  # the corpus score without that segment; NaN where there is no other
    orders: tuple[OrderShare, ...]  # empty for metrics that count no n-grams
    brevity_penalty: float | None  # BLEU's
    score_without_penalty: float | None  # BLEU's, had the hypotheses the references' length
    hypotheses: Corpus
    references: References

    @property
    def contributions(self) -> NDArray[np.float64]:
        """How much each segment raises the corpus score (lowers it, if negative)."""
        return self.score - self.without

    def ngrams(self, segment: int = 0) -> tuple[NgramMatch, ...]:
        """The n-grams of one segment's hypothesis, short ones first, each where it first stands; BLEU and GLEU only."""
        if not isinstance(self.metric, (BLEU, GLEU)):
            raise OptionError(f"{self.metric.name} has no table of n-grams: bleu and gleu have one")
        if not 0 <= segment < len(self.hypotheses):
            raise InputError(f"there is no segment {segment}: there are {len(self.hypotheses)}, counted from 0")
        cut = _cutter(self.metric)
        hypothesis = cut(self.hypotheses[segment])
        references = [cut(stream[segment]) for stream in self.references.streams]
        if isinstance(self.metric, BLEU):
            orders = range(1, self.metric.order + 1)
            allowed = range(len(references))
        else:
            orders = range(self.metric.min_len, self.metric.max_len + 1)
            allowed = range(chosen := _gleu_reference(self, segment), chosen + 1)
        return tuple(match for order in orders for match in _matches(hypothesis, references, order, allowed))


def explain(
    hypotheses: str | Segments, references: str | AnyReferences, metric: str | Metric = "bleu", *, threads: int = 0
) -> Explanation:
    """Take a score apart; hypotheses are one text, with its reference or references, or a list of segments.

    >>> found = explain("the cat the cat on the mat", ["the cat is on the mat", "there is a cat on the mat"])
    >>> found.orders[1].matches, found.orders[1].total
    (4.0, 6.0)
    >>> [(" ".join(match.ngram), match.count, match.clipped) for match in found.ngrams() if match.order == 2]
    [('the cat', 2, 1), ('cat the', 1, 0), ('cat on', 1, 1), ('on the', 1, 1), ('the mat', 1, 1)]
    """
    if isinstance(hypotheses, str):
        hypotheses = [hypotheses]
        references = [references] if isinstance(references, (str, list, tuple)) else references
    elif isinstance(references, str):
        raise InputError("several hypotheses need a list of references, one item a segment, not one text")
    metric = registry.metric(metric)
    texts, prepared = pair(hypotheses, references)
    rows = metric.statistics(texts, prepared, threads=threads)
    total = np.asarray(rows.sum(axis=0))
    score = float(metric.score(total))
    bleu = metric if isinstance(metric, BLEU) else None
    return Explanation(
        metric=metric,
        score=score,
        segments=metric.score(rows),
        without=leave_one_out(rows[None], metric.score)[0] if len(rows) > 1 else np.full(1, np.nan),
        orders=_orders(metric, texts, prepared, total, threads),
        brevity_penalty=bleu.details(total)["brevity_penalty"] if bleu else None,
        score_without_penalty=float(bleu.score(_unpenalised(total))) if bleu else None,
        hypotheses=texts,
        references=prepared,
    )


def _unpenalised(total: Rows) -> Rows:
    """BLEU's statistics with the hypotheses as long as the references."""
    equal = total.copy()
    equal[1] = equal[0]
    return equal


def _orders(metric: Metric, texts: Corpus, references: References, total: Rows, threads: int) -> tuple[OrderShare, ...]:
    if isinstance(metric, BLEU):
        return _bleu_orders(metric, total)
    if isinstance(metric, GLEU):
        return _gleu_orders(metric, texts, references, total, threads)
    return _chrf_orders(metric, total) if isinstance(metric, CHRF) else ()


def _bleu_orders(metric: BLEU, total: Rows) -> tuple[OrderShare, ...]:
    details = metric.details(total)
    factors = metric.factors(total)
    penalty = details["brevity_penalty"]
    shares = []
    for n in range(metric.order):
        others = 100.0 * penalty * float(np.delete(factors, n).prod())
        shares.append(
            OrderShare(
                label=str(n + 1),
                matches=float(details["counts"][n]),
                total=float(details["totals"][n]),
                reference_total=None,
                precision=details["precisions"][n],
                contribution=float(factors[n]),
                score_if_perfect=others if any(details["counts"]) else 0.0,
            )
        )
    return tuple(shares)


def _gleu_orders(
    metric: GLEU, texts: Corpus, references: References, total: Rows, threads: int
) -> tuple[OrderShare, ...]:
    everything = metric.overlaps([texts], references, metric.min_len, metric.max_len, threads=threads)
    chosen = best_index(everything, metric.reference_scores(everything))
    shares = []
    for n in range(metric.min_len, metric.max_len + 1):
        overlaps = metric.overlaps([texts], references, n, n, threads=threads)
        sums = np.maximum(take(overlaps, chosen)[0], 0.0).sum(axis=0)
        matches, _, mine, theirs = sums.tolist()
        shares.append(
            OrderShare(
                label=str(n),
                matches=matches,
                total=mine,
                reference_total=theirs,
                precision=100.0 * matches / mine if mine else 0.0,
                contribution=100.0 * matches / float(total[3]) if total[3] else 0.0,
            )
        )
    return tuple(shares)


def _chrf_orders(metric: CHRF, total: Rows) -> tuple[OrderShare, ...]:
    shares = []
    for index, column in enumerate(metric.columns[::3]):
        _, kind, order = column.split("_")
        part = total[3 * index : 3 * index + 3]
        alone = replace(metric, order=1, words=0) if kind == "character" else replace(metric, order=0, words=1)
        mine, theirs, matches = part.tolist()
        shares.append(
            OrderShare(
                label=f"{kind} {order}",
                matches=matches,
                total=mine,
                reference_total=theirs,
                precision=100.0 * matches / mine if mine else 0.0,
                contribution=float(alone.score(part)),
            )
        )
    return tuple(shares)


def _gleu_reference(explanation: Explanation, segment: int) -> int:
    """The reference that GLEU compares a segment with."""
    metric = explanation.metric
    assert isinstance(metric, GLEU)
    present = [stream[segment] for stream in explanation.references.streams]
    one = References.from_streams([[text] for text in present])
    overlaps = metric.overlaps([[explanation.hypotheses[segment]]], one, metric.min_len, metric.max_len)
    return int(best_index(overlaps, metric.reference_scores(overlaps))[0, 0])


def _cutter(metric: BLEU | GLEU) -> Callable[[Any], list[str]]:
    """What makes tokens of a segment as the metric does; token lists stay as they are, a missing segment has none."""
    tokenizer = scheme(metric.tokenize)

    def cut(segment: Any) -> list[str]:
        if segment is None:
            return []
        if isinstance(segment, str):
            return tokenizer((segment.lower() if metric.lowercase else segment).rstrip())
        return [token.lower() if metric.lowercase else token for token in segment]

    return cut


def _matches(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int, allowed: Sequence[int]
) -> list[NgramMatch]:
    """The n-grams of one order; only the allowed references clip."""
    counts = [ngrams(reference, order) for reference in references]
    table = []
    for ngram, count in ngrams(hypothesis, order).items():
        theirs = tuple(each[ngram] for each in counts)
        most = max((theirs[index] for index in allowed), default=0)
        supplier = next(index for index in allowed if theirs[index] == most) if most else None
        table.append(NgramMatch(ngram, count, min(count, most), supplier, theirs))
    return table


def ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of one order stands in a list of tokens.

    >>> ngrams(["a", "b", "a", "b"], 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))
