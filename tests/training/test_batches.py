"""Every epoch holds every pair once, in batches of bounded size, in an order that seed and epoch decide."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tertium.models.network import END
from tertium.training.batches import Batch, TokenBatches, batch_of

PAIRS = [([10 + i] * (1 + i % 7) + [END], [50 + i] * (1 + i % 5) + [END]) for i in range(40)]


def take(batches: TokenBatches, place: int, stride: int, number: int) -> list[Batch]:
    """Some batches."""
    return list(itertools.islice(batches.from_place(place, stride), number))


def same(one: list[Batch], other: list[Batch]) -> bool:
    """Whether batches are equal."""
    return [[each.tolist() for each in batch] for batch in one] == [[each.tolist() for each in b] for b in other]


@given(st.integers(1, 60), st.integers(0, 3), st.integers(0, 2))
def test_an_epoch_has_every_pair_once_within_the_budget(tokens: int, seed: int, epoch: int) -> None:
    """A batch's longest item times its number stays within the tokens, unless it is alone."""
    batches = TokenBatches(PAIRS, tokens=tokens, seed=seed)
    order = batches.order(epoch)
    assert sorted(itertools.chain(*order)) == list(range(len(PAIRS)))
    for batch in order:
        assert len(batch) == 1 or len(batch) * max(batches.lengths[i] for i in batch) <= tokens


def test_epochs_and_seeds_differ_and_can_be_repeated() -> None:
    """The same seed and epoch give the same batches."""
    batches = TokenBatches(PAIRS, tokens=30, seed=1)
    assert batches.order(0) == TokenBatches(PAIRS, tokens=30, seed=1).order(0)
    assert batches.order(0) != batches.order(1)
    assert batches.order(0) != TokenBatches(PAIRS, tokens=30, seed=2).order(0)


def test_going_on_from_a_place_gives_what_came_there() -> None:
    """Also beyond the end of the first epoch, and of the second."""
    batches = TokenBatches(PAIRS, tokens=30, seed=1)
    each = len(batches.order(0))
    whole = take(batches, 0, 1, 3 * each)
    for place in (0, 1, each - 1, each, 2 * each + 1):
        assert same(take(batches, place, 1, 5), whole[place : place + 5])


def test_strides_share_the_batches_among_processes() -> None:
    """Two processes together see what one would, turn by turn."""
    batches = TokenBatches(PAIRS, tokens=30, seed=1)
    halves = [take(batches, rank, 2, 20) for rank in (0, 1)]
    assert same([batch for pair in zip(*halves, strict=True) for batch in pair], take(batches, 0, 1, 40))


def test_a_batch_is_padded_on_the_right() -> None:
    """With what the network takes for padding."""
    batch = batch_of([([5, END], [6, 7, END]), ([8, 9, 4, END], [END])])
    assert batch.source.tolist() == [[5, END, 0, 0], [8, 9, 4, END]]
    assert batch.target.tolist() == [[6, 7, END], [END, 0, 0]]
    assert batch_of([([5], [6]), ([5, 6], [7])], -1).source.tolist() == [[5, -1], [5, 6]]
