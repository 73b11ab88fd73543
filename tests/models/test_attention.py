"""The slots of attention: written in place, and values all the same; rows see their ancestors and nobody else's."""

import pytest
import torch

from tertium.models.attention import GROWTH, Attention, Rows, Slots


def numbered(first: int, count: int) -> torch.Tensor:
    """Keys (1 sentence, 1 head, count, 1) that are their own numbers."""
    return torch.arange(first, first + count, dtype=torch.float32).view(1, 1, count, 1)


def contents(slots: Slots, length: int) -> list[float]:
    assert torch.equal(slots.values[:, :, :length], -slots.keys[:, :, :length])
    return slots.keys[0, 0, :length, 0].tolist()


def appended(slots: Slots, first: int, count: int, length: int) -> Slots:
    return slots.append(numbered(first, count), -numbered(first, count), length)


@pytest.mark.parametrize("gradients", [False, True])
def test_whoever_comes_second_continues_on_a_copy(gradients: bool) -> None:
    """Two continuations of the same slots both keep what they wrote, and what was before."""
    with torch.set_grad_enabled(gradients):
        root = appended(Slots.empty(1, 1, 1, torch.zeros(1)), 0, 3, 0)
        first = appended(root, 10, 2, 3)
        second = appended(root, 20, 1, 3)
        third = appended(first, 30, 1, 5)
        fourth = appended(first, 40, 1, 4)  # from the middle
    assert contents(root, 3) == [0, 1, 2]
    assert contents(first, 5) == [0, 1, 2, 10, 11]
    assert contents(second, 4) == [0, 1, 2, 20]
    assert contents(third, 6) == [0, 1, 2, 10, 11, 30]
    assert contents(fourth, 5) == [0, 1, 2, 10, 40]


def test_slots_are_written_in_place_and_grow_by_shares() -> None:
    """The first to go on copies nothing, so n steps copy a number of slots that grows as n, not as n squared."""
    with torch.inference_mode():
        slots, places = appended(Slots.empty(1, 1, 1, torch.zeros(1)), 0, 1, 0), set()
        for length in range(1, 1000):
            slots = appended(slots, length, 1, length)
            places.add(slots.keys.data_ptr())
    assert contents(slots, 1000) == list(range(1000))
    assert len(places) < 1000 / GROWTH / 2


def test_rows_see_their_ancestors() -> None:
    """One source of two slots; two rows part, the second is taken twice, then each of the three goes on.

    The slots are [source, source, a, b, c, d, e] where a and b were written by the two rows after they parted, and
    c, d, e by the three: the first comes from a, the others from b. By hand:
    """
    rows, _ = Rows(1, 1, None, 2).pick(torch.tensor([0, 0]))
    rows, queries = rows.extend(1)
    assert queries is not None
    assert queries[0].int().tolist() == [[1, 1, 1, 0], [1, 1, 0, 1]]
    rows, moved = rows.pick(torch.tensor([0, 1, 1]))
    assert moved is None
    rows, queries = rows.extend(1)
    assert queries is not None
    assert queries[0].int().tolist() == [
        [1, 1, 1, 0, 1, 0, 0],
        [1, 1, 0, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 0, 1],
    ]


def test_several_new_tokens_see_each_other_in_order() -> None:
    """Two rows with two new tokens each: the second of a row sees the first, the first not the second."""
    rows, _ = Rows(1, 1, None, 1).pick(torch.tensor([0, 0]))
    rows, queries = rows.extend(2)
    assert queries is not None
    assert queries[0].int().tolist() == [
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 0, 0, 1, 0],
        [1, 0, 0, 1, 1],
    ]
    _, queries = rows.extend(1)
    assert queries is not None
    assert queries[0].int().tolist() == [[1, 1, 1, 0, 0, 1, 0], [1, 0, 0, 1, 1, 0, 1]]


def test_attention_is_its_formula() -> None:
    """softmax(Q K' / sqrt(d)) V, head by head, of what is not masked."""
    torch.manual_seed(0)
    attention = Attention(6, 2)
    inputs = torch.randn(2, 4, 6)
    mask = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]], dtype=torch.bool)  # (sentences, length)
    found = attention(inputs, mask[:, None, None])
    queries, keys, values = attention.query_key_value(inputs).chunk(3, -1)
    parts = []
    for head in (slice(0, 3), slice(3, 6)):
        scores = queries[..., head] @ keys[..., head].transpose(1, 2) / 3**0.5
        weights = scores.exp() * mask[:, None]
        parts.append(weights / weights.sum(-1, keepdim=True) @ values[..., head])
    torch.testing.assert_close(found, attention.out(torch.cat(parts, -1)), rtol=0, atol=1e-6)
