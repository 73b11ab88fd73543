"""Rows that stand by sentences: found where they do, and never claimed where they do not."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from tertium.models.layout import by_sentence


@st.composite
def picks(draw: st.DrawFn) -> tuple[list[int], int]:
    """Rows chosen from a few sentences, and how many rows each sentence has."""
    width = draw(st.integers(1, 4))
    rows = draw(st.lists(st.integers(0, 5 * width - 1), min_size=1, max_size=12))
    return draw(st.sampled_from([rows, sorted(rows)])), width


@given(picks())
def test_each_row_stays_with_its_sentence(pick: tuple[list[int], int]) -> None:
    """New row r belongs to new sentence r // width, which is the old sentence that the row it comes from was of."""
    rows, width = pick
    groups, each = by_sentence(torch.tensor(rows), width)
    assert len(groups) * each == len(rows)
    assert [int(groups[new // each]) for new in range(len(rows))] == [row // width for row in rows]


@given(st.lists(st.integers(0, 9), min_size=1, unique=True), st.integers(1, 4), st.integers(1, 4), st.randoms())
def test_what_stands_by_sentences_is_shared(sentences: list[int], width: int, new: int, random: object) -> None:
    """Sentences in their order, equally many rows of each: nothing is stored twice, whichever rows they are."""
    rows = [sentence * width + random.randrange(width) for sentence in sorted(sentences) for _ in range(new)]  # type: ignore[attr-defined]
    groups, each = by_sentence(torch.tensor(rows), width)
    assert groups.tolist() == sorted(sentences)
    assert each == new
