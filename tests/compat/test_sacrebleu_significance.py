"""`tertium.compat.sacrebleu.significance` beside sacreBLEU's: the same p-values for the same seed."""

import random
from typing import Any

import numpy as np
import pytest
import sacrebleu as original
from sacrebleu.significance import PairedTest as OriginalTest
from sacrebleu.significance import _bootstrap_resample as original_resample
from sacrebleu.significance import estimate_ci as original_interval

import tertium.compat.sacrebleu as face
from realdata import wmt
from tertium.compat.sacrebleu import significance
from tertium.compat.sacrebleu.metrics.base import Metric, Score
from tertium.compat.sacrebleu.significance import PairedTest, estimate_ci
from tertium.errors import OptionError

RNG = random.Random(0)
REFERENCES = [[" ".join(RNG.choices("abcdefgh", k=RNG.randint(1, 15))) for _ in range(50)] for _ in range(3)]


def noisy(rate: float) -> list[str]:
    return [
        " ".join(RNG.choice("xyz") if RNG.random() < rate else word for word in line.split()) for line in REFERENCES[0]
    ]


SYSTEMS = [("base", noisy(0.3)), ("better", noisy(0.25)), ("same", noisy(0.3)), ("worse", noisy(0.5))]
SYSTEMS.append(("twin", SYSTEMS[0][1]))


def results(test: Any) -> tuple[dict[str, str], dict[str, list[Any]]]:
    signatures, columns = test()
    return {name: str(signature) for name, signature in signatures.items()}, columns


def compare(systems: Any, metrics: dict[str, dict[str, Any]], references: Any, **options: Any) -> None:
    ours, theirs = (
        results(test({n: getattr(module, n)(**o) for n, o in metrics.items()}))
        for module, test in (
            (face, lambda chosen: PairedTest(systems, chosen, references, **options)),
            (original, lambda chosen: OriginalTest(systems, chosen, references, **options)),
        )
    )
    assert ours[0] == theirs[0]
    assert ours[1].keys() == theirs[1].keys()
    for name, column in theirs[1].items():
        for our, their in zip(ours[1][name], column, strict=True):
            if name == "System":
                assert our == their
                continue
            assert our.score == their.score
            assert our.p_value == their.p_value
            assert (our.mean is None) == (their.mean is None)
            if their.mean is not None:
                assert (our.mean, our.ci) == pytest.approx(
                    (their.mean, their.ci), rel=1e-6 if name != "BLEU" else 1e-12
                )


