"""`tertium.compare`: what it holds together, from texts and several metrics to records."""

import json

import numpy as np
import pytest

import tertium
from tertium.errors import InputError, OptionError, UnknownName
from tertium.metrics.bleu import BLEU
from tertium.native import Rows
from tertium.stats.bootstrap import bootstrap_scores
from tertium.stats.comparison import COLUMNS, MetricComparison, Settings

REFERENCE = [f"the {animal} is on the {place} again today" for animal in ("cat", "dog", "hen") for place in "abcdefg"]
NEAR = [text.replace("again today", "once more" if i % 3 else "again") for i, text in enumerate(REFERENCE)]
FAR = [text.replace("is on", "on" if i % 4 else "near").replace("again", "") for i, text in enumerate(NEAR)]
SYSTEMS = {"exact": REFERENCE, "near": NEAR, "same as near": NEAR, "far": FAR}


class Errors:
    """A metric whose rows are (errors, segments): lower is better."""

    name = "errors"
    bounds = (0.0, float("inf"))
    higher_is_better = False
    columns = ("errors", "segments")

    def score(self, total: Rows) -> Rows:
        return np.asarray(total[..., 0] / total[..., 1])


@pytest.mark.parametrize("test", ["bootstrap", "randomisation", "permutation"])
def test_systems_fall_into_clusters(test: str) -> None:
    """Clearly different systems differ significantly; two alike do not, and share a cluster."""
    result = tertium.compare(SYSTEMS, REFERENCE, ["bleu"], test=test, interval="none")["bleu"]
    assert result.clusters.tolist() == [1, 2, 2, 3]
    assert result.ranks.tolist() == [[1, 1], [2, 3], [2, 3], [4, 4]]
    assert np.isnan(result.p_values[0])
    assert (result.p_values[1:] < 0.01).all()
    assert result.pair_p_values[1, 2] == 1


def test_the_folded_p_value_of_two_systems_alike_is_the_smallest() -> None:
    """sacreBLEU's p-value calls a system different from itself: no draw exceeds 0, so 1 / (1 + draws)."""
    result = tertium.compare(SYSTEMS, REFERENCE, test="bootstrap-folded", samples=99, baseline="near")["bleu"]
    assert result.differences[2] == 0
    assert result.p_values[2] == 0.01


def test_scores_are_those_of_score() -> None:
    """Each system's score is the one that scoring it alone gives, for each metric."""
    result = tertium.compare(SYSTEMS, REFERENCE, ["bleu", "chrf"])
    for name in ("bleu", "chrf"):
        for i, system in enumerate(result.systems):
            assert result[name].scores[i] == pytest.approx(tertium.score(name, SYSTEMS[system], REFERENCE).score)


def test_the_baseline_is_the_first_system_or_the_one_named() -> None:
    """Differences are system less baseline."""
    first, named = tertium.compare(SYSTEMS, REFERENCE), tertium.compare(SYSTEMS, REFERENCE, baseline="far")
    assert first.baseline == "exact"
    assert named["bleu"].differences[0] == -first["bleu"].differences[3]
    assert named["bleu"].p_values[0] == first["bleu"].p_values[3]
    with pytest.raises(UnknownName, match="near"):
        tertium.compare(SYSTEMS, REFERENCE, baseline="neer")


def test_metrics_see_the_same_draws() -> None:
    """Two metrics with the same formula give the same numbers, and each equals the bootstrap asked for directly."""
    result = tertium.compare(SYSTEMS, REFERENCE, ["bleu", BLEU(order=4, lowercase=True)], seed=5, samples=200)
    first, second = result.metrics
    assert np.array_equal(first.draws, second.draws)
    assert np.array_equal(first.draws, bootstrap_scores(first.rows, BLEU().score, samples=200, seed=5))


def test_intervals_hold_the_scores_and_the_differences() -> None:
    """Percentile and BCa intervals lie around what they are about; a system that is always perfect has no width."""
    for interval in ("percentile", "bca"):
        each = tertium.compare(SYSTEMS, REFERENCE, interval=interval)["bleu"]
        low, high = each.intervals
        assert (low <= each.scores + 1e-9).all()
        assert (each.scores <= high + 1e-9).all()
        assert low[0] == pytest.approx(100.0)
        assert high[0] == pytest.approx(100.0)
        low, high = each.difference_intervals
        assert low[0] == high[0] == 0.0
        assert (low[1:] < each.differences[1:]).all()
        assert (each.differences[1:] < high[1:]).all()


def test_records_can_be_written_as_json() -> None:
    """A record a metric and system, all fields in order, None where there is nothing to say."""
    result = tertium.compare(SYSTEMS, REFERENCE, ["bleu", "chrf"])
    records = json.loads(json.dumps(result.records(), allow_nan=False))
    assert [(record["metric"], record["system"]) for record in records] == [
        (metric, system) for metric in ("bleu", "chrf") for system in SYSTEMS
    ]
    assert all(tuple(record) == COLUMNS for record in records)
    assert records[0]["p"] is None
    assert records[0]["difference"] is None
    assert isinstance(records[1]["p_holm"], float)
    assert records[3]["cluster"] == 3
    assert result.rows()[1] == tuple(result.records()[1].values())


