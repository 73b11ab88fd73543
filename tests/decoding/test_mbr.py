"""Minimum Bayes risk: the choice is that of brute force over all pairs, whatever the metric, weights and duplicates."""

import fastchrf
import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import texts
from tertium import registry
from tertium.decoding.mbr import MBR, choose, probabilities
from tertium.errors import InputError, OptionError, UnknownName
from tertium.metrics.pairs import utilities
from tertium.native.reference.pairwise import aggregated_bleu_row, aggregated_chrf_row
from tertium.spelling import parts, read_options

METRICS = ["chrf", "chrf:words=2", "bleu:effective_order=yes", "bleu:smoothing=nltk4", "ter", "wer", "gleu", "rouge"]
CANDIDATES = ["the cat sat", "a cat sat on it", "the cat sat", "", "the cat sat on a mat", "dogs", "the cat"]
OTHERS = ["the cat sat on the mat", "the cat sat", "cats", "the cat sat"]
WEIGHTS = [0.5, 2.0, 0.0, 1.5]


def brute_force(metric, candidates, references, weights):
    """The expected utilities by scoring each pair alone, one call a pair."""
    expected = []
    for candidate in candidates:
        scores = [float(metric.score(metric.statistics([candidate], [reference])[0])) for reference in references]
        expected.append(sum(w * s for w, s in zip(weights, scores, strict=True)) / sum(weights))
    return expected


def first_best(expected, higher_is_better):
    """The place of the first candidate that no other beats by more than rounding."""
    sign = 1 if higher_is_better else -1
    best = max(sign * value for value in expected)
    return next(i for i, value in enumerate(expected) if sign * value > best - 1e-9)


@pytest.mark.parametrize("spelling", METRICS)
@pytest.mark.parametrize(("references", "weights"), [(None, None), (OTHERS, None), (OTHERS, WEIGHTS)])
def test_the_choice_is_that_of_brute_force(spelling, references, weights):
    """Metrics with and without a pairwise kernel, higher and lower better, with duplicates and an empty candidate."""
    metric = registry.metric(spelling)
    used = references or CANDIDATES
    (ranking,) = choose([CANDIDATES], references and [references], weights and [weights], metric=spelling, threads=1)
    expected = brute_force(metric, CANDIDATES, used, weights or [1.0] * len(used))
    assert ranking.scores.tolist() == pytest.approx(expected, abs=1e-9)
    assert ranking.index == first_best(expected, metric.higher_is_better)
    assert ranking.best == CANDIDATES[ranking.index]


@settings(max_examples=50)
@given(st.lists(texts, min_size=1, max_size=6), st.sampled_from(["chrf:order=3", "bleu:order=2,smoothing=floor"]))
def test_any_text(candidates, spelling):
    """Arbitrary Unicode: the expected utilities of brute force, and the first of the best."""
    (ranking,) = choose([candidates], metric=spelling)
    metric = registry.metric(spelling)
    expected = brute_force(metric, candidates, candidates, [1.0] * len(candidates))
    assert ranking.scores.tolist() == pytest.approx(expected, abs=1e-9)
    assert ranking.index == first_best(expected, higher_is_better=True)


def test_three_candidates_by_hand():
    """WER of "a b", "a c", "b": to each other 1/2, 1/1 (by the shorter); a choice and its values on paper.

    Rows are candidates, columns references: [0, 50, 100], [50, 0, 200], [50, 100, 0]. Means: 50, 83.33, 50. The first
    and the third are equal, so the first is chosen; with the weights 0, 0, 1 the third.
    """
    candidates = ["a b", "a c", "b"]
    (ranking,) = choose([candidates], metric="wer")
    assert ranking.scores.tolist() == pytest.approx([50, 250 / 3, 50])
    assert ranking.order.tolist() == [0, 2, 1]
    (weighted,) = choose([candidates], weights=[[0, 0, 1]], metric="wer")
    assert weighted.scores.tolist() == [100, 200, 0]
    assert weighted.best == "b"


