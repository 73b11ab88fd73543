"""The loop: limits, and that a sentence gives the same whatever else is in its batch."""

from collections.abc import Sequence
from functools import cache

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from decoding.toy import KINDS, Toy
from tertium.decoding.beam import Beam
from tertium.decoding.constraints import Banned, NoRepeat
from tertium.decoding.frontier import Hypothesis
from tertium.decoding.greedy import Greedy
from tertium.decoding.sampling import Sample
from tertium.decoding.search import Limits, search
from tertium.errors import InputError, OptionError
from tertium.models.lstm import LSTMOptions
from tertium.models.trained import TrainedModel
from tertium.models.transformer import TransformerOptions
from tertium.models.vocabulary import Vocabulary

SEARCHES = [
    Greedy(),
    Beam(width=3, count=2),
    Beam(width=3, normalise="none", stop="first-finished"),
    Beam(width=2, stop="patience", patience=2.0),
    Beam(width=4, count=4, groups=2),
    Sample(count=3, temperature=1.3, top_k=4, seed=5),
    Sample(count=2, top_p=0.8),
]
NETWORKS = {
    "encoder-decoder": TransformerOptions(layers=2, width=32, heads=2, hidden=64),
    "prefix": TransformerOptions(kind="prefix", layers=2, width=32, heads=2, hidden=64),
    "decoder": TransformerOptions(kind="decoder", layers=2, width=32, heads=2, hidden=64),
    "luong": LSTMOptions(width=32, hidden=32),
    "bahdanau": LSTMOptions(attention="bahdanau", layers=2, width=32, hidden=32),
}
LIMITS = Limits(ratio=1.0, extra=4)


@cache
def random_model(name: str) -> TrainedModel:
    """A network of ours with random weights, spread enough that nothing is nearly equal."""
    vocabulary = Vocabulary.learn(["a cat sat on the mat", "the dog and the cat"] * 5, size=290)
    torch.manual_seed(7)
    network = NETWORKS[name].build(len(vocabulary), len(vocabulary))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(1.5)
    return TrainedModel(network, vocabulary, vocabulary)


def same(found: list[Hypothesis], expected: list[Hypothesis], within: float) -> bool:
    """Equal tokens, and numbers that differ by rounding at the most."""
    return [each.tokens for each in found] == [each.tokens for each in expected] and [
        number for each in found for number in (*each.token_log_probs, each.log_prob, each.score)
    ] == pytest.approx(
        [number for each in expected for number in (*each.token_log_probs, each.log_prob, each.score)], abs=within
    )


@given(
    st.lists(st.lists(st.integers(2, 4), min_size=1, max_size=6), min_size=1, max_size=7),
    st.sampled_from(SEARCHES),
    st.sampled_from(KINDS),
    st.integers(0, 1000),
)
@settings(max_examples=40)
def test_a_sentence_does_not_see_its_batch(sources, strategy, kind, seed):
    """Each sentence of a batch gives bit by bit what it gives alone, for every search, constraints among them."""
    toy = Toy(kind=kind, seed=seed)
    constraints = [Banned([[3, 3]]), NoRepeat(3)]
    together = search(toy, sources, strategy, constraints, limits=LIMITS)
    for number, source in enumerate(sources):
        (alone,) = search(toy, [source], strategy, constraints, limits=LIMITS, streams=[number])
        assert alone == together[number]


@pytest.mark.parametrize("strategy", SEARCHES, ids=repr)
@pytest.mark.parametrize("name", NETWORKS)
def test_networks_give_a_sentence_the_same_alone_in_a_batch_and_padded(name, strategy):
    """Alone, among sentences of all lengths, in another order: equal tokens, log probabilities to 1e-4."""
    model = random_model(name)
    sources: list[Sequence[int]] = [
        model.source_tokens(text) for text in ("a cat", "the dog sat on the mat and the cat sat", "dog", "the the the")
    ]
    together = search(model, sources, strategy, limits=LIMITS)
    turned = search(model, sources[::-1], strategy, limits=LIMITS, streams=[3, 2, 1, 0])[::-1]
    for number, source in enumerate(sources):
        (alone,) = search(model, [source], strategy, limits=LIMITS, streams=[number])
        assert same(alone, together[number], 1e-4)
        assert same(turned[number], together[number], 1e-4)


@given(st.sampled_from(SEARCHES), st.sampled_from(KINDS), st.integers(1, 5), st.integers(0, 4), st.integers(0, 1000))
@settings(max_examples=40)
def test_lengths_stay_within_the_limits(strategy, kind, least, more, seed):
    """Every hypothesis has from the least to the most tokens, one end among them: the last."""
    toy = Toy(kind=kind, seed=seed)
    for found in search(toy, [(2,), (3, 4)], strategy, limits=Limits(least=least, absolute=least + more)):
        for each in found:
            assert least <= len(each.tokens) <= least + more
            assert each.tokens.count(toy.end) == 1
            assert each.tokens[-1] == toy.end


def test_the_limit_follows_the_source_and_the_model():
    """ratio * source + extra, never more than the model takes; the least wins over a short source's most."""
    limits = Limits(ratio=1.5, extra=2, least=4)
    assert [limits.most(length, None) for length in (1, 2, 3, 10)] == [4, 5, 6, 17]
    assert limits.most(10, 12) == 12
    assert Limits(absolute=7).most(100, None) == 7


def test_a_model_that_cannot_reach_the_least_length_is_an_error():
    """It is not overrun in silence."""
    with pytest.raises(OptionError, match=r"least=9.*at most 8"):
        search(Toy(longest_target=8), [(2,)], Greedy(), limits=Limits(least=9))


def test_constraints_that_nothing_keeps_are_an_error():
    """Banning everything, or the end: the message says which source and how long a translation could have been."""
    for constraint in (Banned([[token] for token in range(5)]), Banned([[1]])):
        for strategy in SEARCHES:
            with pytest.raises(InputError, match="source 1: no translation of at most 3 tokens"):
                search(Toy(), [(2,)], strategy, [constraint], limits=Limits(absolute=3))


def test_no_sources_no_translations():
    """An empty batch is no error."""
    assert search(Toy(), [], Greedy()) == []
