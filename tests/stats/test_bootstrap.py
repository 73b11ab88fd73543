"""Bootstrap scores, intervals and p-values: against the definition, SciPy on the same draws, and cases by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from tertium.errors import OptionError
from tertium.metrics.bleu import BLEU
from tertium.metrics.rows import leave_one_out
from tertium.native.reference.resample import bootstrap_draw
from tertium.stats import bootstrap
from tertium.stats.bootstrap import (
    bca_interval,
    bootstrap_scores,
    folded_p_values,
    percentile_interval,
    shifted_p_values,
)
from tertium.stats.means import mean, rows_of

SKEWED = np.random.default_rng(3).lognormal(sigma=1.0, size=40)


def test_a_draw_is_the_score_of_a_resampled_test_set() -> None:
    """Scoring the texts that the twin draws, drawn text by text, gives the bootstrap's scores (BLEU)."""
    hypotheses = ["the cat sat on the mat", "a dog barks at night", "no match here", "it rains again in this town"]
    references = ["the cat is on the mat", "a dog barks all night", "something else", "it rains again in this town"]
    metric = BLEU(order=2)
    got = bootstrap_scores(metric.statistics(hypotheses, references)[None], metric.score, samples=20, seed=77)[:, 0]
    for d in range(20):
        drawn = bootstrap_draw(4, 77, d)
        rows = metric.statistics([hypotheses[i] for i in drawn], [references[i] for i in drawn])
        assert got[d] == pytest.approx(float(metric.score(rows.sum(axis=0))), abs=1e-9)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_intervals_equal_scipys_on_the_same_draws(method: str, confidence: float) -> None:
    """SciPy's percentile and BCa intervals of a skewed sample's mean, computed from our draws, are ours to 1e-9."""
    rows = rows_of(SKEWED)
    draws = bootstrap_scores(rows, mean, samples=2000, seed=1)
    without = leave_one_out(rows, mean)
    ours = (
        percentile_interval(draws, confidence)
        if method == "percentile"
        else bca_interval(draws, mean(rows.sum(axis=1)), without, confidence)
    )
    theirs = scipy.stats.bootstrap(
        (SKEWED,),
        np.mean,
        n_resamples=0,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=draws[:, 0]),
        confidence_level=confidence,
        method=method,
    ).confidence_interval
    assert ours[:, 0] == pytest.approx([theirs.low, theirs.high], abs=1e-9)


def test_intervals_equal_scipys_on_its_own_draws_within_sampling_error() -> None:
    """With 20,000 draws each, the ends differ by less than 5 standard errors of a 2.5% quantile.

    Standard error: sqrt(0.025 0.975 / 20000) / phi(1.96) = 0.019 standard deviations of the draws, times sqrt 2.
    """
    rows = rows_of(SKEWED)
    draws = bootstrap_scores(rows, mean, samples=20_000, seed=2)
    ours = bca_interval(draws, mean(rows.sum(axis=1)), leave_one_out(rows, mean))[:, 0]
    theirs = scipy.stats.bootstrap((SKEWED,), np.mean, n_resamples=20_000, rng=5, method="BCa").confidence_interval
    allowed = 5 * 2**0.5 * 0.019 * draws.std()
    assert ours == pytest.approx([theirs.low, theirs.high], abs=allowed)
    assert np.abs(ours - percentile_interval(draws)[:, 0]).max() > allowed, "the case cannot tell BCa from percentile"


def test_bca_of_several_statistics_is_bca_of_each() -> None:
    """A batch of systems gives each system's own interval."""
    rows = rows_of(SKEWED, SKEWED[::-1] ** 2, np.zeros(40))
    draws, without = bootstrap_scores(rows, mean), leave_one_out(rows, mean)
    observed = mean(rows.sum(axis=1))
    together = bca_interval(draws, observed, without)
    for i in range(3):
        assert together[:, i].tolist() == bca_interval(draws[:, i], observed[i], without[i]).tolist()
    assert together[:, 2].tolist() == [0.0, 0.0]


def test_bca_on_one_side_is_the_percentile_interval() -> None:
    """Where all draws lie on one side of the observed score there is no bias to correct by."""
    draws, without = np.arange(1.0, 102.0), np.random.default_rng(0).lognormal(size=20)
    for observed in (0.0, 200.0):
        assert bca_interval(draws, observed, without).tolist() == percentile_interval(draws).tolist()


def test_bca_counts_ties_half() -> None:
    """Draws 0 1 1 2 around an observed 1: half lie below, so z0 = 0; without acceleration that is the percentile's."""
    draws = np.array([0.0, 1.0, 1.0, 2.0])
    symmetric = np.array([-1.0, 1.0])  # leaving one out moves the score as far either way: no acceleration
    assert bca_interval(draws, 1.0, symmetric).tolist() == pytest.approx(percentile_interval(draws).tolist())


def test_shifted_p_values_by_hand() -> None:
    """Draws 1, 2, 3, 6 have mean 3 and deviations 2, 1, 0, 3: a difference of 2 is reached twice, so p = 3/5."""
    draws = np.array([1.0, 2.0, 3.0, 6.0])
    assert float(shifted_p_values(draws, 2.0)) == 3 / 5
    assert float(shifted_p_values(draws, -2.0)) == 3 / 5
    assert float(shifted_p_values(draws, 3.5)) == 1 / 5
    assert shifted_p_values(np.stack([draws, -draws], axis=1), np.array([2.0, 3.5])).tolist() == [3 / 5, 1 / 5]


def test_folded_p_values_by_hand() -> None:
    """Draws -1, 2, 3, 6 fold to 1, 2, 3, 6 with mean 3: only 6 - 3 exceeds 2, so p = 2/5; nothing exceeds 3."""
    draws = np.array([-1.0, 2.0, 3.0, 6.0])
    assert float(folded_p_values(draws, 2.0)) == 2 / 5
    assert float(folded_p_values(draws, -3.0)) == 1 / 5


def test_pieces_do_not_change_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """When totals do not fit the memory allowed they are made in pieces, and the scores stay the same."""
    rows = rows_of(SKEWED, SKEWED[::-1])
    whole = bootstrap_scores(rows, mean, samples=100)
    monkeypatch.setattr(bootstrap, "MEMORY", 8 * 4 * 7)  # seven draws of two systems' two columns
    assert np.array_equal(whole, bootstrap_scores(rows, mean, samples=100))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_do_not_change_scores(threads: int) -> None:
    """The same scores for every number of threads and in every run."""
    rows = rows_of(SKEWED)
    assert np.array_equal(bootstrap_scores(rows, mean), bootstrap_scores(rows, mean, threads=threads))


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, -0.5])
def test_a_confidence_that_is_no_share_is_refused(confidence: float) -> None:
    """95 instead of 0.95 is an error that says so."""
    with pytest.raises(OptionError, match=r"0\.95"):
        percentile_interval(np.arange(10.0), confidence)


def test_no_draws_are_refused() -> None:
    """A bootstrap of no draws is an error."""
    with pytest.raises(OptionError, match="samples is 0"):
        bootstrap_scores(rows_of(SKEWED), mean, samples=0)
