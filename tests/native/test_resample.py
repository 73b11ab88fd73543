"""The core's resampling: its generator against published vectors, its sums against the readable twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tertium.errors import InputError, OptionError
from tertium.native import _core
from tertium.native.reference import resample as twin
from tertium.native.resample import bootstrap_totals, subset_totals

# Known answers for philox4x32-10 from the authors' Random123 distribution: counter, key, result.
PUBLISHED = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]

KINDS = {
    "small whole numbers (16 bits)": st.integers(-5461, 5461),
    "large whole numbers": st.integers(-(2**40), 2**40),
    "fractions of 1024 (exact in any order)": st.integers(-(2**30), 2**30).map(lambda n: n / 1024),
}


@pytest.mark.parametrize(("counter", "key", "expected"), PUBLISHED)
def test_philox_gives_the_published_words(counter: str, key: str, expected: str) -> None:
    """Core and twin give the known answers that the authors of Philox publish."""
    c, k, words = (tuple(int(word, 16) for word in text.split()) for text in (counter, key, expected))
    assert tuple(_core.philox4x32(*c, *k)) == words
    assert twin.philox4x32(c, k) == words


def rows_of(kind: str) -> st.SearchStrategy[np.ndarray]:
    shapes = st.tuples(st.integers(1, 3), st.integers(1, 40), st.integers(1, 12))
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=KINDS[kind].map(float)))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1), first=st.integers(0, 2**32 - 20))
def test_bootstrap_totals_are_the_sums_of_the_twins_draws(
    kind: str, data: st.DataObject, seed: int, first: int
) -> None:
    """Every draw sums the rows of exactly the segments that the twin draws, whatever the numbers' kind."""
    rows = data.draw(rows_of(kind))
    got = bootstrap_totals(rows, first, first + 3, seed=seed, threads=1)
    for d in range(3):
        drawn = twin.bootstrap_draw(rows.shape[1], seed, first + d)
        assert got[d].tolist() == [twin.total(system.tolist(), drawn) for system in rows]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1), first=st.integers(0, 2**32 - 20))
def test_subset_totals_are_the_sums_of_the_twins_subsets(kind: str, data: st.DataObject, seed: int, first: int) -> None:
    """Every trial sums the rows of exactly the segments that the twin takes."""
    rows = data.draw(rows_of(kind))
    got = subset_totals(rows, first, first + 3, seed=seed, threads=1)
    for t in range(3):
        taken = twin.subset(rows.shape[1], seed, first + t)
        assert got[t].tolist() == [twin.total(system.tolist(), taken) for system in rows]


def test_exhaustive_trials_are_all_subsets() -> None:
    """With powers of two as rows, the total of trial t is t itself, for more segments than one group holds."""
    rows = 2.0 ** np.arange(14).reshape(1, 14, 1)
    assert np.array_equal(subset_totals(rows, 0, 2**14, exhaustive=True).ravel(), np.arange(2.0**14))


@pytest.mark.parametrize("value", [5461.0, -5461.0, 5462.0, 5461.5])
def test_sums_at_the_edge_of_sixteen_bits_do_not_overflow(value: float) -> None:
    """Rows that are all as large as the 16-bit path admits, or just larger, are summed exactly: 1000 equal rows."""
    rows = np.full((2, 1000, 9), value)
    assert (bootstrap_totals(rows, 0, 4, seed=3) == 1000 * value).all()
    everything = subset_totals(rows, 0, 600, seed=3)
    taken = subset_totals(np.ones((1, 1000, 1)), 0, 600, seed=3)
    assert (everything == taken * value).all()


@pytest.mark.parametrize("kind", ["whole", "float"])
def test_threads_and_pieces_change_nothing(kind: str) -> None:
    """The totals are the same to the last bit for 1, 2 and 5 threads, run again, or asked for in pieces."""
    generator = np.random.default_rng(7)
    rows = generator.integers(0, 90, (5, 333, 7)).astype(np.float64) + (0.1 if kind == "float" else 0.0)
    for totals in (bootstrap_totals, subset_totals):
        once = totals(rows, 0, 1300, seed=12345, threads=1)
        for threads in (1, 2, 5):
            assert np.array_equal(once, totals(rows, 0, 1300, seed=12345, threads=threads))
        pieces = [totals(rows, a, b, seed=12345, threads=2) for a, b in [(0, 1), (1, 700), (700, 1300)]]
        assert np.array_equal(once, np.concatenate(pieces))