def test_equal_candidates_count_as_often_as_they_were_drawn():
    """Two of three samples are "b": it wins over "a" that comes first; utilities of equal candidates are equal."""
    (ranking,) = choose([["a", "b", "b"]], metric="chrf:order=1")
    assert ranking.scores.tolist() == pytest.approx([100 / 3, 200 / 3, 200 / 3])
    assert ranking.order.tolist() == [1, 2, 0]


@pytest.mark.parametrize("metric", ["chrf", "bleu", "ter"])
def test_of_equals_the_earliest_wins(metric):
    """Texts that are permutations of each other's roles tie exactly; the order given decides."""
    candidates = ["x y z w", "p q r s", "a b c d"]
    (ranking,) = choose([candidates], metric=metric)
    assert ranking.order.tolist() == [0, 1, 2]


def test_sources_are_independent():
    """Each source's ranking is the one it has alone; sources may have different numbers of candidates."""
    several = [CANDIDATES, OTHERS, ["only one"]]
    together = choose(several, metric="chrf")
    for candidates, ranking in zip(several, together, strict=True):
        (alone,) = choose([candidates], metric="chrf")
        assert np.array_equal(alone.scores, ranking.scores)
    assert together[2].scores.tolist() == [100.0]
    assert choose([]) == []


def test_many_candidates_are_scored_piece_by_piece(monkeypatch):
    """Where the rows of all pairs would be too many, blocks of candidates give the same scores."""
    candidates = [f"{text} {i}" for i, text in enumerate(CANDIDATES * 3)]
    for spelling in ("chrf", "wer"):
        metric = registry.metric(spelling)
        whole = utilities(metric, candidates, OTHERS)
        with monkeypatch.context() as patch:
            patch.setattr("tertium.metrics.pairs.MOST_NUMBERS", 4 * len(OTHERS) * len(metric.columns))
            assert np.array_equal(utilities(metric, candidates, OTHERS), whole)


def test_token_lists():
    """Lists of tokens are compared as such: no tokenizer joins or splits them."""
    (ranking,) = choose([[["a b", "c"], ["a", "b", "c"], ["a b", "c"]]], metric="bleu:order=1")
    assert ranking.best == ["a b", "c"]
    assert ranking.scores[0] > ranking.scores[1]


