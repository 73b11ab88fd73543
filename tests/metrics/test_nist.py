"""NIST against its definition by hand and NLTK."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.nist_score import corpus_nist

import realdata
from strategies import corpora, token_lists
from tertium.errors import OptionError
from tertium.metrics.nist import NIST
from tertium.text import scheme

pytestmark = pytest.mark.filterwarnings("ignore:.* segments with .* references each")  # as many of each by chance

CLOSE = {"rel": 1e-9, "abs": 1e-9}


def nltk(references, hypotheses, order):
    """NLTK's score, or None where it divides by zero."""
    try:
        return corpus_nist(references, hypotheses, order)
    except ZeroDivisionError:
        return None


@given(corpora(token_lists), st.integers(1, 5))
def test_equals_nltk(corpus, order):
    """Corpus scores are NLTK's, for any order and number of references."""
    hypotheses, references = corpus
    expected = nltk(references, hypotheses, order)
    metric = NIST(order=order)
    found = metric.score(metric.statistics(hypotheses, references).sum(0))
    assert expected is None or found == pytest.approx(expected, **CLOSE)


def test_by_hand():
    """One order: a occurs once among four words, so it tells two bits; b three times."""
    metric = NIST(order=1)
    rows = metric.statistics(["a b"], ["a b b b"])
    assert rows[0].tolist() == pytest.approx([2, 4, 2 + math.log2(4 / 3), 2])
    # two of four words: beta ln(1/2)^2, where beta ln(2/3)^2 = ln(1/2)
    penalty = 0.5 ** ((math.log(2) / math.log(1.5)) ** 2)
    assert metric.score(rows[0]) == pytest.approx((2 + math.log2(4 / 3)) / 2 * penalty)


def test_half_at_two_thirds():
    """The length penalty is one half where the hypothesis has two thirds of the reference's words."""
    metric = NIST(order=1)
    rows = metric.statistics(["a b"], ["a b c"])
    assert metric.details(rows[0])["length_penalty"] == pytest.approx(0.5)


def test_weights_come_from_all_references():
    """The same segment pair tells less where its words are common elsewhere."""
    metric = NIST(order=1)
    alone = metric.statistics(["a"], ["a b"])[0, 2]
    among = metric.statistics(["a", "x"], ["a b", "a a"])[0, 2]
    assert alone == 1  # one of two words
    assert among == pytest.approx(math.log2(4 / 3))


@pytest.mark.parametrize(("hypothesis", "reference"), [("", ""), ("", "a b"), ("a b", ""), (" \u3000", "\u2028")])
def test_empty_texts(hypothesis, reference):
    """Nothing shared is 0, where NLTK divides by zero."""
    metric = NIST()
    assert metric.score(metric.statistics([hypothesis], [reference])[0]) == 0


@pytest.mark.parametrize("order", [0, 101])
def test_options(order):
    """An order that cannot be is refused."""
    with pytest.raises(OptionError, match="order is"):
        NIST(order=order)


def check_pair(name, systems=None, segments=None):
    """Every system of a pair equals NLTK, on characters of Chinese and Japanese and on white-space tokens of others."""
    pair = realdata.wmt(name)
    cut = scheme("char" if pair.target in ("zh", "ja") else "none")
    references = [[cut(text) for text in texts] for texts in zip(*pair.references.values(), strict=True)][:segments]
    metric = NIST()
    chosen = {
        system: [cut(text) for text in texts[:segments]] for system, texts in list(pair.systems.items())[:systems]
    }
    for (system, hypotheses), rows in zip(
        chosen.items(), metric.statistics_of_systems(list(chosen.values()), references), strict=True
    ):
        expected = nltk(references, hypotheses, 5)
        assert metric.score(rows.sum(0)) == pytest.approx(expected, **CLOSE), (name, system)


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
