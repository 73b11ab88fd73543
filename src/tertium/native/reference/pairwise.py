"""What the pairwise kernels compute, in plain Python: the twin of cpp/pairwise.hpp and cpp/pairwise_statistics.hpp."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from tertium.native.reference.bleu import ngrams
from tertium.native.reference.chrf import characters_of, words_of

Text = TypeVar("Text")
Compared = TypeVar("Compared")
Mean = dict[tuple[str, ...], float]  # how often the references have each n-gram on average


def pairwise(
    compare: Callable[[Text, Text], Compared], candidates: Sequence[Text], references: Sequence[Text]
) -> list[list[Compared]]:
    """Each candidate with each reference, by what compares one with one: the row of a pair, or its score."""
    return [[compare(candidate, reference) for reference in references] for candidate in candidates]


def mean_ngrams(references: Sequence[Sequence[str]], weights: Sequence[float], order: int) -> Mean:
    """The average count of each n-gram in the references.

    >>> mean_ngrams(["aab", "a"], [0.5, 0.5], 1)
    {('a',): 1.5, ('b',): 0.5}
    """
    mean: Mean = Counter()  # type: ignore[assignment]
    for reference, weight in zip(references, weights, strict=True):
        for ngram, count in ngrams(reference, order).items():
            mean[ngram] += weight * count
    return dict(mean)


def matches(candidate: Sequence[str], mean: Mean, order: int) -> float:
    """The sum of min(count in the candidate, mean count) over n-grams.

    >>> matches("aac", {("a",): 1.5, ("b",): 0.5}, 1)
    1.5
    """
    return sum(min(count, mean.get(ngram, 0.0)) for ngram, count in ngrams(candidate, order).items())


def aggregated_bleu_row(
    candidate: Sequence[str], references: Sequence[Sequence[str]], weights: Sequence[float], order: int = 4
) -> list[float]:
    """BLEU's row of a candidate with the mean of the references."""
    orders = range(1, order + 1)
    means = [mean_ngrams(references, weights, n) for n in orders]
    return [
        len(candidate),
        sum(weight * len(reference) for reference, weight in zip(references, weights, strict=True)),
        *(matches(candidate, mean, n) for n, mean in zip(orders, means, strict=True)),
        *(max(0, len(candidate) - n + 1) for n in orders),
    ]


def aggregated_chrf_row(
    candidate: str,
    references: Sequence[str],
    weights: Sequence[float],
    *,
    characters: int = 6,
    words: int = 0,
    lowercase: bool = False,
    whitespace: bool = False,
) -> list[float]:
    """chrF's row of a candidate with the mean of the references."""
    texts = [text.lower() if lowercase else text for text in (candidate, *references)]
    row: list[float] = []
    for cut, orders in ((lambda text: characters_of(text, whitespace), characters), (words_of, words)):
        mine, *others = (cut(text) for text in texts)
        for order in range(1, orders + 1):
            mean = mean_ngrams(others, weights, order)
            total = sum(mean.values())
            row += [ngrams(mine, order).total() if total else 0, total, matches(mine, mean, order)]
    return row
