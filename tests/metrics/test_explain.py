"""The n-grams and segments behind a score."""

import math

import numpy as np
import pytest
from hypothesis import given

import tertium
from strategies import corpora, texts, token_lists
from tertium.errors import InputError, OptionError

HYPOTHESIS = "the cat the cat on the mat"
REFERENCES = ["the cat is on the mat", "there is a cat on the mat"]
pytestmark = pytest.mark.filterwarnings("ignore:.* segments with .* references each")  # as many of each by chance


def test_the_lecture():
    """The classroom example: which n-grams are clipped, by which reference; p1 = 5/7 and p2 = 4/6."""
    found = tertium.explain(HYPOTHESIS, REFERENCES, "bleu")
    table = {" ".join(match.ngram): match for match in found.ngrams() if match.order <= 2}
    expected = {  # count, clipped, the reference that allows it, its counts in both
        "the": (3, 2, 0, (2, 1)),
        "cat": (2, 1, 0, (1, 1)),
        "on": (1, 1, 0, (1, 1)),
        "mat": (1, 1, 0, (1, 1)),
        "the cat": (2, 1, 0, (1, 0)),
        "cat the": (1, 0, None, (0, 0)),
        "cat on": (1, 1, 1, (0, 1)),
        "on the": (1, 1, 0, (1, 1)),
        "the mat": (1, 1, 0, (1, 1)),
    }
    assert {k: (m.count, m.clipped, m.reference, m.reference_counts) for k, m in table.items()} == expected
    bigrams = [match for match in found.ngrams() if match.order == 2]
    assert (sum(match.clipped for match in bigrams), sum(match.count for match in bigrams)) == (4, 6)
    assert [(order.matches, order.total) for order in found.orders[:2]] == [(5, 7), (4, 6)]
    assert found.orders[1].precision == pytest.approx(400 / 6)


def test_brevity_penalty_by_hand():
    """Four of five tokens: without the penalty exp(-1/4) the score would be 100."""
    found = tertium.explain("a b c d", "a b c d e", "bleu:tokenize=none")
    assert found.score == pytest.approx(100 * math.exp(-0.25))
    assert found.brevity_penalty == pytest.approx(math.exp(-0.25))
    assert found.score_without_penalty == pytest.approx(100)


def test_orders_multiply_to_the_score():
    """BLEU is 100 times the penalty times the orders' factors, and dividing by one gives the score were it perfect."""
    found = tertium.explain(HYPOTHESIS, REFERENCES, "bleu:order=3,weights=0.5+0.3+0.2")
    # p3: cat on the, on the mat of 5
    assert [order.contribution for order in found.orders] == pytest.approx([(5 / 7) ** 0.5, (4 / 6) ** 0.3, 0.4**0.2])
    assert found.score == pytest.approx(100 * math.prod(order.contribution for order in found.orders))
    for order in found.orders:
        assert order.score_if_perfect == pytest.approx(found.score / order.contribution)


def test_gleu_by_hand():
    """GLEU is clipped by the one reference it takes, and the orders' contributions add up to it."""
    # The hypothesis has 7 + 6 + 5 + 4 n-grams, the references no more. The first has the, the, cat, on, mat; the cat,
    # on the, the mat; on the mat: 9. The second: the, cat, on, mat; cat on, on the, the mat; cat on the, on the mat;
    # cat on the mat: 10.
    found = tertium.explain(HYPOTHESIS, REFERENCES, "gleu")
    assert found.score == pytest.approx(1000 / 22)
    assert [order.matches for order in found.orders] == [4, 3, 2, 1]
    assert sum(order.contribution for order in found.orders) == pytest.approx(found.score)
    assert {match.reference for match in found.ngrams()} == {None, 1}


def test_chrf_orders():
    """chrF's orders carry their own F-scores: "ab" and "abc" share two of two and three characters."""
    found = tertium.explain("ab", "abc", "chrf:order=2,beta=1")
    assert [order.label for order in found.orders] == ["character 1", "character 2"]
    assert found.orders[0].contribution == pytest.approx(80)  # P = 1, R = 2/3
    assert found.orders[1].contribution == pytest.approx(200 / 3)  # P = 1, R = 1/2


def test_segments_by_hand():
    """Leaving out the worse of two segments raises the score to that of the better one."""
    found = tertium.explain(["a b c d", "x y z w"], ["a b c d", "p q r s"], "bleu")
    assert found.segments.tolist() == pytest.approx([100, 0])
    assert found.without.tolist() == pytest.approx([0, 100])
    assert found.contributions.tolist() == pytest.approx([found.score, found.score - 100])


@given(corpora(texts))
def test_tables_sum_to_the_rows(corpus):
    """The table of each segment has the clipped counts and totals of the metric's statistics."""
    hypotheses, references = corpus
    for spelling in ("bleu", "bleu:tokenize=none,lowercase=yes"):
        found = tertium.explain(hypotheses, references, spelling)
        rows = found.metric.statistics(hypotheses, references)
        for segment, row in enumerate(rows):
            for n in range(1, 5):
                table = [match for match in found.ngrams(segment) if match.order == n]
                assert sum(match.clipped for match in table) == row[1 + n]
                assert sum(match.count for match in table) == row[5 + n]


@given(corpora(token_lists))
def test_gleu_tables_sum_to_the_rows(corpus):
    """GLEU's tables and orders have the matches of its rows."""
    hypotheses, references = corpus
    found = tertium.explain(hypotheses, references, "gleu")
    rows = found.metric.statistics(hypotheses, references)
    for segment, row in enumerate(rows):
        assert sum(match.clipped for match in found.ngrams(segment)) == row[0]
        assert sum(match.count for match in found.ngrams(segment)) == row[1]
    assert sum(order.matches for order in found.orders) == rows[:, 0].sum()


@pytest.mark.parametrize("metric", ["bleu", "gleu", "chrf", "rouge", "f1", "nist"])
def test_without_is_the_corpus_less_one(metric):
    """Every metric says what the corpus scores without each segment."""
    found = tertium.explain(["a b c d", "a c b", "e"], ["a b d c", "a c b", "f"], metric)
    rows = found.metric.statistics(["a b c d", "a c b", "e"], ["a b d c", "a c b", "f"])
    expected = [float(found.metric.score(np.delete(rows, segment, axis=0).sum(axis=0))) for segment in range(3)]
    assert found.without == pytest.approx(expected)


def test_what_cannot_be_explained():
    """Segments that do not exist, metrics without n-grams and one text for many hypotheses are refused."""
    with pytest.raises(InputError, match="no segment 1"):
        tertium.explain("a", "a").ngrams(1)
    with pytest.raises(OptionError, match="no table"):
        tertium.explain("a", "a", "rouge").ngrams()
    with pytest.raises(InputError, match="not one text"):
        tertium.explain(["a", "b"], "a")
    with pytest.raises(InputError, match="there is no reference for this segment"):
        tertium.explain("a", [])


def test_tokens_and_gaps():
    """Token lists are taken as they are; a missing reference counts nothing."""
    found = tertium.explain([["a b", "c"]], [[["a b"], ["c"]]], "bleu:order=1")
    assert [match.ngram for match in found.ngrams()] == [("a b",), ("c",)]
    gap = tertium.explain(["a", "b"], tertium.References.from_streams([["a", "b"], [None, "c"]]), "bleu:order=1")
    assert gap.ngrams(0)[0].reference_counts == (1, 0)
