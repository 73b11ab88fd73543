"""sacreBLEU's own paired tests on WMT22 de-en: the same p-values and intervals within sampling error."""

import numpy as np
import pytest
import sacrebleu.metrics
from sacrebleu.significance import PairedTest

import realdata
import tertium
from tertium.stats.comparison import MetricComparison

SYSTEMS = {"bleu": 5, "chrf": 3}  # the baseline and a few systems: p-values from very small to large
PEERS = {"bleu": sacrebleu.metrics.BLEU, "chrf": sacrebleu.metrics.CHRF}


def both(metric: str, theirs: str, ours: str, samples: int) -> tuple[MetricComparison, list[object]]:
    """Our comparison and sacreBLEU's results of the same systems, the baseline first."""
    pair = realdata.wmt("wmt22/de-en")
    names = ["JDExploreAcademy", *(name for name in pair.systems if name != "JDExploreAcademy")][: SYSTEMS[metric]]
    systems = {name: pair.systems[name] for name in names}
    references = pair.references["refA"]
    result = tertium.compare(systems, references, metric, test=ours, samples=samples, interval_samples=samples)[0]
    _, scores = PairedTest(
        list(systems.items()), {metric: PEERS[metric]()}, [references], test_type=theirs, n_samples=samples
    )()
    (column,) = (values for key, values in scores.items() if key != "System")
    return result, column


def assert_same_p_values(result: MetricComparison, theirs: list[object], samples: int) -> None:
    """Two shares of as many draws each differ by less than 5 standard errors sqrt(2 p (1 - p) / n), and one draw."""
    for ours, peer in zip(result.p_values[1:].tolist(), theirs[1:], strict=True):
        p = (ours + peer.p_value) / 2  # type: ignore[attr-defined]
        assert ours == pytest.approx(peer.p_value, abs=5 * (2 * p * (1 - p) / samples) ** 0.5 + 1 / samples)  # type: ignore[attr-defined]


@pytest.mark.data
@pytest.mark.parametrize("metric", PEERS)
def test_paired_bootstrap(metric: str) -> None:
    """sacreBLEU's `paired-bs` p-values are those of our test bootstrap-folded, and the intervals those of percentiles.

    The ends of intervals of 1,000 draws differ by less than 5 standard errors of a 2.5% quantile (0.085 standard
    deviations of the draws) times sqrt 2; the half width is the mean of two ends, so the bound is not tight.
    """
    result, theirs = both(metric, "bs", "bootstrap-folded", 1000)
    assert_same_p_values(result, theirs, 1000)
    half_widths = np.diff(result.intervals, axis=0)[0] / 2
    deviations = result.draws.std(axis=0)
    for i, peer in enumerate(theirs):
        assert result.scores[i] == pytest.approx(peer.score, abs=1e-9)  # type: ignore[attr-defined]
        assert half_widths[i] == pytest.approx(peer.ci, abs=5 * 2**0.5 * 0.085 * deviations[i])  # type: ignore[attr-defined]
        assert result.draws[:, i].mean() == pytest.approx(peer.mean, abs=5 * (2 / 1000) ** 0.5 * deviations[i])  # type: ignore[attr-defined]


@pytest.mark.data
@pytest.mark.parametrize(("metric", "samples"), [("bleu", 4000), ("chrf", 1000)])
def test_approximate_randomisation(metric: str, samples: int) -> None:
    """sacreBLEU's `paired-ar` p-values are those of our randomisation test."""
    result, theirs = both(metric, "ar", "randomisation", samples)
    assert_same_p_values(result, theirs, samples)


@pytest.mark.data
def test_the_two_sided_p_value_is_about_twice_the_folded_one() -> None:
    """The claim of stats/bootstrap.py, on the pair whose p-value is neither tiny nor large."""
    pair = realdata.wmt("wmt22/de-en")
    systems = {name: pair.systems[name] for name in ("JDExploreAcademy", "Online-Y")}
    shifted, folded = (
        tertium.compare(systems, pair.references["refA"], test=test, samples=20_000, interval="none")[0].p_values[1]
        for test in ("bootstrap", "bootstrap-folded")
    )
    assert folded > 0.001
    assert shifted / folded == pytest.approx(2, rel=0.25)
