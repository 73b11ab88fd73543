"""Reranking: arrays in, order out; the oracle is the best that the references can find."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tertium
from decoding.toy import Toy
from tertium.decoding.length import Length
from tertium.decoding.rerank import NoisyChannel, by_metric, rank, weighted
from tertium.errors import InputError, OptionError

SCORES = arrays(np.float64, st.integers(1, 8), elements=st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1e-12, 3.0]))


@given(SCORES, st.booleans())
def test_the_order_is_that_of_python_s_stable_sort(scores, higher_is_better):
    """Best first; values equal to nine decimals keep the order they came in."""
    sign = -1 if higher_is_better else 1
    wanted = sorted(range(len(scores)), key=lambda i: sign * round(scores[i], 9))
    ranking = rank([str(i) for i in range(len(scores))], scores, higher_is_better=higher_is_better)
    assert ranking.order.tolist() == wanted
    assert (ranking.index, ranking.best) == (wanted[0], str(wanted[0]))


def test_infinite_scores_have_their_place():
    """A translation that a model gives no probability comes last, not nowhere."""
    assert rank(["a", "b", "c"], [-np.inf, -5.0, -np.inf]).order.tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    ("candidates", "scores", "message"),
    [
        (["a"], [1.0, 2.0], r"1 candidates but scores of shape \(2,\)"),
        ([], [], "no candidates"),
        (["a", "b"], [1.0, float("nan")], "candidate 1 is not a number"),
    ],
)
def test_scores_that_do_not_fit_are_refused(candidates, scores, message):
    """Another number of scores, none, or one that is not a number."""
    with pytest.raises(InputError, match=message):
        rank(candidates, scores)


def test_a_weighted_sum():
    """By hand: 1 * -3 + 0.5 * 4 and 1 * -1 + 0.5 * 1; a weight of 0 leaves even minus infinity out."""
    features = {"model": [-3.0, -1.0], "words": [4, 1]}
    assert weighted(features, {"model": 1.0, "words": 0.5}).tolist() == [-1.0, -0.5]
    assert weighted({"a": [1.0], "b": [-np.inf]}, {"a": 2.0, "b": 0.0}).tolist() == [2.0]


def test_scores_and_weights_must_have_the_same_names():
    """A feature without a weight is a mistake, not a zero."""
    with pytest.raises(InputError, match="each needs the other"):
        weighted({"a": [1.0]}, {"a": 1.0, "b": 1.0})
    with pytest.raises(InputError, match="different shapes"):
        weighted({"a": [1.0], "b": [1.0, 2.0]}, {"a": 1.0, "b": 1.0})


def test_the_noisy_channel_by_hand():
    """log P(y|x) + 2 log P(x|y) + 0.5 log P(y): -1 - 8 - 1 = -10 and -2 - 2 - 2 = -6, so the second is best."""
    channel = NoisyChannel(reverse=2.0, language=0.5)
    scores = channel.scores([-1.0, -2.0], [-4.0, -1.0], [-2.0, -4.0])
    assert scores.tolist() == [-10.0, -6.0]
    assert rank(["a", "b"], scores).best == "b"
    assert repr(channel) == "noisy-channel:reverse=2,language=0.5"
    with pytest.raises(OptionError, match="must be finite"):
        NoisyChannel(reverse=float("inf"))


@dataclass(frozen=True)
class Letters(Toy):
    """The toy model over texts of the letters a, b, c."""

    def source_tokens(self, text: str) -> list[int]:
        return ["abc".index(letter) + 2 for letter in text]

    def target_tokens(self, text: str) -> list[int]:
        return [*self.source_tokens(text), self.end]

    def text(self, tokens: Sequence[int]) -> str:
        return "".join("abc"[token - 2] for token in tokens if token != self.end)

    def log_prob(self, source: str, target: str) -> float:
        """log P by walking through the distributions, token by token."""
        tokens, given = self.target_tokens(target), tuple(self.source_tokens(source))
        return sum(float(self.distribution(given, tuple(tokens[:n]))[token]) for n, token in enumerate(tokens))


def test_the_noisy_channel_by_models():
    """Each log probability is the sum of its model's distributions along the text; lengths divide each by its own."""
    direct, reverse, language = Letters(seed=1), Letters(seed=2), Letters(seed=3)
    sources, candidates = ["ab", "c"], [["a", "bb", "abc"], ["", "c"]]
    channel = NoisyChannel(reverse=0.7, language=0.3)
    rankings = channel.rank(candidates, sources, direct, reverse, language)
    means = channel.rank(candidates, sources, direct, reverse, language, length=Length(alpha=1.0))
    for source, texts, ranking, mean in zip(sources, candidates, rankings, means, strict=True):
        parts = [
            (direct.log_prob(source, text), reverse.log_prob(text, source), language.log_prob("", text))
            for text in texts
        ]
        assert ranking.scores.tolist() == pytest.approx([d + 0.7 * r + 0.3 * p for d, r, p in parts], abs=1e-5)
        assert ranking.index == int(np.argmax([d + 0.7 * r + 0.3 * p for d, r, p in parts]))
        sizes = [(len(text) + 1, len(source) + 1) for text in texts]
        wanted = [d / t + 0.7 * r / s + 0.3 * p / t for (d, r, p), (t, s) in zip(parts, sizes, strict=True)]
        assert mean.scores.tolist() == pytest.approx(wanted, abs=1e-5)