def test_holm_counts_the_family() -> None:
    """Against a baseline three tests are corrected for, among all pairs six."""
    each = tertium.compare(SYSTEMS, REFERENCE, test="randomisation", samples=999, interval="none")["bleu"]
    assert each.p_values[1:].tolist() == [0.001] * 3
    assert each.corrected_p_values[1:].tolist() == pytest.approx([0.003] * 3)
    assert each.corrected_pair_p_values[0, 1:].tolist() == pytest.approx([0.006] * 3)
    assert np.array_equal(each.pair_p_values, each.pair_p_values.T, equal_nan=True)


def test_lower_is_better_where_the_metric_says_so() -> None:
    """Ranks and superiority follow the metric's direction, differences its points."""
    generator = np.random.default_rng(1)
    errors = np.stack([generator.poisson(rate, 200) for rate in (5, 2, 9)]).astype(np.float64)
    rows = np.stack([errors, np.ones_like(errors)], axis=-1)
    each = MetricComparison(Errors(), ("middle", "best", "worst"), rows)  # type: ignore[arg-type]
    assert each.clusters.tolist() == [2, 1, 3]
    assert each.differences[1] < 0 < each.differences[2]
    assert each.superiority[1] > 0.5 > each.superiority[2]


def test_groups_are_resampled_whole() -> None:
    """With each document one group, rows are documents and the interval of repeated segments does not shrink."""
    repeated = {name: [text for text in texts for _ in range(3)] for name, texts in SYSTEMS.items()}
    documents = [str(i // 3) for i in range(3 * len(REFERENCE))]
    grouped = tertium.compare(repeated, [text for text in REFERENCE for _ in range(3)], groups=documents)["bleu"]
    plain = tertium.compare(SYSTEMS, REFERENCE)["bleu"]
    assert grouped.rows.shape == plain.rows.shape
    assert grouped.intervals[:, :3] == pytest.approx(
        plain.intervals[:, :3]
    )  # the last is smoothed: no match of order 4
    assert f"|groups={len(REFERENCE)}|" in grouped.signature
    with pytest.raises(InputError, match="each segment needs its group"):
        tertium.compare(SYSTEMS, REFERENCE, groups=["a"])


def test_threads_do_not_show() -> None:
    """Everything is the same for one thread and for two."""
    one, two = (tertium.compare(SYSTEMS, REFERENCE, ["bleu", "chrf"], interval="bca", threads=t) for t in (1, 2))
    assert one.records() == two.records()


def test_signatures_say_how() -> None:
    """The signature has the metric, the references, the test, its draws and the seed."""
    (signature,) = tertium.compare(SYSTEMS, REFERENCE, "bleu", test="randomisation", samples=50, seed=3).signatures
    assert signature == (
        f"{BLEU()!r}|references=1|test=randomisation|samples=50|interval=percentile:1000|confidence=0.95|seed=3"
        f"|tertium={tertium.__version__}"
    )


def test_it_prints_a_table() -> None:
    """`print` shows each system on a line and the signature."""
    lines = str(tertium.compare(SYSTEMS, REFERENCE)).splitlines()
    assert lines[1].split()[:4] == ["system", "score", "low", "high"]
    assert [line[:12].strip() for line in lines[2:6]] == list(SYSTEMS)
    assert lines[6].startswith("bleu:")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"test": "bootstarp"}, UnknownName, "did you mean bootstrap"),
        ({"interval": "bcaa"}, UnknownName, "did you mean bca"),
        ({"samples": 0}, OptionError, "samples is 0"),
        ({"samples": 10**12}, OptionError, "at most 100,000,000"),
        ({"confidence": 95}, OptionError, "between 0 and 1"),
        ({"seed": -1}, OptionError, "seed"),
        ({"metrics": []}, InputError, "no metric"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], error: type[Exception], message: str) -> None:
    """Each wrong option has an error that names it, before any text is scored."""
    with pytest.raises(error, match=message):
        tertium.compare(SYSTEMS, REFERENCE, **options)  # type: ignore[arg-type]


def test_texts_that_cannot_be_compared() -> None:
    """One segment, no systems, and a metric that was not compared by are errors that say so."""
    with pytest.raises(InputError, match="only one segment"):
        tertium.compare({"a": ["x"], "b": ["y"]}, ["x"])
    with pytest.raises(InputError, match="no systems"):
        tertium.compare({}, REFERENCE)
    with pytest.raises(UnknownName, match="bleu"):
        tertium.compare(SYSTEMS, REFERENCE)["blue"]


def test_one_system_has_its_interval() -> None:
    """A single system can be given for its interval alone; there is nobody to test against."""
    each = tertium.compare({"near": SYSTEMS["near"]}, REFERENCE)["bleu"]
    assert each.clusters.tolist() == [1]
    assert np.isnan(each.p_values).all()
    assert each.intervals.shape == (2, 1)


def test_settings_know_their_defaults() -> None:
    """1,000 draws for a bootstrap, 10,000 trials for a randomisation test and 1,000 draws for its intervals."""
    assert (Settings().trials, Settings().draws) == (1000, 1000)
    assert (Settings("randomisation").trials, Settings("randomisation").draws) == (10_000, 1000)
    assert Settings("bootstrap", samples=70).draws == 70