class TestAggregation:
    """Scores against the mean of the pseudo-references."""

    def test_by_hand(self):
        """References "aa" and "b", equal weights: the mean has 1 a and 0.5 b, 1.5 characters in all.

        chrF of order 1, beta 1, of "ab": matches 1 + 0.5, precision 1.5/2, recall 1.5/1.5, F = 2 .75 / 1.75.
        """
        (ranking,) = choose([["ab", "b"]], [["aa", "b"]], metric="chrf:order=1,beta=1", aggregate=True)
        assert ranking.scores.tolist() == pytest.approx([100 * 1.5 / 1.75, 100 * 2 * 0.5 * (1 / 3) / (0.5 + 1 / 3)])

    @pytest.mark.parametrize("spelling", ["chrf", "chrf:eps_smoothing=yes,whitespace=yes", "chrf:order=3,beta=1"])
    def test_chrf_equals_fastchrf(self, spelling):
        """fastchrf 0.2 aggregates in the same sense."""
        metric = registry.metric(spelling)
        peer = fastchrf.aggregate_chrf(
            [CANDIDATES], [OTHERS], metric.order, metric.beta, not metric.whitespace, metric.eps_smoothing
        )
        (ranking,) = choose([CANDIDATES], [OTHERS], metric=spelling, aggregate=True)
        assert ranking.scores.tolist() == pytest.approx(peer[0], abs=1e-9)

    def test_bleu_equals_the_formula_over_mean_counts(self):
        """The twin's rows, weights and all, under the metric's formula."""
        metric = registry.metric("bleu:tokenize=none,smoothing=add-k")
        shares = [weight / sum(WEIGHTS) for weight in WEIGHTS]
        cut = [text.split() for text in OTHERS]
        rows = [aggregated_bleu_row(text.split(), cut, shares) for text in CANDIDATES]
        (ranking,) = choose([CANDIDATES], [OTHERS], [WEIGHTS], metric=metric, aggregate=True)
        assert ranking.scores.tolist() == pytest.approx(metric.score(np.array(rows)).tolist(), abs=1e-9)

    def test_chrf_with_weights_equals_the_twin(self):
        """Weights are shares of the mean: twice the weight is twice the reference."""
        metric = registry.metric("chrf:words=2")
        shares = [weight / sum(WEIGHTS) for weight in WEIGHTS]
        rows = [aggregated_chrf_row(text, OTHERS, shares, words=2) for text in CANDIDATES]
        (ranking,) = choose([CANDIDATES], [OTHERS], [WEIGHTS], metric=metric, aggregate=True)
        assert ranking.scores.tolist() == pytest.approx(metric.score(np.array(rows)).tolist(), abs=1e-9)
        repeated = [text for text, times in zip(OTHERS, [1, 4, 0, 3], strict=True) for _ in range(times)]
        (again,) = choose([CANDIDATES], [repeated], metric=metric, aggregate=True)
        assert again.scores.tolist() == pytest.approx(ranking.scores.tolist(), abs=1e-9)

    @pytest.mark.parametrize("spelling", ["chrf", "bleu:effective_order=yes"])
    def test_the_mean_of_one_reference_is_that_reference(self, spelling):
        """With one pseudo-reference both ways give the same utilities."""
        one = [["the cat sat on the mat"]]
        (mean,) = choose([CANDIDATES], one, metric=spelling, aggregate=True)
        (pairwise,) = choose([CANDIDATES], one, metric=spelling)
        assert mean.scores.tolist() == pytest.approx(pairwise.scores.tolist(), abs=1e-9)

    def test_a_metric_that_cannot_average_says_so(self):
        """No silent return to pairs."""
        with pytest.raises(OptionError, match="ter cannot average references"):
            choose([CANDIDATES], metric="ter", aggregate=True)
        with pytest.raises(OptionError, match="ter cannot average references"):
            MBR(metric="ter", aggregate=True)


@pytest.mark.parametrize("words", [0, 2])
def test_utilities_equal_the_peers(words):
    """chrF of every pair is sacreBLEU's sentence score, and BLEU's is its sentence BLEU."""
    pairs = [(candidate, reference) for candidate in CANDIDATES for reference in OTHERS]
    chrf, bleu = sacrebleu.CHRF(word_order=words), sacrebleu.BLEU(effective_order=True)
    for spelling, peer in ((f"chrf:words={words}", chrf), ("bleu:effective_order=yes", bleu)):
        ours = utilities(registry.metric(spelling), CANDIDATES, OTHERS)
        theirs = [peer.sentence_score(candidate, [reference]).score for candidate, reference in pairs]
        assert ours.ravel().tolist() == pytest.approx(theirs, abs=1e-9)


class NeedsSource:
    """A metric of the source, the candidate and the reference: the share of them that have the source's first letter.

    It has no pairwise way of its own and declares no more than it must.
    """

    name, higher_is_better, bounds, columns = "first-letter", True, (0.0, 1.0), ("score", "one")
    needs = frozenset({"source", "references"})

    def statistics(self, hypotheses, references, *, source, threads=0):
        letters = [[text[:1] for text in (one, each)] for one, each in zip(hypotheses, references, strict=True)]
        return np.array([[pair.count(text[:1]) / 2, 1.0] for pair, text in zip(letters, source, strict=True)])

    def score(self, total):
        return total[..., 0] / total[..., 1]


