"""What two texts share, in plain Python: the twin of cpp/overlap.hpp and cpp/subsequence.hpp."""

from collections.abc import Sequence

from tertium.native.reference.bleu import ngrams

Tokens = Sequence[str]


def common_subsequence(first: Tokens, second: Tokens) -> int:
    """The length of the longest common subsequence, by the table of all pairs of beginnings.

    >>> common_subsequence("a b c d".split(), "b x d a".split())
    2
    """
    above = [0] * (len(second) + 1)
    for token in first:
        row = [0]
        for column, other in enumerate(second):
            row.append(above[column] + 1 if token == other else max(above[column + 1], row[column]))
        above = row
    return above[-1]


def statistics(
    hypothesis: Tokens, references: Sequence[Tokens | None], rule: str = "ngrams", shortest: int = 1, longest: int = 1
) -> list[list[int]]:
    """For each reference: matching parts of hypothesis and reference, and all parts; -1 for a missing one."""
    everything = {token for reference in references if reference is not None for token in reference}
    rows = []
    for reference in references:
        if reference is None:
            rows.append([-1] * 4)
        elif rule == "ngrams":
            pairs = [(ngrams(hypothesis, n), ngrams(reference, n)) for n in range(shortest, longest + 1)]
            shared = sum((mine & theirs).total() for mine, theirs in pairs)
            rows.append([shared, shared, sum(m.total() for m, _ in pairs), sum(t.total() for _, t in pairs)])
        else:
            if rule == "subsequence":
                found = back = common_subsequence(hypothesis, reference)
            else:
                wanted = everything if rule == "anywhere" else set(reference)
                found = sum(token in wanted for token in hypothesis)
                back = sum(token in set(hypothesis) for token in reference)
            rows.append([found, back, len(hypothesis), len(reference)])
    return rows
