"""`tertium.compare`: what it holds together, from texts and several metrics to records."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
import pytest

import tertium
from tertium.errors import InputError, OptionError, UnknownName
from tertium.metrics.bleu import BLEU
from tertium.native import Rows
from tertium.stats.bootstrap import bootstrap_scores
from tertium.stats.compare import compare_scores
from tertium.stats.comparison import COLUMNS, PAIR_COLUMNS, MetricComparison
from tertium.stats.means import Mean, rows_of
from tertium.stats.settings import Settings

REFERENCE = [f"the {animal} is on the {place} again today" for animal in ("cat", "dog", "hen") for place in "abcdefg"]
NEAR = [text.replace("again today", "once more" if i % 3 else "again") for i, text in enumerate(REFERENCE)]
FAR = [text.replace("is on", "on" if i % 4 else "near").replace("again", "") for i, text in enumerate(NEAR)]
SYSTEMS = {"exact": REFERENCE, "near": NEAR, "same as near": NEAR, "far": FAR}


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
    result = tertium.compare(
        SYSTEMS, REFERENCE, ["bleu", BLEU(order=4, lowercase=True)], seed=5, samples=200, test="bootstrap"
    )
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
    each = MetricComparison(Mean("errors", higher_is_better=False), ("middle", "best", "worst"), rows_of(*errors))
    assert each.clusters.tolist() == [2, 1, 3]
    assert each.differences[1] < 0 < each.differences[2]
    assert each.superiority[1] > 0.5 > each.superiority[2]
    assert each.cohen_d[1] > 0 > each.cohen_d[2]


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
        ({"samples": 1e3}, OptionError, "samples is 1000.0; it must be a whole number"),
        ({"samples": True}, OptionError, "samples is True"),
        ({"interval_samples": 0}, OptionError, "interval_samples is 0"),
        ({"confidence": "0.9"}, OptionError, "confidence is '0.9'"),
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
    with pytest.raises(InputError, match="only one of the segments"):
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
    """1,000 draws for a bootstrap, 10,000 trials for an exchange test and 1,000 draws for its intervals."""
    for settings, expected in [
        (Settings(), (10_000, 1000)),
        (Settings("randomisation", samples=99, interval_samples=50), (99, 50)),
        (Settings("bootstrap"), (1000, 1000)),
        (Settings("bootstrap", samples=70), (70, 70)),
        (Settings("bootstrap", samples=70, interval_samples=500), (70, 500)),
    ]:
        assert (settings.trials(3), settings.draws(3)) == expected


def test_many_systems_get_trials_enough_to_differ() -> None:
    """30 systems are 435 pairs: p = 1 / (trials + 1) times 435 must be able to fall below 0.05, so 17,400 trials."""
    assert Settings().trials(30) == 17_400
    scores = {str(i): (np.arange(200) % 7 + 100.0 * i).tolist() for i in range(12)}
    for test in ("permutation", "bootstrap"):
        (each,) = compare_scores(scores, settings=Settings(test, interval="none")).metrics
        assert each.clusters.tolist() == list(range(12, 0, -1))
    (few,) = compare_scores(scores, settings=Settings("bootstrap", samples=1000, interval="none")).metrics
    assert few.clusters.tolist() == [1] * 12
    assert few.cautions == (
        "1000 samples cannot tell any of 12 systems apart: the smallest p-value is 1/1001, and 66 pairs are corrected "
        "for; take 1320 samples or more.",
    )


def test_a_metric_of_two_methods_is_compared() -> None:
    """A learned metric has rows (score, 1), reads the source, and needs nothing but `statistics` and `score`."""

    @dataclass(frozen=True)
    class SameLength:
        """1 where the translation is as long as its source."""

        name: ClassVar[str] = "same_length"
        bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
        higher_is_better: ClassVar[bool] = True
        columns: ClassVar[tuple[str, ...]] = ("score", "segments")
        needs: ClassVar[frozenset[str]] = frozenset({"source"})

        def statistics(self, hypotheses: Sequence[str], references: None, *, source: Sequence[str], threads: int = 0):
            assert references is None
            scores = [float(len(hypotheses[i]) == len(source[i])) for i in range(len(hypotheses))]
            return np.stack([scores, np.ones(len(scores))], axis=-1)

        def score(self, total: Rows) -> Rows:
            return np.asarray(total[..., 0] / total[..., 1])

    source, systems = ["ab", "cd", "e"], {"copies": ["ab", "cd", "e"], "shouts": ["AB", "CD!", "E!"]}
    result = tertium.compare(systems, None, [SameLength()], source=source)
    assert result[0].scores == pytest.approx([1, 1 / 3])
    assert result[0].p_values[1] == 0.5  # two segments differ: of four exchanges two reach the difference
    assert tertium.score(SameLength(), systems["shouts"], source=source).details == {"score": 1.0, "segments": 3.0}
    with pytest.raises(InputError, match="same_length needs source: pass source="):
        tertium.score(SameLength(), source)
    with pytest.raises(InputError, match="bleu needs references"):
        tertium.score("bleu", source, source=source)
    with pytest.raises(InputError, match="3 hypotheses but 2 source texts"):
        tertium.score(SameLength(), source, source=source[:2])


def test_two_variants_of_a_metric_keep_their_names() -> None:
    """Records carry the spelling that was given; an ambiguous name is refused, the same spelling twice too."""
    result = tertium.compare(SYSTEMS, REFERENCE, ["chrf", "chrf:words=2"], interval="none")
    assert {record["metric"] for record in result.records()} == {"chrf", "chrf:words=2"}
    assert result["chrf:words=2"] is result[np.int64(1)]
    assert result["chrf"] is result[0]
    assert len(result) == 2
    ambiguous = tertium.compare(SYSTEMS, REFERENCE, ["chrf:words=1", "chrf:words=2"], interval="none")
    with pytest.raises(OptionError, match="may be any of chrf:words=1 and chrf:words=2"):
        ambiguous["chrf"]
    with pytest.raises(OptionError, match="bleu is given twice"):
        tertium.compare(SYSTEMS, REFERENCE, ["bleu", "bleu"])


def test_pairs_have_records() -> None:
    """Every pair with its difference, interval and p-value, as the matrices have them."""
    result = tertium.compare(SYSTEMS, REFERENCE, baseline="near")
    records, each = result.pair_records(), result["bleu"]
    assert [(record["system"], record["other"]) for record in records] == list(combinations(SYSTEMS, 2))
    assert all(tuple(record) == PAIR_COLUMNS for record in records)
    for record, (i, j) in zip(records, each.pairs, strict=True):
        assert record["difference"] == each.scores[i] - each.scores[j]
        assert record["p"] == each.pair_p_values[i, j] == each.pair_p_values[j, i]
        assert record["p_holm"] == each.corrected_pair_p_values[i, j]
        low, high = np.quantile(each.draws[:, i] - each.draws[:, j], [0.025, 0.975])
        assert (record["difference_low"], record["difference_high"]) == (low, high)
    other = tertium.compare(SYSTEMS, REFERENCE)["bleu"]  # another baseline
    assert np.array_equal(each.pair_p_values, other.pair_p_values, equal_nan=True)


def test_significance_is_after_correction_and_at_the_level_itself() -> None:
    """19 trials reach p = 0.05 and that rejects at 95% confidence; three systems' 0.05 times 3 does not."""
    for confidence, samples in ((0.95, 19), (0.9, 9), (0.99, 99), (0.8, 4)):
        settings = Settings("randomisation", samples=samples, confidence=confidence)
        two = compare_scores({"a": [0.0] * 60, "b": [1.0] * 60}, settings=settings)[0]
        assert two.pair_p_values[0, 1] == pytest.approx(1 - confidence)
        assert two.clusters.tolist() == [2, 1]
        three = compare_scores({"a": [0.0] * 60, "b": [1.0] * 60, "c": [2.0] * 60}, settings=settings)[0]
        assert not three.differ.any()


