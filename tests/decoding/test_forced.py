"""The score of given translations: the model's own table, and the numbers of every search for its own output."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoding.test_search import LIMITS, NETWORKS, random_model
from decoding.toy import Toy
from tertium.decoding import forced
from tertium.decoding.beam import Beam
from tertium.decoding.forced import score_texts, score_tokens
from tertium.decoding.greedy import Greedy
from tertium.decoding.length import Length
from tertium.decoding.sampling import Sample
from tertium.decoding.search import search
from tertium.errors import InputError
from tertium.models.network import UNKNOWN

tokens = st.lists(st.integers(0, 4), min_size=1, max_size=6)


@given(st.lists(st.tuples(tokens, tokens), min_size=1, max_size=8), st.sampled_from([Length(), Length("none")]))
def test_scores_are_those_of_the_table(pairs, length):
    """Each token's log probability, their sum and the objective, for any translations, with or without an end."""
    toy = Toy()
    found = score_tokens(toy, [source for source, _ in pairs], [translation for _, translation in pairs], length)
    for (source, translation), each in zip(pairs, found, strict=True):
        assert each.tokens == tuple(translation)
        assert each.token_log_probs == tuple(toy.token_log_probs(tuple(source), translation))
        assert each.log_prob == pytest.approx(toy.log_prob(tuple(source), translation), abs=1e-12)
        assert each.score == length.score(each.log_prob, len(translation))


def test_feeding_in_pieces_changes_nothing(monkeypatch):
    """Where the log probabilities of all tokens at once would not fit, they are asked for bit by bit."""
    toy = Toy()
    sources, translations = [[2, 3], [2, 3], [4], [2, 3]], [[2, 3, 4, 0, 1], [1], [0, 0, 0, 1], [3, 1]]
    whole = score_tokens(toy, sources, translations)
    monkeypatch.setattr(forced, "CELLS", 2 * 4 * toy.vocabulary_size)
    assert score_tokens(toy, sources, translations) == whole
    monkeypatch.setattr(forced, "BATCH", 8)
    assert score_tokens(toy, sources, translations) == whole


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("strategy", [Greedy(), Beam(width=3, count=3), Sample(count=2, temperature=2.0)], ids=repr)
def test_a_search_and_forced_scoring_report_the_same_numbers(name, strategy):
    """What each search says of its own output, to 1e-4, for every network; in one batch of all."""
    model = random_model(name)
    sources = [model.source_tokens(text) for text in ("a cat", "the dog sat on the mat", "dog")]
    results = search(model, sources, strategy, limits=LIMITS)
    pairs = [(source, each) for source, found in zip(sources, results, strict=True) for each in found]
    scored = score_tokens(model, [source for source, _ in pairs], [each.tokens for _, each in pairs], strategy.length)
    for (_, said), again in zip(pairs, scored, strict=True):
        assert again.token_log_probs == pytest.approx(said.token_log_probs, abs=1e-4)
        assert (again.log_prob, again.score) == pytest.approx((said.log_prob, said.score), abs=1e-4)


def test_texts_are_scored_as_their_tokens():
    """With the end that belongs to a whole translation."""
    model = random_model("encoder-decoder")
    (found,) = score_texts(model, ["a cat"], ["the dog"])
    assert found.tokens == tuple(model.target_tokens("the dog"))
    assert found == score_tokens(model, [model.source_tokens("a cat")], [model.target_tokens("the dog")])[0]


def test_what_the_model_never_says_has_no_probability():
    """The unknown token: minus infinity, and so has the whole."""
    model = random_model("encoder-decoder")
    (found,) = score_tokens(model, [model.source_tokens("a cat")], [[UNKNOWN, model.end]])
    assert found.log_prob == found.score == -math.inf


@pytest.mark.parametrize(
    ("sources", "translations", "message"),
    [
        ([[2]], [[2, 1], [1]], "1 sources and 2 translations"),
        ([[2], [2]], [[1], []], "translation 2 has no tokens"),
        ([[2]], [[2, 2, 2, 2, 1]], "translation 1 has 5 tokens and the model takes 4"),
        ([[2] * 7], [[1]], "source 1 has 7 tokens and the model takes 6"),
        ([[2]], [[5, 1]], "outside the vocabulary of 5"),
        ([[2]], [[-1, 1]], "outside the vocabulary of 5"),
    ],
)
def test_what_cannot_be_scored_is_refused(sources, translations, message):
    """With the number of the line; nothing is cut."""
    with pytest.raises(InputError, match=message):
        score_tokens(Toy(longest_source=6, longest_target=4), sources, translations)
