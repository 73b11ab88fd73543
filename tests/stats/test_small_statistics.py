"""Jackknife, Holm, clusters, effect sizes, power and groups: values by hand, by formula, and by SciPy."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.metrics.bleu import BLEU
from tertium.metrics.rows import group_rows, leave_one_out
from tertium.stats.bootstrap import bootstrap_scores, percentile_interval
from tertium.stats.clusters import rank_clusters, rank_ranges
from tertium.stats.effect import cohen_d, superiority
from tertium.stats.jackknife import acceleration, pseudo_values, standard_error
from tertium.stats.means import mean, rows_of
from tertium.stats.multiplicity import holm
from tertium.stats.power import minimum_detectable_difference, power_of_test, segments_needed

SAMPLE = [2.0, 3.0, 5.0, 11.0]
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_leaving_a_segment_out_is_scoring_the_others() -> None:
    """BLEU of the texts without one segment, computed from the texts, is the jackknife's value."""
    texts = ["the cat sat on the mat", "a dog barks at night", "it rains again in this town"]
    references = ["the cat is on the mat", "a dog barks all night", "it rains again in that town"]
    metric = BLEU(order=2)
    got = leave_one_out(metric.statistics(texts, references)[None], metric.score)[0]
    for i in range(3):
        rest = [j for j in range(3) if j != i]
        rows = metric.statistics([texts[j] for j in rest], [references[j] for j in rest])
        assert got[i] == pytest.approx(float(metric.score(rows.sum(axis=0))), abs=1e-9)


def test_the_jackknife_of_a_mean_is_elementary() -> None:
    """For a mean, pseudo-values are the scores and the standard error is s / sqrt(n): for 2, 3, 5, 11 s^2 = 16.25."""
    rows = rows_of(SAMPLE)
    pseudo = pseudo_values(mean(rows.sum(axis=1)), leave_one_out(rows, mean))
    assert pseudo[0] == pytest.approx(SAMPLE)
    assert standard_error(pseudo)[0] == pytest.approx((16.25 / 4) ** 0.5)


def test_acceleration_of_a_mean_is_a_sixth_of_its_skewness() -> None:
    """sum d^3 / (6 (sum d^2)^1.5): deviations -3.25, -2.25, -0.25, 5.75 have cubes 144.375 and squares 48.75."""
    assert acceleration(leave_one_out(rows_of(SAMPLE), mean))[0] == pytest.approx(144.375 / (6 * 48.75**1.5))
    assert acceleration(np.ones((1, 5))).tolist() == [0.0]


def test_one_segment_cannot_be_left_out() -> None:
    """The jackknife of a single segment is an error, not a division by zero."""
    with pytest.raises(InputError, match="at least two"):
        leave_one_out(rows_of([1.0]), mean)


def test_holm_by_hand() -> None:
    """Sorted .005 .01 .03 .04 times 4 3 2 1 is .02 .03 .06 .04, and the last may not fall below .06."""
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm(np.array([0.6, np.nan, 0.5])).tolist() == pytest.approx([1.0, np.nan, 1.0], nan_ok=True)
    assert holm(np.array([])).tolist() == []


@given(p_values, st.floats(0.001, 0.999))
def test_holm_rejects_what_the_step_down_procedure_rejects(p: list[float], level: float) -> None:
    """Corrected p <= level exactly where Holm's procedure, followed step by step, rejects."""
    rejected = set()
    for step, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if p[i] * (len(p) - step) > level:
            break
        rejected.add(i)
    assert {i for i, value in enumerate(holm(np.array(p))) if value <= level} == rejected


def test_clusters_by_hand() -> None:
    """A line is drawn only where all above differ from all below: b beats d, but c does not, so b, c, d stay."""
    scores = np.array([50.0, 40.0, 39.0, 38.0])
    differ = np.zeros((4, 4), bool)
    for i, j in [(0, 1), (0, 2), (0, 3), (1, 3)]:
        differ[i, j] = differ[j, i] = True
    assert rank_clusters(scores, differ).tolist() == [1, 2, 2, 2]
    assert rank_ranges(scores, differ).tolist() == [[1, 1], [2, 3], [2, 4], [3, 4]]
    assert rank_clusters(scores, differ, higher_is_better=False).tolist() == [2, 1, 1, 1]
    neighbours = np.array([[False, False, False], [False, False, True], [False, True, False]])
    assert rank_clusters(np.array([50.0, 40.0, 39.0]), neighbours).tolist() == [1, 1, 1], "a does not differ from c"
    assert rank_ranges(scores, differ, higher_is_better=False).tolist() == [[4, 4], [2, 3], [1, 3], [1, 2]]


