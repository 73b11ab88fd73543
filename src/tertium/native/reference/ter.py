"""TER's statistics in plain Python: the twin of cpp/ter.hpp and cpp/beam_distance.hpp.

Every candidate shift is made and its distance computed from scratch, in the order of the definition; none of the core's
bounds and short cuts is here.
"""

from collections.abc import Iterator, Sequence
from math import ceil, floor, inf

Words = Sequence[str]
Cells = dict[tuple[int, int], tuple[float, str]]  # (row, column) -> distance so far, last step

LONGEST_BLOCK = 10
FARTHEST = 50
MOST_CANDIDATES = 1000
BEAM = 25


def cells(hypothesis: Words, reference: Words) -> Cells:
    """The edit distance matrix, a row for each word of the hypothesis, within the beam.

    >>> cells(["a", "b"], ["b"])[2, 1]
    (1, 'keep')
    """
    ratio = len(reference) / len(hypothesis) if hypothesis else 1
    width = ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    found: Cells = {(0, column): (column, "insert") for column in range(len(reference) + 1)}
    for row in range(1, len(hypothesis) + 1):
        middle = floor(row * ratio)
        end = len(reference) + 1 if row == len(hypothesis) else min(len(reference) + 1, middle + width)
        for column in range(max(0, middle - width), end):
            equal = column > 0 and hypothesis[row - 1] == reference[column - 1]
            offers = [
                (_value(found, row - 1, column - 1) + (not equal), "keep" if equal else "substitute"),
                (_value(found, row - 1, column) + 1, "remove"),
                (_value(found, row, column - 1) + 1, "insert"),
            ]
            found[row, column] = min(offers, key=lambda offer: offer[0])  # the first of the cheapest
    return found


def _value(found: Cells, row: int, column: int) -> float:
    return found[row, column][0] if (row, column) in found else inf


def distance(hypothesis: Words, reference: Words) -> int:
    """The edit distance within the beam.

    >>> distance("a b c".split(), "b c d".split())
    2
    """
    return int(cells(hypothesis, reference)[len(hypothesis), len(reference)][0])


def steps(hypothesis: Words, reference: Words) -> list[str]:
    """How the hypothesis becomes the reference, from the beginning to the end."""
    found = cells(hypothesis, reference)
    row, column = len(hypothesis), len(reference)
    path = []
    while row or column:
        step = found[row, column][1]
        path.append(step)
        row -= step != "insert"
        column -= step != "remove"
    return path[::-1]


def blocks(hypothesis: Words, reference: Words) -> Iterator[tuple[int, int, int]]:
    """Start in the hypothesis, start in the reference and length of all equal blocks."""
    for start in range(len(hypothesis)):
        for place in range(len(reference)):
            if abs(start - place) > FARTHEST:
                continue
            for length in range(1, LONGEST_BLOCK + 1):
                end = place + length
                if start + length > len(hypothesis) or end > len(reference):
                    break
                if hypothesis[start + length - 1] != reference[end - 1]:
                    break
                yield start, place, length


def candidates(hypothesis: Words, reference: Words) -> Iterator[tuple[int, int, int]]:
    """Start, length and target of every shift to be tried: the block goes before the word `target`."""
    words_before = [0]  # hypothesis words up to the one each reference word is aligned to; one item more in front
    wrong_words, wrong_references = [], []
    used = 0
    for step in steps(hypothesis, reference):
        if step != "insert":
            used += 1
            wrong_words.append(step != "keep")
        if step != "remove":
            words_before.append(used)
            wrong_references.append(step != "keep")
    for start, place, length in blocks(hypothesis, reference):
        if not any(wrong_words[start : start + length]) or not any(wrong_references[place : place + length]):
            continue
        if start <= words_before[place + 1] - 1 < start + length:
            continue
        for target in sorted(set(words_before[place : place + length + 1])):
            yield start, length, target


def shifted(words: Words, start: int, length: int, target: int) -> list[str]:
    """The words with a block moved before the word `target`; inside the block: by as many words to the right.

    >>> shifted("a b c d".split(), 0, 2, 4), shifted("a b c d".split(), 0, 2, 1)
    (['c', 'd', 'a', 'b'], ['c', 'a', 'b', 'd'])
    """
    block, rest = list(words[start : start + length]), [*words[:start], *words[start + length :]]
    if start <= target <= start + length:
        target += length
    at = target if target < start else target - length
    return [*rest[:at], *block, *rest[at:]]


def edits(hypothesis: Words, reference: Words) -> int:
    """Shifts and edits that turn the hypothesis into the reference, as the greedy search finds them.

    >>> edits("on the mat the cat sat".split(), "the cat sat on the mat".split())
    1
    """
    if not reference:
        return len(hypothesis)
    words = list(hypothesis)
    shifts = tried = 0
    while True:
        before = distance(words, reference)
        ranked = []
        for start, length, target in candidates(words, reference):
            tried += 1
            if tried >= MOST_CANDIDATES:
                return shifts + before
            moved = shifted(words, start, length, target)
            ranked.append((before - distance(moved, reference), length, -start, -target, moved))
        gain, *_, moved = max(ranked, default=(0, words))
        if gain <= 0:
            return shifts + before
        shifts += 1
        words = moved


def statistics(hypothesis: Words, references: Sequence[Words]) -> list[float]:
    """One segment's row: edits of the nearest reference, average reference length.

    >>> statistics(["a"], [["b", "a"], []])
    [1, 1.0]
    """
    if not references:
        return [len(hypothesis), 0]
    fewest = min(edits(hypothesis, reference) for reference in references)
    return [fewest, sum(map(len, references)) / len(references)]
