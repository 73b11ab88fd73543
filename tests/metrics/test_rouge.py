"""ROUGE against its definition by hand and google-research's rouge-score."""

import pytest
from hypothesis import given
from rouge_score.rouge_scorer import RougeScorer

import realdata
from strategies import corpora, texts
from tertium.errors import OptionError, UnknownName
from tertium.metrics.rouge import ROUGE

CLOSE = {"rel": 1e-9, "abs": 1e-9}
pytestmark = pytest.mark.filterwarnings("ignore:.* segments with .* references each")  # as many of each by chance


class Words:
    """rouge-score's interface for a tokenizer that splits at white space."""

    def tokenize(self, text):
        return text.split()


def peer_rows(variant, hypotheses, references, tokenizer=None):
    scorer = RougeScorer([f"rouge{variant}"], tokenizer=tokenizer)
    scores = [scorer.score_multi(r, h)[f"rouge{variant}"] for h, r in zip(hypotheses, references, strict=True)]
    return [[score.precision, score.recall, score.fmeasure, 1.0] for score in scores]


@pytest.mark.parametrize("variant", ["1", "2", "L"])
@pytest.mark.parametrize("tokenize", ["alphanumeric", "none"])
@given(corpora(texts))
def test_equals_rouge_score(variant, tokenize, corpus):
    """Precision, recall and F of each segment are rouge-score's, with its tokenizer and with white space."""
    hypotheses, references = corpus
    metric = ROUGE(variant=variant, tokenize=tokenize)
    expected = peer_rows(variant, hypotheses, references, Words() if tokenize == "none" else None)
    rows = metric.statistics(hypotheses, references)
    for found, wanted in zip(rows.tolist(), expected, strict=True):
        assert found == pytest.approx(wanted, **CLOSE)


def test_lin_by_hand():
    """Lin's example: ROUGE-L tells "police kill the gunman" from "the gunman kill police", ROUGE-1 does not."""
    hypotheses, references = ["police kill the gunman", "the gunman kill police"], ["police killed the gunman"] * 2
    scores = {variant: ROUGE(variant=variant) for variant in ("1", "2", "L")}
    found = {v: m.score(m.statistics(hypotheses, references)).tolist() for v, m in scores.items()}
    assert found["1"] == pytest.approx([75, 75])
    assert found["2"] == pytest.approx([100 / 3, 100 / 3])
    assert found["L"] == pytest.approx([75, 50])


def test_parts_and_mean():
    """A corpus scores the mean of its segments, by the part that is asked for."""
    # "a b" of "a b c d": P 1, R 1/2, F 2/3; "x" of "y": all 0
    for part, expected in (("precision", 50), ("recall", 25), ("f", 100 / 3)):
        metric = ROUGE(variant="1", part=part)
        assert metric.score(metric.statistics(["a b", "x"], ["a b c d", "y"]).sum(0)) == pytest.approx(expected)


@pytest.mark.parametrize(("hypothesis", "reference"), [("", ""), ("", "a b"), ("a b", ""), (" \u3000", "\u2028")])
def test_empty_texts(hypothesis, reference):
    """Nothing shared is 0, and the segment counts."""
    for variant in ("1", "2", "L"):
        assert ROUGE(variant=variant).statistics([hypothesis], [reference]).tolist() == [[0, 0, 0, 1]]


def test_options():
    """Variants and parts that are none are refused."""
    with pytest.raises(OptionError, match="order from 1 to 9, or L"):
        ROUGE(variant="W")
    with pytest.raises(UnknownName, match="recall"):
        ROUGE(part="recal")


@pytest.mark.data
@pytest.mark.parametrize("variant", ["1", "2", "L"])
def test_a_sample(variant):
    """A system's first segments with two references equal rouge-score."""
    pair = realdata.wmt("wmt22/zh-en")
    hypotheses = next(iter(pair.systems.values()))[:100]
    references = [list(texts) for texts in zip(*pair.references.values(), strict=True)][:100]
    expected = peer_rows(variant, hypotheses, references)
    for found, wanted in zip(ROUGE(variant=variant).statistics(hypotheses, references), expected, strict=True):
        assert found == pytest.approx(wanted, **CLOSE)