def test_systems_in_any_order_get_the_same_clusters() -> None:
    """Clusters belong to systems, not to places in the list."""
    generator = np.random.default_rng(4)
    scores = generator.normal(size=9)
    differ = np.abs(scores[:, None] - scores) > 0.4
    clusters = rank_clusters(scores, differ)
    order = generator.permutation(9)
    assert rank_clusters(scores[order], differ[np.ix_(order, order)]).tolist() == clusters[order].tolist()
    assert 1 < clusters.max() < 9


def test_cohen_d_is_t_over_root_n() -> None:
    """SciPy's paired t statistic divided by sqrt(n) is d_z, for a metric that is a mean."""
    generator = np.random.default_rng(8)
    first, second = generator.normal(size=(2, 50))
    t = scipy.stats.ttest_rel(second, first).statistic
    scores = np.stack([first, second])  # of a mean, the pseudo-values are the scores
    assert cohen_d(scores, baseline=0) == pytest.approx([0.0, t / 50**0.5])
    assert cohen_d(scores, baseline=0, higher_is_better=False) == pytest.approx([0.0, -t / 50**0.5])


def test_a_constant_difference_is_infinitely_many_deviations() -> None:
    """The same difference on every segment has no spread: d is infinite with its sign, and 0 for no difference."""
    first = np.array([0.1, 0.2, 0.4])
    assert cohen_d(np.stack([first, first + 0.3, first - 0.3, first]), 0).tolist() == [0, np.inf, -np.inf, 0]


def test_superiority_counts_ties_half() -> None:
    """Two wins, one tie, one loss of four: 2.5 / 4; where lower is better the same is 1.5 / 4."""
    rows = rows_of([1, 1, 1, 1], [2, 2, 1, 0])
    assert superiority(rows, mean, 0).tolist() == [0.5, 0.625]
    assert superiority(rows, mean, 0, higher_is_better=False).tolist() == [0.5, 0.375]


def test_the_detectable_difference_has_the_power_asked_for() -> None:
    """(1.959964 + 0.841621) 0.1 = 0.280159, and a true difference of that size is found 80 times in 100."""
    difference = minimum_detectable_difference(0.1)
    assert difference == pytest.approx(0.2801585, abs=1e-6)
    assert power_of_test(difference, 0.1) == pytest.approx(0.8, abs=1e-5)
    assert power_of_test(0.0, 0.1) == pytest.approx(0.05)
    assert minimum_detectable_difference(0.1, confidence=0.99, power=0.9) == pytest.approx(0.3857381, abs=1e-6)


def test_half_the_difference_needs_four_times_the_segments() -> None:
    """The standard error falls with the root of the number of segments."""
    at = minimum_detectable_difference(0.25)
    assert segments_needed(at, 0.25, 1000) == 1000
    assert segments_needed(at / 2, 0.25, 1000) in (4000, 4001)
    with pytest.raises(OptionError, match="difference of 0"):
        segments_needed(0.0, 0.25, 1000)
    with pytest.raises(OptionError, match="power"):
        minimum_detectable_difference(0.1, power=80)
    for error in (-0.1, math.inf, math.nan):
        with pytest.raises(OptionError, match="standard error"):
            segments_needed(0.5, error, 100)


def test_power_by_simulation() -> None:
    """Of 4,000 experiments with a true difference of twice the standard error, the predicted share is significant."""
    draws = np.random.default_rng(6).normal(0.2, 0.1, 4000)
    share = float((np.abs(draws) > 1.959964 * 0.1).mean())
    assert share == pytest.approx(power_of_test(0.2, 0.1), abs=4 * math.sqrt(0.25 / 4000))


def test_groups_add_their_segments_rows() -> None:
    """Labels of any kind, in the order of first appearance."""
    rows = rows_of([1, 2, 4, 8], [10, 20, 40, 80])
    assert group_rows(rows, ["x", 3, "x", 3]).tolist() == [[[5, 2], [10, 2]], [[50, 2], [100, 2]]]
    with pytest.raises(InputError, match="4 segments but groups for 3"):
        group_rows(rows, ["x", "x", "y"])
    with pytest.raises(InputError, match=r"groups\[1\] is nan"):
        group_rows(rows, ["x", float("nan"), "y", "y"])
    with pytest.raises(InputError, match="one text"):
        group_rows(rows, "xxyy")


def test_repeated_segments_add_no_certainty_when_grouped() -> None:
    """A test set with each segment four times has the interval of the plain one by groups, and half of it without."""
    scores = np.random.default_rng(9).normal(size=200)
    plain, repeated = rows_of(scores), rows_of(np.repeat(scores, 4))
    grouped = group_rows(repeated, np.repeat(np.arange(200), 4).tolist())
    width = {
        name: float(np.diff(percentile_interval(bootstrap_scores(rows, mean, samples=2000)), axis=0)[0, 0])
        for name, rows in {"plain": plain, "repeated": repeated, "grouped": grouped}.items()
    }
    assert width["grouped"] == pytest.approx(width["plain"], abs=1e-12)
    assert width["repeated"] == pytest.approx(width["plain"] / 2, rel=0.15)
