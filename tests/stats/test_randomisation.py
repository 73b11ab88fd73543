"""Exchange tests: a textbook's exact value, every arrangement by brute force, and sampling error around them."""

from itertools import product

import numpy as np
import pytest

from tertium.errors import InputError, OptionError
from tertium.metrics.bleu import BLEU
from tertium.native import Rows
from tertium.stats import Score, randomisation
from tertium.stats.means import mean, rows_of
from tertium.stats.randomisation import permutation_p_values, randomisation_p_values

# Differences in height of 15 pairs of cross- and self-fertilised maize plants, in eighths of an inch (Darwin, 1876).
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def brute_force(rows: Rows, score: Score) -> float:
    """The share of all exchanges of segments between two systems that reach the observed difference."""
    observed = abs(score(rows[0].sum(axis=0)) - score(rows[1].sum(axis=0)))
    reaching = 0
    for kept in product([True, False], repeat=rows.shape[1]):
        keep = np.array(kept)[:, None]
        first = np.where(keep, rows[0], rows[1]).sum(axis=0)
        second = np.where(keep, rows[1], rows[0]).sum(axis=0)
        reaching += bool(abs(score(first) - score(second)) >= observed - 1e-9)
    return reaching / 2 ** rows.shape[1]


def small_bleu_rows(systems: int = 2, segments: int = 8) -> Rows:
    """Plausible rows of BLEU with two orders."""
    generator = np.random.default_rng(11)
    lengths = generator.integers(8, 30, (systems, segments))
    references = np.broadcast_to(generator.integers(8, 30, segments), lengths.shape)
    unigrams = generator.integers(3, 8, lengths.shape)
    bigrams = generator.integers(0, 3, lengths.shape)
    return np.stack([lengths, references, unigrams, bigrams, lengths, lengths - 1], axis=-1).astype(np.float64)


def test_darwins_maize() -> None:
    """Fisher (The Design of Experiments, 1935, section 21): 863 of 32,768 sign patterns reach the sum of 314."""
    rows = rows_of(DARWIN, np.zeros(15))
    assert permutation_p_values(rows, mean, [(0, 1)]).tolist() == [2 * 863 / 32768]


@pytest.mark.parametrize(("score", "rows"), [
    (mean, rows_of([3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8])),
    (mean, rows_of([0.4, 0.2, 0.5, 0.4, 0.9, 0.6, 0.8, 0.8], [0.2, 0.1, 0.4, 0.3, 0.6, 0.5, 0.8, 0.9])),
    (BLEU(order=2).score, small_bleu_rows()),
])  # fmt: skip
def test_exact_permutation_equals_brute_force(score: Score, rows: Rows) -> None:
    """All 256 arrangements of 8 segments, one after another, give the same p-value: means with ties, and BLEU."""
    expected = brute_force(rows, score)
    assert 0 < expected < 1
    assert permutation_p_values(rows, score, [(0, 1)]).tolist() == [expected]


def test_randomisation_estimates_the_exact_value() -> None:
    """10,000 trials come within 5 standard errors of the exact p-value of Darwin's maize, 0.0527."""
    exact = 2 * 863 / 32768
    (estimate,) = randomisation_p_values(rows_of(DARWIN, np.zeros(15)), mean, [(0, 1)], samples=10_000)
    assert estimate == pytest.approx(exact, abs=5 * (exact * (1 - exact) / 10_000) ** 0.5)


def test_segments_without_a_difference_do_not_count_for_exactness() -> None:
    """Five differing segments among thirty are tested exactly: all one way, p = 2 / 2^5."""
    first = np.arange(30.0)
    second = first + (np.arange(30) % 6 == 0)
    assert permutation_p_values(rows_of(first, second), mean, [(0, 1)]).tolist() == [2 / 32]


