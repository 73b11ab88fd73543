"""GLEU against its definition by hand and NLTK."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu

import realdata
from strategies import corpora, token_lists
from tertium.errors import OptionError
from tertium.metrics.gleu import GLEU
from tertium.text import scheme

pytestmark = pytest.mark.filterwarnings("ignore:.* segments with .* references each")  # as many of each by chance

CLOSE = {"rel": 1e-9, "abs": 1e-9}


@given(corpora(token_lists), st.integers(1, 4), st.integers(0, 3))
def test_equals_nltk(corpus, shortest, more):
    """Corpus and sentence scores are NLTK's, times 100, for any orders and number of references."""
    hypotheses, references = corpus
    longest = shortest + more
    metric = GLEU(min_len=shortest, max_len=longest)
    rows = metric.statistics(hypotheses, references)
    expected = corpus_gleu(references, hypotheses, shortest, longest)
    assert metric.score(rows.sum(0)) / 100 == pytest.approx(expected, **CLOSE)
    sentences = [sentence_gleu(r, h, shortest, longest) for h, r in zip(hypotheses, references, strict=True)]
    assert metric.score(rows) / 100 == pytest.approx(sentences, **CLOSE)


def test_precision_and_recall_by_hand():
    """A short hypothesis is held to its recall, a long one to its precision, alike: GLEU is symmetric."""
    # "a b": a, b, a b of 3; "a b c": 3 + 2 + 1 = 6 n-grams; 3 match
    metric = GLEU()
    short, long = metric.statistics(["a b", "a b c"], ["a b c", "a b"])
    assert short.tolist() == [3, 3, 6, 6]
    assert long.tolist() == [3, 6, 3, 6]
    assert metric.score(short) == metric.score(long) == 50
    assert metric.details(short)["precision"] == 100
    assert metric.details(short)["recall"] == 50


def test_best_reference_by_hand():
    """The reference with the higher ratio is taken, and the first of two with the same."""
    # "a b" with "a": 1 of max(3, 1) = 3; with "a b c": 3 of 6, better; "b a": 2 of 3, best; "c": 0 of 3
    assert GLEU().statistics(["a b"], [["a", "a b c", "c", "b a"]]).tolist() == [[2, 3, 3, 3]]
    # 1 of 3 with "a", 2 of 6 with "x a y b"[:...]: "a x b" has a and b of max(3, 6): equal, the first stays
    assert GLEU().statistics(["a b"], [["a", "a x b"]]).tolist() == [[1, 3, 1, 3]]


@pytest.mark.parametrize(("hypothesis", "reference"), [("", ""), ("", "a b"), ("a b", ""), (" \u3000", "\u2028")])
def test_empty_texts(hypothesis, reference):
    """Nothing shared is 0, also where nothing is there."""
    metric = GLEU()
    assert metric.score(metric.statistics([hypothesis], [reference])[0]) == 0


def test_options():
    """Lengths that leave no n-gram are refused."""
    for options in ({"min_len": 0}, {"min_len": 3, "max_len": 2}, {"max_len": 10**9}):
        with pytest.raises(OptionError, match="min_len <= max_len"):
            GLEU(**options)


def check_pair(name, systems=None, segments=None):
    """Every system of a pair equals NLTK, on characters of Chinese and Japanese and on white-space tokens of others."""
    pair = realdata.wmt(name)
    cut = scheme("char" if pair.target in ("zh", "ja") else "none")
    references = [[cut(text) for text in texts] for texts in zip(*pair.references.values(), strict=True)][:segments]
    metric = GLEU()
    for system, texts in list(pair.systems.items())[:systems]:
        hypotheses = [cut(text) for text in texts[:segments]]
        rows = metric.statistics(hypotheses, references)
        expected = corpus_gleu(references, hypotheses)
        assert metric.score(rows.sum(0)) / 100 == pytest.approx(expected, **CLOSE), (name, system)
        sentences = [sentence_gleu(r, h) for h, r in zip(hypotheses[:200], references, strict=False)]
        assert metric.score(rows[:200]) / 100 == pytest.approx(sentences, **CLOSE), (name, system)


@pytest.mark.data
@pytest.mark.parametrize("name", ["wmt21/en-ha", "wmt22/en-zh", "wmt22/zh-en", "wmt23/en-he"])
def test_a_sample(name):
    """Two systems of a few pairs equal NLTK."""
    check_pair(name, systems=2, segments=150)


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("name", realdata.pairs())
def test_every_system(name):
    """All systems of all pairs equal NLTK."""
    check_pair(name)