@pytest.mark.parametrize("seed", ["12345", "7", "0"])
@pytest.mark.parametrize(
    "options",
    [
        {"test_type": "bs", "n_samples": 100},
        {"test_type": "ar", "n_samples": 200},
        {"test_type": "ar", "n_samples": 100, "n_ar_confidence": 60},
    ],
)
def test_p_values_are_sacrebleus(options: dict[str, Any], seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every p-value is equal, every mean and interval too, for the three metrics on three references at once.

    A seed of 0 counts as none for the systems there, so only the baseline is compared then.
    """
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    metrics: dict[str, dict[str, Any]] = {"BLEU": {}, "CHRF": {"word_order": 1}, "TER": {}}
    compare(SYSTEMS if seed != "0" else SYSTEMS[:1], metrics, REFERENCES, **options)


@pytest.mark.parametrize("options", [{"smooth_method": "add-k", "smooth_value": 0.5}, {"effective_order": True}])
@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_smoothing_in_the_draws_is_sacrebleus(kind: str, options: dict[str, Any]) -> None:
    """Smoothed scores of draws are in sacreBLEU's precision: add-k of 0.5 is cut to 0 in whole numbers, as there."""
    short = [(name, texts[:5]) for name, texts in SYSTEMS]
    compare(short, {"BLEU": options}, [stream[:5] for stream in REFERENCES], test_type=kind, n_samples=80)


def test_sums_that_float32_cannot_hold_are_added_as_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where sums are not exact in float32 they are added segment by segment, so the rounding is the same."""
    monkeypatch.setattr(significance, "EXACT_FLOAT32", 10.0)
    compare(SYSTEMS[:2], {"BLEU": {}, "TER": {}}, REFERENCES, test_type="bs", n_samples=50)


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random numbers drawn in small blocks are those of one big call."""
    monkeypatch.setattr(significance, "BLOCK", 50 * 40)
    compare(SYSTEMS[:3], {"BLEU": {}}, REFERENCES, test_type="bs", n_samples=100)
    compare(SYSTEMS[:3], {"BLEU": {}}, REFERENCES, test_type="ar", n_samples=100, n_ar_confidence=90)


@pytest.mark.data
@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_p_values_of_real_systems_are_sacrebleus(kind: str) -> None:
    """WMT22 de-en, 400 segments of three systems, BLEU and chrF, 100 draws."""
    data = wmt("wmt22/de-en")
    systems = [(name, texts[:400]) for name, texts in list(data.systems.items())[:3]]
    compare(systems, {"BLEU": {}, "CHRF": {}}, [data.references["refA"][:400]], test_type=kind, n_samples=100)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_p_values_of_all_systems_are_sacrebleus(kind: str) -> None:
    """WMT22 de-en, all systems, both references, sacreBLEU's own numbers of draws."""
    data = wmt("wmt22/de-en")
    compare(list(data.systems.items()), {"BLEU": {}, "CHRF": {}}, list(data.references.values()), test_type=kind)


def test_resampling_one_system_gives_scores() -> None:
    """`_bootstrap_resample` and `estimate_ci`, for code that calls them: the same seed text, the same scores."""
    ours, theirs = face.BLEU(), original.BLEU()
    seed, scores = significance._bootstrap_resample(
        ours._extract_corpus_statistics(SYSTEMS[0][1], REFERENCES), ours, 30
    )
    their_seed, their_scores = original_resample(
        theirs._extract_corpus_statistics(SYSTEMS[0][1], REFERENCES), theirs, 30
    )
    assert seed == their_seed
    assert [score.score for score in scores] == pytest.approx([score.score for score in their_scores], rel=1e-12)
    values = np.array([score.score for score in their_scores])
    assert estimate_ci(values) == original_interval(values)


class Length(Metric):
    """How long a text is over how long its reference is: a metric written against the interface."""

    def _aggregate_and_compute(self, stats: Any) -> Score:
        return self._compute_score_from_stats(np.sum(stats, axis=0))

    def _compute_score_from_stats(self, stats: Any) -> Score:
        return Score("Length", stats[0] / stats[1])

    def _preprocess_segment(self, sent: str) -> str:
        return sent.strip()

    def _extract_reference_info(self, refs: Any) -> dict[str, Any]:
        return {"length": len(refs[0])}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
        return [len(hypothesis), ref_kwargs["length"]]


def test_a_metric_of_ones_own_is_tested_too() -> None:
    """A subclass of `Metric` in Python gets corpus scores, intervals and p-values: 2+1 characters over 4+2 are 1/2."""
    assert Length().corpus_score(["ab ", "a"], [["abcd", "ab"]], n_bootstrap=10).score == 0.5
    _, columns = PairedTest([("long", ["aa", "a"] * 5), ("short", ["a", ""] * 5)], {"l": Length()}, [["aa", "a"] * 5])()
    assert [result.score for result in columns["Length"]] == [1.0, 1 / 3]
    assert columns["Length"][1].p_value < 0.01  # 1 and 1/3 only if all ten coins agree: 2 of 1,024 trials, none above


def test_an_unknown_test_is_refused() -> None:
    """`test_type` is ar or bs."""
    with pytest.raises(OptionError, match="ar or bs"):
        PairedTest(SYSTEMS, {"BLEU": face.BLEU()}, REFERENCES, test_type="t")