def test_a_system_against_itself_has_p_1() -> None:
    """No difference at all is no evidence at all, exactly and by sampling, on fractions too."""
    rows = rows_of(np.random.default_rng(1).random(50), np.random.default_rng(1).random(50))
    assert permutation_p_values(rows, mean, [(0, 1)]).tolist() == [1.0]
    assert randomisation_p_values(rows, mean, [(0, 1)], samples=100).tolist() == [1.0]


def test_the_smallest_p_value_counts_the_observed_arrangement() -> None:
    """A difference that no trial reaches has p = 1 / (trials + 1), never 0."""
    rows = rows_of(np.zeros(60), np.ones(60))
    assert randomisation_p_values(rows, mean, [(0, 1)], samples=99).tolist() == [0.01]


def test_pairs_are_tested_alike_alone_and_together_and_either_way() -> None:
    """The p-value of a pair does not depend on the other pairs asked for, nor on its order."""
    generator = np.random.default_rng(2)
    rows = rows_of(*generator.normal(size=(4, 60)))
    pairs = [(0, 1), (2, 3), (3, 1), (1, 0)]
    together = randomisation_p_values(rows, mean, pairs, samples=500)
    alone = [float(randomisation_p_values(rows, mean, [pair], samples=500)[0]) for pair in pairs]
    assert together.tolist() == alone
    assert together[0] == together[3]


def test_pieces_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials made in pieces, or by several threads, give the same p-values."""
    rows, score, pairs = small_bleu_rows(3, 40), BLEU(order=2).score, [(0, 1), (0, 2)]
    whole = randomisation_p_values(rows, score, pairs, samples=2000, threads=1)
    assert 0.001 < whole.min() < whole.max() < 1
    assert np.array_equal(whole, randomisation_p_values(rows, score, pairs, samples=2000, threads=2))
    monkeypatch.setattr(randomisation, "MEMORY", 8 * 18 * 300)
    monkeypatch.setattr(randomisation, "PIECE", 1)
    assert np.array_equal(whole, randomisation_p_values(rows, score, pairs, samples=2000))


def test_a_pair_does_not_feel_another_system_explode() -> None:
    """A third system with a perplexity of 10^13 leaves the p-value of the two others as it is."""
    generator = np.random.default_rng(0)
    first, second = generator.normal(5, 1, 200), generator.normal(5.5, 1, 200)
    (alone,) = randomisation_p_values(rows_of(first, second), mean, [(0, 1)])
    (beside,) = randomisation_p_values(rows_of(first, second, np.full(200, 1e13)), mean, [(0, 1)])
    assert alone == beside < 0.01


@pytest.mark.parametrize("size", [1.0, 1e6])
def test_exact_values_hold_where_scores_cancel(size: float) -> None:
    """Centred scores, whose sum is 0 but for rounding: p-values equal those of whole tenths, which are exact."""
    generator = np.random.default_rng(7)
    for _ in range(200):
        tenths = generator.integers(-9, 10, (2, 6))
        tenths[:, -1] -= tenths.sum(axis=1)  # each system sums to 0, so every exchange reaches the difference
        tenths[1, -1] += generator.integers(0, 2)
        exact = brute_force(rows_of(*tenths), mean)
        assert permutation_p_values(rows_of(*(tenths / 10 * size)), mean, [(0, 1)]).tolist() == [exact]


def test_nothing_to_test_is_no_error() -> None:
    """No pairs have no p-values; rows that are not those of systems are refused."""
    rows = rows_of([1, 2], [2, 1])
    assert randomisation_p_values(rows, mean, []).shape == permutation_p_values(rows, mean, []).shape == (0,)
    for test in (randomisation_p_values, permutation_p_values):
        with pytest.raises(InputError, match=r"shape \(2, 2\)"):
            test(rows[0], mean, [(0, 1)])


def test_no_trials_are_refused() -> None:
    """A randomisation test without trials is an error."""
    with pytest.raises(OptionError, match="samples is 0"):
        randomisation_p_values(rows_of([1, 2], [2, 1]), mean, [(0, 1)], samples=0)
