"""The edits of one pair of token lists."""

from collections.abc import Sequence

from tertium.metrics.ter import TER


def translation_edit_rate(words_hyp: Sequence[str], words_ref: Sequence[str]) -> tuple[int, int]:
    """How many edits, shifts among them, turn one token list into the other; and how long the other is.

    >>> translation_edit_rate(["b", "c", "a"], ["a", "b", "c"])
    (1, 3)
    """
    rows = TER(case_sensitive=True).statistics([list(words_hyp)], [[list(words_ref)]], threads=1)
    return int(rows[0, 0]), len(words_ref)
