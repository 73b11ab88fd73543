"""Greedy search takes the likeliest token at every step."""

import pytest

from decoding.toy import KINDS, Toy
from tertium.decoding.beam import Beam
from tertium.decoding.greedy import Greedy
from tertium.decoding.search import Limits, search

SOURCES = [(2, 3), (4,), (3, 3, 2), (2,)]


def walk(toy, source, most, least):
    """Greedy search, written as it is explained: the first of equally likely tokens."""
    tokens = []
    while not tokens or tokens[-1] != toy.end:
        log_probs = toy.distribution(source, tuple(tokens)).tolist()
        length = len(tokens) + 1
        allowed = [token for token in range(len(log_probs)) if token != toy.end or length >= least]
        if length == most:
            allowed = [toy.end]
        tokens.append(max(allowed, key=lambda token: (log_probs[token], -token)))
    return tuple(tokens)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("least", [1, 4])
def test_greedy_walks_along_the_likeliest_tokens(kind, least):
    """Its tokens, their log probabilities and its score, the log probability; for 8 models and 4 sources each."""
    for seed in range(8):
        toy = Toy(kind=kind, seed=seed)
        results = search(toy, SOURCES, Greedy(), limits=Limits(least=least, absolute=7))
        for source, (found,) in zip(SOURCES, results, strict=True):
            expected = walk(toy, source, 7, least)
            assert found.tokens == expected
            assert found.token_log_probs == tuple(toy.token_log_probs(source, expected))
            assert found.score == found.log_prob == pytest.approx(toy.log_prob(source, expected), abs=1e-12)


def test_a_beam_of_one_that_stops_at_its_first_hypothesis_is_greedy():
    """Width 1, first-finished, is the same search."""
    for seed in range(20):
        toy = Toy(seed=seed)
        one = Beam(width=1, stop="first-finished", normalise="none")
        limits = Limits(absolute=7)
        assert search(toy, SOURCES, one, limits=limits) == search(toy, SOURCES, Greedy(), limits=limits)
