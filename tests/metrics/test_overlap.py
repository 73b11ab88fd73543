"""Precision, recall and F1 against their definitions by hand."""

from collections import Counter

import pytest
from hypothesis import given

from strategies import corpora, token_lists
from tertium.metrics.bleu import BLEU
from tertium.metrics.overlap import F1, Precision, Recall

pytestmark = pytest.mark.filterwarnings("ignore:.* segments with .* references each")  # as many of each by chance

HYPOTHESIS = "the the the the the the the"
REFERENCES = ["the cat is on the mat", "there is a cat on the mat"]


def row(metric, hypothesis, references):
    return metric.statistics([hypothesis], [references])[0].tolist()


def test_papineni_by_hand():
    """The paper's example: seven times "the" has a naive precision of 7/7 and a clipped one of 2/7."""
    assert row(Precision(), HYPOTHESIS, REFERENCES) == [7, 7]
    assert row(Precision(clipped=True), HYPOTHESIS, REFERENCES) == [2, 7]


def test_precision_looks_in_all_references():
    """Naive precision takes a word from each reference; F1 must stay with one."""
    assert row(Precision(), "cat there", REFERENCES) == [2, 2]
    assert row(F1(), "is there", ["is", "there"]) == [1, 1, 2, 1]


def test_recall_by_hand():
    """Both "the" of the reference are recalled by one, clipped only one of them."""
    assert row(Recall(), "the mat", ["the cat is on the mat"]) == [3, 6]
    assert row(Recall(clipped=True), "the mat", ["the cat is on the mat"]) == [2, 6]
    assert row(Recall(), "the", ["the the", "a the b"]) == [2, 2]


def test_f1_by_hand():
    """P = 2/3 and R = 3/6: F1 = 2 (1/3) / (7/6) = 4/7; clipped P = 2/3, R = 2/6: F1 = 4/9."""
    for clipped, expected in ((False, 4 / 7), (True, 4 / 9)):
        metric = F1(clipped=clipped)
        total = metric.statistics(["the mat sat"], ["the cat is on the mat"])[0]
        assert metric.score(total) == pytest.approx(100 * expected)


@given(corpora(token_lists))
def test_clipped_precision_is_bleus(corpus):
    """Clipped precision is p_1 of BLEU."""
    hypotheses, references = corpus
    bleu = BLEU(order=1).statistics(hypotheses, references)
    assert Precision(clipped=True).statistics(hypotheses, references).tolist() == bleu[:, 2:].tolist()


@given(corpora(token_lists, most_references=1))
def test_counters_with_one_reference(corpus):
    """With one reference all six follow from two counters."""
    hypotheses, references = corpus
    for hypothesis, (reference,) in zip(hypotheses, references, strict=True):
        mine, theirs = Counter(hypothesis), Counter(reference)
        shared = (mine & theirs).total()
        found, back = sum(mine[token] for token in theirs), sum(theirs[token] for token in mine)
        lengths = [len(hypothesis), len(reference)]
        assert row(F1(), hypothesis, [reference]) == [found, back, *lengths]
        assert row(F1(clipped=True), hypothesis, [reference]) == [shared, shared, *lengths]
        assert row(Precision(), hypothesis, [reference]) == [found, lengths[0]]
        assert row(Recall(), hypothesis, [reference]) == [back, lengths[1]]


@pytest.mark.parametrize("metric", [Precision, Recall, F1])
@pytest.mark.parametrize(("hypothesis", "reference"), [("", ""), ("", "a b"), ("a b", ""), (" \u3000", "\u2028")])
def test_empty_texts(metric, hypothesis, reference):
    """Nothing shared is 0."""
    assert metric().score(metric().statistics([hypothesis], [reference])[0]) == 0