def test_what_is_no_number_is_refused_and_harms_nobody() -> None:
    """A segment without a score is named; a corpus score that is infinite has no p-value, and others keep theirs."""
    with pytest.raises(InputError, match=r"comet of b is not a finite number on one of the segments \(1\)"):
        compare_scores({"a": [1.0, 2.0], "b": [1.0, math.nan]}, name="comet")
    rows = rows_of([1.0, 2.0, 3.0, 5.0], [1.5, 2.0, 4.0, 5.0], [1.0, 1.0, 1.0, 1.0])
    rows[2, :, 1] = 0  # 4 / 0
    for test in ("permutation", "randomisation", "bootstrap", "bootstrap-folded"):
        with np.errstate(divide="ignore", invalid="ignore"):
            each = MetricComparison(Mean(), ("a", "b", "c"), rows, 0, Settings(test))
            alone = MetricComparison(Mean(), ("a", "b"), rows[:2], 0, Settings(test))
            assert each.p_values[1] == alone.p_values[1]
            assert np.isnan(each.p_values[2])
            assert each.records()[2]["p"] is None


def test_rounding_is_no_evidence() -> None:
    """Two systems with the same score on every segment, weighted differently, differ by rounding: p = 1 and d = 0."""
    generator = np.random.default_rng(1)
    for _ in range(100):
        scores, weights = generator.random(200), generator.integers(1, 9, 200)
        rows = np.stack([np.stack([scores * w, w], axis=-1) for w in (weights, 3.0 * weights)])
        for test in ("bootstrap", "permutation"):
            each = MetricComparison(Mean(), ("a", "b"), rows, 0, Settings(test, samples=50))
            assert each.p_values[1] == 1
        assert each.cohen_d[1] == 0


