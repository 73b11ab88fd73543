"""WER's and CER's statistics in plain Python: the twin of cpp/wer.hpp and of `Levenshtein` in cpp/edit_distance.hpp."""

from collections.abc import Sequence


def distances(hypothesis: Sequence[str], reference: Sequence[str]) -> list[list[int]]:
    """The edit distance of every beginning of one text to every beginning of the other."""
    rows = [list(range(len(reference) + 1))]
    for token in hypothesis:
        row = [rows[-1][0] + 1]
        for column, other in enumerate(reference):
            row.append(min(rows[-1][column] + (token != other), rows[-1][column + 1] + 1, row[column] + 1))
        rows.append(row)
    return rows


def kinds(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[int, int, int]:
    """Substitutions, deletions and insertions of one shortest way to the reference.

    >>> kinds("a b c".split(), "b c d".split())
    (0, 1, 1)
    """
    while hypothesis and reference and hypothesis[0] == reference[0]:
        hypothesis, reference = hypothesis[1:], reference[1:]
    while hypothesis and reference and hypothesis[-1] == reference[-1]:
        hypothesis, reference = hypothesis[:-1], reference[:-1]
    found = distances(hypothesis, reference)
    row, column = len(hypothesis), len(reference)
    substitutions = deletions = insertions = 0
    while row and column:
        if found[row][column] == found[row][column - 1] + 1:
            deletions += 1
            column -= 1
        elif found[row - 1][column] < found[row - 1][column - 1]:
            insertions += 1
            row -= 1
        else:
            substitutions += hypothesis[row - 1] != reference[column - 1]
            row -= 1
            column -= 1
    return substitutions, deletions + column, insertions + row


def characters(text: str, whitespace: bool = True) -> list[str]:
    """The code points of a text, without white space at its ends; `whitespace=False`: without any.

    >>> characters(" a b "), characters(" a b ", whitespace=False)
    (['a', ' ', 'b'], ['a', 'b'])
    """
    return list(text.strip() if whitespace else "".join(text.split()))


def statistics(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> list[int]:
    """One segment's row: edits, length, substitutions, deletions and insertions of the nearest reference.

    >>> statistics("a b".split(), ["a c".split(), "a d b".split()])
    [1, 3, 0, 1, 0]
    """
    if not references:
        return [len(hypothesis), 0, 0, 0, len(hypothesis)]
    rows = []
    for reference in references:
        counts = kinds(hypothesis, reference)
        rows.append([sum(counts), len(reference), *counts])
    return min(rows, key=lambda row: (row[0], -row[1]))