def test_the_noisy_channel_without_a_language_model():
    """Its weight must say so."""
    direct, reverse = Letters(seed=1), Letters(seed=2)
    (ranking,) = NoisyChannel(language=0.0).rank([["a", "b"]], ["c"], direct, reverse)
    wanted = [direct.log_prob("c", text) + reverse.log_prob(text, "c") for text in "ab"]
    assert ranking.scores.tolist() == pytest.approx(wanted, abs=1e-5)
    with pytest.raises(OptionError, match="needs a language model"):
        NoisyChannel().rank([["a"]], ["c"], direct, reverse)
    with pytest.raises(InputError, match="1 sources but 2 sources"):
        NoisyChannel(language=0.0).rank([["a"]], ["c", "a"], direct, reverse)


CANDIDATES = [["the dog sat", "a cat sat", "the cat sat"], ["it rained", "it rains"], ["x"]]
REFERENCES = [["the cat sat down", "a cat sat"], "it rains", ["y", "x"]]


@pytest.mark.parametrize("metric", ["chrf", "bleu:effective_order=yes", "ter", "wer"])
def test_the_oracle_has_the_best_segment_scores(metric):
    """The scores are those of `tertium.score`; the first best is chosen, for metrics of either direction."""
    references = [[each] if isinstance(each, str) else each for each in REFERENCES]
    rankings = by_metric(CANDIDATES, references, metric)
    better = max if tertium.metric(metric).higher_is_better else min
    for ranking, candidates, own in zip(rankings, CANDIDATES, references, strict=True):
        scores = [tertium.score(metric, [candidate], [own]).score for candidate in candidates]
        assert ranking.scores.tolist() == pytest.approx(scores, abs=1e-12)
        assert ranking.index == scores.index(better(scores))
    assert [ranking.best for ranking in rankings] == ["a cat sat", "it rains", "x"]


def test_the_oracle_bounds_every_other_choice():
    """WER's segment scores: no choice of candidates has a smaller sum than the oracle's."""
    rankings = by_metric(CANDIDATES, {"one": ["the cat sat down", "it rains now", "x y"]}, "wer")
    oracle = sum(ranking.scores[ranking.index] for ranking in rankings)
    for choice in itertools.product(*(range(len(each)) for each in CANDIDATES)):
        assert sum(ranking.scores[i] for ranking, i in zip(rankings, choice, strict=True)) >= oracle


def test_the_oracle_s_input_is_checked():
    """Another number of references, and a source without candidates, are named."""
    with pytest.raises(InputError, match="3 hypotheses but references for 2"):
        by_metric(CANDIDATES, ["a", "b"])
    with pytest.raises(InputError, match=r"candidates\[1\] is empty"):
        by_metric([["a"], []], ["a", "b"])
