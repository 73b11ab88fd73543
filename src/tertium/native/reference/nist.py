"""NIST's statistics in plain Python: the twin of cpp/nist.hpp."""

import math
from collections import Counter
from collections.abc import Sequence

from tertium.native.reference.bleu import ngrams

Tokens = Sequence[str]


def information(references: Sequence[Sequence[Tokens]], order: int) -> dict[tuple[str, ...], float]:
    """How much each n-gram of the references tells, in bits: how rarely its last word follows the others.

    >>> information([["a b a c".split()]], 2)["a", "b"]  # a twice, a b once
    1.0
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for reference in (each for segment in references for each in segment):
        counts[()] += len(reference)
        for n in range(1, order + 1):
            counts.update(ngrams(reference, n))
    return {ngram: math.log(counts[ngram[:-1]] / count) / math.log(2) for ngram, count in counts.items() if ngram}


def statistics(
    hypothesis: Tokens, references: Sequence[Tokens], weights: dict[tuple[str, ...], float], order: int
) -> list[float]:
    """One segment's row: lengths summed over the orders, information matched and n-grams of each order."""
    length, wanted = 0, 0
    matched: list[float] = []
    totals = []
    for n in range(1, order + 1):
        mine = ngrams(hypothesis, n)
        total = mine.total()
        best = (-1.0, 0.0, 0)
        for reference in references:
            shared = mine & ngrams(reference, n)
            found = sum((weights[ngram] * count for ngram, count in shared.items()), 0.0)
            best = max(best, (found / total if total else 0.0, found, len(reference)))
        length += len(hypothesis)
        wanted += best[2]
        matched.append(best[1])
        totals.append(total)
    return [length, wanted, *matched, *totals]