def test_bca_intervals_of_differences_are_of_the_differences() -> None:
    """BCa of a difference takes the draws and the jackknife of the difference from the baseline, whichever it is."""
    first, second = np.random.default_rng(3).lognormal(size=(2, 40))
    for baseline, sign in ((0, 1), (1, -1)):
        each = MetricComparison(Mean(), ("a", "b"), rows_of(first, second), baseline, Settings(interval="bca"))
        alone = MetricComparison(Mean(), ("d",), rows_of(sign * (second - first)), 0, Settings(interval="bca"))
        assert each.difference_intervals[:, 1 - baseline] == pytest.approx(alone.intervals[:, 0])


def test_the_detectable_difference_is_of_the_paired_difference() -> None:
    """(z_0.995 + z_0.8) s / sqrt(n) with s the deviation of the differences, for 99% confidence."""
    first, second = np.random.default_rng(4).normal(size=(2, 50))
    settings = Settings(confidence=0.99, interval="none")
    each = compare_scores({"a": first.tolist(), "b": (first + second).tolist()}, settings=settings)[0]
    assert each.detectable_differences[1] == pytest.approx((2.5758293 + 0.8416212) * second.std(ddof=1) / 50**0.5)
    assert np.isnan(each.detectable_differences[0])


def test_few_segments_come_with_a_caution() -> None:
    """Below 30 segments, or groups, a bootstrap's numbers are too good, and the printed comparison says so."""
    bootstrap = tertium.compare(SYSTEMS, REFERENCE, test="bootstrap")
    assert len(REFERENCE) == 21
    assert bootstrap.cautions == (
        "21 segments are few: intervals of so few are somewhat too narrow.",
        "21 segments are few: a bootstrap's p-values are too small there; take permutation.",
    )
    assert str(bootstrap).endswith("take permutation.")
    assert tertium.compare(SYSTEMS, REFERENCE, groups=["a", "b", "c"] * 7).cautions == (
        "3 groups are few: intervals of so few are somewhat too narrow.",
    )
    assert not compare_scores({"a": list(range(30)), "b": list(range(30))}).cautions


def test_systems_that_are_no_mapping_are_refused() -> None:
    """A list of systems has no names; scores must be numbers, as many for each."""
    with pytest.raises(InputError, match="it must be a dict"):
        tertium.compare([REFERENCE, NEAR], REFERENCE)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="of b are not all numbers"):
        compare_scores({"a": [1.0], "b": ["x"]})  # type: ignore[list-item]
    with pytest.raises(InputError, match="one number a segment"):
        compare_scores({"a": [1.0, 2.0], "b": [1.0]})
