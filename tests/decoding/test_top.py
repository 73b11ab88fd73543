"""The k largest numbers that the core finds are those that torch finds."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tertium.decoding.top import padded_top, top

BLOCK = 64  # of which the core looks at the maximum


@given(st.integers(1, 4), st.integers(1, 12 * BLOCK), st.integers(1, 20), st.integers(0, 2**32), st.booleans())
def test_values_equal_those_of_torch(rows, size, k, seed, ties):
    """Equal values in equal order, also with many ties and minus infinities; each place holds its value, once."""
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(rows, size, generator=generator)
    if ties:
        scores = (2 * scores).round()
        scores[scores > 3] = float("-inf")
    values, places = top(scores, k)
    assert values.tolist() == scores.topk(min(k, size)).values.tolist()
    assert scores.gather(1, places).tolist() == values.tolist()
    assert all(len(set(row)) == len(row) for row in places.tolist())


@pytest.mark.parametrize("size", [3 * BLOCK, 40 * BLOCK, 40 * BLOCK + 7])
def test_a_row_gives_the_same_in_any_company(size):
    """Which of equal numbers is taken does not depend on the other rows."""
    scores = torch.randn(8, size, generator=torch.Generator().manual_seed(size)).mul(3).round()
    together = top(scores, 4)
    for row in range(8):
        alone = top(scores[row : row + 1], 4)
        assert alone[1][0].tolist() == together[1][row].tolist()


def test_rows_with_too_few_numbers_are_filled_up():
    """Minus infinity at place 0 stands for what is not there."""
    values, places = padded_top(torch.tensor([[1.0, 3.0]]), 4)
    assert values.tolist() == [[3.0, 1.0, float("-inf"), float("-inf")]]
    assert places.tolist() == [[1, 0, 0, 0]]
