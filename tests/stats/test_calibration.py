"""Long simulations: intervals cover as often as they say, and p-values are uniform where nothing differs."""

import numpy as np
import pytest

from tertium.metrics.bleu import BLEU
from tertium.metrics.rows import leave_one_out
from tertium.native import Rows
from tertium.stats.bootstrap import (
    bca_interval,
    bootstrap_scores,
    folded_p_values,
    percentile_interval,
    shifted_p_values,
)
from tertium.stats.comparison import MetricComparison
from tertium.stats.means import mean, rows_of
from tertium.stats.randomisation import randomisation_p_values
from tertium.stats.settings import Settings

pytestmark = pytest.mark.slow
EXPERIMENTS = 2000


def bleu_rows(generator: np.random.Generator, systems: int, segments: int) -> Rows:
    """Rows of BLEU with two orders whose segments are drawn from one population; systems err alike, not the same."""
    lengths = generator.integers(5, 40, segments)
    difficulty = generator.beta(6, 4, segments)
    unigrams = generator.binomial(lengths, difficulty, (systems, segments))
    bigrams = generator.binomial(np.minimum(unigrams, lengths - 1), difficulty)
    shape = unigrams.shape
    columns = [np.broadcast_to(lengths, shape), np.broadcast_to(lengths, shape), unigrams, bigrams]
    return np.stack([*columns, columns[0], columns[0] - 1], axis=-1).astype(np.float64)


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_intervals_of_bleu_cover(interval: str) -> None:
    """Of 2,000 test sets of 200 segments, 95% have an interval that holds the population's BLEU (4 errors and 1%)."""
    score = BLEU(order=2).score
    truth = float(score(bleu_rows(np.random.default_rng(0), 1, 2_000_000).sum(axis=1))[0])
    generator = np.random.default_rng(1)
    covered = 0
    for experiment in range(EXPERIMENTS):
        rows = bleu_rows(generator, 1, 200)
        draws = bootstrap_scores(rows, score, samples=1000, seed=experiment)
        if interval == "bca":
            low, high = bca_interval(draws, score(rows.sum(axis=1)), leave_one_out(rows, score))[:, 0]
        else:
            low, high = percentile_interval(draws)[:, 0]
        covered += low <= truth <= high
    assert covered / EXPERIMENTS == pytest.approx(0.95, abs=4 * (0.95 * 0.05 / EXPERIMENTS) ** 0.5 + 0.01)


def test_bca_covers_a_skewed_mean_better_than_percentiles() -> None:
    """The mean of 30 lognormal values: both fall short of 95%, BCa by less; that is what it is for."""
    generator = np.random.default_rng(2)
    truth, covered = float(np.exp(0.5)), {"percentile": 0, "bca": 0}
    for experiment in range(EXPERIMENTS):
        rows = rows_of(generator.lognormal(size=30))
        draws = bootstrap_scores(rows, mean, samples=1000, seed=experiment)
        bca = bca_interval(draws, mean(rows.sum(axis=1)), leave_one_out(rows, mean))[:, 0]
        plain = percentile_interval(draws)[:, 0]
        covered["bca"] += bool(bca[0] <= truth <= bca[1])
        covered["percentile"] += bool(plain[0] <= truth <= plain[1])
    assert covered["percentile"] < covered["bca"] < 0.95 * EXPERIMENTS


def p_values_under_the_null(test: str) -> np.ndarray:
    """p-values of 2,000 pairs of systems that are equally good."""
    score, generator = BLEU(order=2).score, np.random.default_rng(3)
    p_values = []
    for experiment in range(EXPERIMENTS):
        rows = bleu_rows(generator, 2, 200)
        if test == "randomisation":
            p_values.append(randomisation_p_values(rows, score, [(0, 1)], samples=499, seed=experiment)[0])
            continue
        draws = bootstrap_scores(rows, score, samples=499, seed=experiment)
        differences = draws[:, 0] - draws[:, 1]
        observed = score(rows.sum(axis=1))
        p_value_of = shifted_p_values if test == "bootstrap" else folded_p_values
        p_values.append(p_value_of(differences, observed[0] - observed[1]))
    return np.array(p_values, dtype=np.float64)


def rejections(test: str, segments: int) -> float:
    """How often a test at 5% rejects, of 2,000 pairs of equally good systems on so few segments."""
    score, generator, rejected = BLEU(order=2).score, np.random.default_rng(4), 0
    for experiment in range(EXPERIMENTS):
        rows = bleu_rows(generator, 2, segments)
        settings = Settings(test, samples=499, seed=experiment, interval="none")
        rejected += bool(MetricComparison(BLEU(order=2), ("a", "b"), rows, 0, settings).p_values[1] <= 0.05)
    assert score(rows.sum(axis=1)).shape == (2,)
    return rejected / EXPERIMENTS


@pytest.mark.parametrize("segments", [5, 8, 20])
def test_few_segments_deceive_the_bootstrap_and_not_the_permutation_test(segments: int) -> None:
    """The permutation test keeps its level on any number of segments; the bootstrap rejects more often than it says."""
    assert rejections("permutation", segments) <= 0.05 + 4 * (0.05 * 0.95 / EXPERIMENTS) ** 0.5
    assert rejections("bootstrap", segments) > 0.055


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_p_values_are_uniform_under_the_null(test: str) -> None:
    """Where systems are equally good, the share of p-values up to each level is the level, within 4 errors and 0.5%."""
    p_values = p_values_under_the_null(test)
    for level in (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9):
        allowed = 4 * (level * (1 - level) / EXPERIMENTS) ** 0.5 + 0.005
        assert float((p_values <= level).mean()) == pytest.approx(level, abs=allowed)


def test_folded_p_values_reject_twice_as_often_as_they_say() -> None:
    """At the level of 5% sacreBLEU's bootstrap p-value rejects 11% of true null hypotheses, and none is above 0.5.

    With normal differences, t = |d| / sd and m = E|Z + t|, p(t) = P(Z > m) + P(Z < -2t - m). So p = 0.05 at m = 1.645,
    that is at t = 1.6, which true null hypotheses exceed with P(|Z| > 1.6) = 0.11; and p(0) = P(|Z| > 0.798) = 0.425.
    """
    p_values = p_values_under_the_null("folded")
    allowed = 4 * (0.11 * 0.89 / EXPERIMENTS) ** 0.5 + 0.005  # as for the others
    assert float((p_values <= 0.05).mean()) == pytest.approx(0.11, abs=allowed)
    assert p_values.max() < 0.5