def test_seeds_and_kinds_of_draws_differ() -> None:
    """Another seed gives other draws, in its upper half too."""
    rows = np.arange(50.0).reshape(1, 50, 1)
    totals = [bootstrap_totals(rows, 0, 20, seed=seed).tobytes() for seed in (1, 2, 1 + 2**32)]
    assert len(set(totals)) == 3


def test_numbers_that_would_be_one_too_many_are_drawn_again() -> None:
    """With a bound near 2^32 the first attempt is rejected almost half of the time; the result is below the bound."""
    bound = 2**31 + 1
    attempts = [twin.word(9, twin.BOOTSTRAP, 0, i) * bound & twin.LOW for i in range(200)]
    rejected = sum(low < 2**32 % bound for low in attempts)
    assert 60 < rejected < 140
    assert all(twin.below(bound, 9, 0, i) < bound for i in range(200))


def test_every_segment_is_drawn_equally_often() -> None:
    """Chi-square over 7 segments and 70,000 numbers stays below the 0.999999 quantile of 6 degrees of freedom, 38.3."""
    counts = bootstrap_totals(np.eye(7)[None], 0, 10_000, seed=5).sum(axis=0).ravel()
    assert counts.sum() == 70_000
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 38.3


def test_a_subset_takes_every_segment_half_the_time_and_independently() -> None:
    """Over 20,000 trials, single segments lie within 5 standard errors of 1/2 and pairs of neighbours of 1/4."""
    taken = subset_totals(np.eye(40)[None], 0, 20_000, seed=5)[:, 0]
    assert np.abs(taken.mean(axis=0) - 0.5).max() < 5 * 0.5 / 20_000**0.5
    pairs = (taken[:, :-1] * taken[:, 1:]).mean(axis=0)
    assert np.abs(pairs - 0.25).max() < 5 * (0.25 * 0.75 / 20_000) ** 0.5


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, None])
def test_a_seed_that_is_none_is_refused(seed: object) -> None:
    """Seeds are whole numbers of 64 bits."""
    with pytest.raises(OptionError, match="seed"):
        bootstrap_totals(np.ones((1, 2, 1)), 0, 1, seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(2, 3), (1, 0, 1), (0, 3, 1), (1, 3, 0)])
def test_rows_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    """Rows are (systems, segments, k), none of them 0."""
    with pytest.raises(InputError, match="shape"):
        subset_totals(np.ones(shape), 0, 1)


def test_rows_that_are_not_numbers_stay_so() -> None:
    """A NaN or infinity in a row makes the totals it enters NaN or infinite and no other."""
    rows = np.ones((1, 3, 2))
    rows[0, 1, 0] = np.nan
    totals = subset_totals(rows, 0, 8, exhaustive=True)[:, 0]
    assert np.array_equal(np.isnan(totals[:, 0]), [bool(t & 2) for t in range(8)])
    assert np.isfinite(totals[:, 1]).all()


def test_words_that_would_be_one_too_many_are_drawn_again() -> None:
    """Of 100,000 segments 1.6 words a draw are rejected (100,000 * (2^32 mod 100,000) / 2^32): both draw the same."""
    segments = 100_000
    numbers = np.arange(float(segments))[None, :, None]
    weights = np.concatenate([numbers, numbers**2], axis=-1)
    drawn = twin.bootstrap_draw(segments, seed=5, draw=3)
    rejected = sum(twin.word(5, twin.BOOTSTRAP, 3, i) * segments % 2**32 < 2**32 % segments for i in range(segments))
    assert rejected
    (got,) = bootstrap_totals(weights, 3, 4, seed=5)
    assert got[0].tolist() == [float(sum(drawn)), float(sum(i * i for i in drawn))]
