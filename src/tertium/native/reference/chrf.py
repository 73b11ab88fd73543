"""What the chrF kernel computes, one segment at a time; see `cpp/chrf.hpp` and `tertium.metrics.chrf`."""

import string
from collections.abc import Sequence

from tertium.native.reference.bleu import ngrams


def characters_of(text: str, whitespace: bool = False) -> list[str]:
    """The characters that are counted.

    >>> characters_of("a b")
    ['a', 'b']
    """
    return list(text) if whitespace else list("".join(text.split()))


def words_of(text: str) -> list[str]:
    """The words of chrF+: one punctuation mark is split off, the last character before the first.

    >>> words_of("(hi) 'tis .")
    ['(hi', ')', "'", 'tis', '.']
    """
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def segment_score(row: Sequence[float], beta: float, eps_smoothing: bool) -> float:
    """The F-score of one row, between 0 and 100."""
    undefined = 1e-16
    orders = [row[i : i + 3] for i in range(0, len(row), 3)]
    precisions = [matches / hypothesis if hypothesis else undefined for hypothesis, _, matches in orders]
    recalls = [matches / reference if reference else undefined for _, reference, matches in orders]
    factor = beta**2
    if eps_smoothing:
        total = 0.0
        for precision, recall in zip(precisions, recalls, strict=True):
            below = factor * precision + recall
            total += (1 + factor) * precision * recall / below if below > 0 else undefined
        return 100 * total / len(orders)
    reached = [n for n, (hypothesis, reference, _) in enumerate(orders) if hypothesis and reference]
    if not reached:
        return 0.0
    precision = sum(precisions[n] for n in reached) / len(reached)
    recall = sum(recalls[n] for n in reached) / len(reached)
    if precision + recall == 0:
        return 0.0
    return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))


def chrf_row(
    hypothesis: str,
    references: Sequence[str],
    *,
    characters: int = 6,
    words: int = 0,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> list[int]:
    """The row of the first reference with the best segment score.

    >>> chrf_row("ab", ["abc"], characters=2)
    [2, 3, 2, 1, 2, 1]
    """
    best_score, best_row = -1.0, [0] * 3 * (characters + words)
    for reference in references:
        hyp, ref = (hypothesis.lower(), reference.lower()) if lowercase else (hypothesis, reference)
        texts = [(characters_of(hyp, whitespace), characters_of(ref, whitespace), n) for n in range(1, characters + 1)]
        texts += [(words_of(hyp), words_of(ref), n) for n in range(1, words + 1)]
        row = []
        for hypothesis_symbols, reference_symbols, order in texts:
            in_hypothesis = ngrams(hypothesis_symbols, order)
            in_reference = ngrams(reference_symbols, order)
            matches = (in_hypothesis & in_reference).total()
            row += [in_hypothesis.total() if in_reference else 0, in_reference.total(), matches]
        score = segment_score(row, beta, eps_smoothing)
        if score > best_score:
            best_score, best_row = score, row
    return best_row