def test_a_metric_that_needs_the_source_gets_it():
    """Each pair comes with its own source; without sources the message asks for them."""
    rankings = choose([["ab", "xb"], ["ab", "xb"]], metric=NeedsSource(), source=["a", "x"])
    assert [ranking.best for ranking in rankings] == ["ab", "xb"]
    assert rankings[0].scores.tolist() == [0.75, 0.25]
    with pytest.raises(InputError, match="first-letter needs source"):
        choose([["ab"]], metric=NeedsSource())


class TestOptions:
    """The dataclass that the command line spells."""

    def test_a_spelling_inside_a_spelling(self):
        """Commas of the metric's spelling are escaped, and what is read back is what was meant."""
        options = MBR(metric="chrf:words=2,beta=1", candidates="beam:width=8,count=8", weights="probability")
        assert repr(options) == (
            "mbr:metric=chrf:words=2%2Cbeta=1,aggregate=no,candidates=beam:width=8%2Ccount=8,weights=probability"
        )
        assert MBR(**read_options(MBR, *parts(repr(options)))) == options

    def test_its_choice_is_the_function_s(self):
        """Metric and aggregation are passed on; sources too."""
        (ours,) = MBR(metric="chrf:order=2", aggregate=True).choose([CANDIDATES])
        (wanted,) = choose([CANDIDATES], metric="chrf:order=2", aggregate=True)
        assert np.array_equal(ours.scores, wanted.scores)

    def test_probabilities_weigh_distinct_texts(self):
        """A hypothesis found twice has its probability once: log 3 to log 1 are weights 0.75 and 0.25."""
        log_probs = np.log([3.0, 1.0, 3.0])
        (ranking,) = MBR(metric="chrf:order=1", weights="probability").choose([["a", "b", "a"]], [log_probs])
        assert ranking.scores.tolist() == pytest.approx([75, 25, 75])
        assert probabilities(["a", "b", "a"], log_probs - 1e4).tolist() == pytest.approx([0.75, 0.25, 0])

    def test_what_is_refused(self):
        """Unknown metrics, weights and missing log probabilities, each with its name."""
        with pytest.raises(UnknownName, match="unknown metric 'chr'"):
            MBR(metric="chr")
        with pytest.raises(UnknownName, match="weights of mbr"):
            MBR(weights="log")
        with pytest.raises(InputError, match="needs the log probability of each candidate"):
            MBR(weights="probability").choose([["a"]])
        with pytest.raises(InputError, match="one of them above minus infinity"):
            probabilities(["a"], [-np.inf])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"candidates": ["one text"]}, r"candidates\[0\] must be a list of texts"),
        ({"candidates": [["a"], []]}, r"candidates\[1\] is empty"),
        ({"candidates": [["a"], ["b", None]]}, r"candidates\[1\]\[1\] is None"),
        ({"candidates": [["a", 3]]}, r"candidates\[0\]\[1\] is of type int"),
        ({"candidates": [["a", "\ud800"]]}, r"candidates\[0\]\[1\] has a lone surrogate"),
        ({"candidates": [["a"]], "references": [["b"], ["c"]]}, "1 sources but references of 2"),
        ({"candidates": [["a"]], "references": [[]]}, r"references\[0\] is empty"),
        ({"candidates": [["a"]], "references": [[["b"]]]}, "token lists"),
        ({"candidates": [["a"]], "weights": [[1, 2]]}, r"weights\[0\] has shape \(2,\)"),
        ({"candidates": [["a"]], "weights": [[0.0]]}, r"weights\[0\] must be numbers of 0 or more"),
        ({"candidates": [["a"]], "weights": [[float("nan")]]}, r"weights\[0\] must be numbers"),
        ({"candidates": [["a"]], "source": ["b", "c"]}, "1 sources but source of 2"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_does_not_fit_is_named_with_its_place(arguments, message):
    """Wrong shapes, missing texts and weights that are none."""
    with pytest.raises(InputError, match=message):
        choose(**arguments)
