"""BLEU's statistics in plain Python: the twin of cpp/bleu.hpp and cpp/ngram_matches.hpp."""

from collections import Counter
from collections.abc import Sequence


def ngrams(tokens: Sequence[str], order: int) -> "Counter[tuple[str, ...]]":
    """How often each n-gram stands in a text.

    >>> ngrams("a b a b".split(), 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def clipped_matches(hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int) -> int:
    """N-grams of the hypothesis that a reference has too, none counted more often than one reference has it.

    >>> clipped_matches("the the the".split(), ["the cat the".split(), "the dog".split()], 1)
    2
    """
    ceiling: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        ceiling |= ngrams(reference, order)
    return (ngrams(hypothesis, order) & ceiling).total()


def reference_length(hypothesis: int, references: Sequence[int], rule: str = "closest") -> float:
    """The reference length that the brevity penalty compares with, by the rule; 0 where there is no reference.

    >>> reference_length(4, [5, 3])
    3
    """
    if not references:
        return 0
    if rule == "shortest":
        return min(references)
    if rule == "average":
        return sum(references) / len(references)
    return min(references, key=lambda length: (abs(length - hypothesis), length))


def statistics(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int = 4, length: str = "closest"
) -> list[float]:
    """One segment's row: hypothesis length, reference length, matches of each order, totals of each order."""
    orders = range(1, order + 1)
    return [
        len(hypothesis),
        reference_length(len(hypothesis), [len(reference) for reference in references], length),
        *(clipped_matches(hypothesis, references, n) for n in orders),
        *(max(0, len(hypothesis) - n + 1) for n in orders),
    ]
