"""Beam search against the enumeration of all sequences, and against a slow twin that runs to the end."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decoding.slow_beam import slow_beam
from decoding.toy import KINDS, Toy
from tertium.decoding.beam import STOPPING, Beam
from tertium.decoding.search import Limits, search
from tertium.errors import OptionError, UnknownName

SOURCES = [(2, 3), (4,), (3, 3, 2)]
OBJECTIVES = [
    {"normalise": "none"},
    {"normalise": "power", "alpha": 0.0},
    {"normalise": "power", "alpha": 0.7},
    {"normalise": "power", "alpha": 0.7, "count_end": False},
    {"normalise": "power", "alpha": 1.0},
    {"normalise": "power", "alpha": 1.0, "count_end": False},
    {"normalise": "power", "alpha": 2.0},
    {"normalise": "gnmt", "alpha": 0.6},
    {"normalise": "gnmt", "alpha": 1.5, "count_end": False},
]
WHOLE = 4**4  # as wide as there are children of all prefixes of 4 tokens of 4


def objectives():
    return st.builds(lambda chosen: chosen, st.sampled_from(OBJECTIVES))


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda each: "-".join(map(str, each.values())))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("least", [1, 3])
def test_a_beam_as_wide_as_the_tree_finds_the_best_sequences(kind, objective, least):
    """Under every objective, the 5 best of all sequences of `least` to 5 tokens, with their scores."""
    toy = Toy(vocabulary_size=4, kind=kind, seed=least)
    strategy = Beam(width=WHOLE, count=5, **objective)
    for source, found in zip(
        SOURCES, search(toy, SOURCES, strategy, limits=Limits(least=least, absolute=5)), strict=True
    ):
        expected = toy.ranked(source, strategy.length, 5, least)[:5]
        assert [each.score for each in found] == pytest.approx([score for score, _ in expected], abs=1e-12)
        if kind != "ties":
            assert [each.tokens for each in found] == [tokens for _, tokens in expected]
        for each in found:
            assert each.token_log_probs == tuple(toy.token_log_probs(source, each.tokens))
            assert each.log_prob == pytest.approx(toy.log_prob(source, each.tokens), abs=1e-12)
            assert each.score == strategy.length.score(each.log_prob, len(each.tokens))


@given(
    st.sampled_from(["random", "flat", "peaked"]),
    st.integers(0, 10**6),
    objectives(),
    st.integers(1, 6),
    st.data(),
)
@settings(max_examples=150)
def test_the_proven_rule_loses_nothing(kind, seed, objective, width, data):
    """It stops early and gives what the same beam gives that is run until no prefix is left."""
    toy = Toy(vocabulary_size=5, kind=kind, seed=seed)
    options = Beam(width=width, count=data.draw(st.integers(1, width)), **objective)
    most, least = data.draw(st.integers(2, 9)), data.draw(st.integers(1, 2))
    try:
        (found,) = search(toy, [(2, 3)], options, limits=Limits(least=least, absolute=most))
    except Exception as error:
        raise AssertionError(slow_beam(toy, (2, 3), options, most, least)) from error
    expected = slow_beam(toy, (2, 3), options, most, least)
    assert [each.tokens for each in found] == [tokens for _, tokens in expected]
    assert [each.score for each in found] == pytest.approx([score for score, _ in expected], abs=1e-12)


@pytest.mark.parametrize("stop", ["first-finished", "patience"])
@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.5, 1.0, 2.0]), st.integers(1, 5), st.data())
@settings(max_examples=60)
def test_the_other_rules_stop_where_they_say(stop, seed, patience, width, data):
    """After as many finished hypotheses as wanted, or patience * width (never fewer than wanted), and not before."""
    toy = Toy(vocabulary_size=5, kind="flat", seed=seed)
    options = Beam(width=width, count=data.draw(st.integers(1, width)), stop=stop, patience=patience)
    (found,) = search(toy, [(2, 3)], options, limits=Limits(absolute=8))
    expected = slow_beam(toy, (2, 3), options, 8, stop=stop)
    assert [each.tokens for each in found] == [tokens for _, tokens in expected]


def test_the_rules_differ():
    """The tests above are worth something: each rule gives another translation than each other one, somewhere."""
    rules = [Beam(width=3, alpha=2.0, stop=stop) for stop in STOPPING]
    different = set()
    for seed in range(60):
        toy = Toy(vocabulary_size=5, kind="flat", seed=seed)
        found = [search(toy, [(2, 3)], rule, limits=Limits(absolute=8))[0][0].tokens for rule in rules]
        different |= {(i, j) for i in range(3) for j in range(i) if found[i] != found[j]}
    assert different == {(1, 0), (2, 0), (2, 1)}


@given(st.integers(0, 10**6), st.sampled_from([(4, 2), (4, 4), (6, 3), (3, 3)]), st.sampled_from([0.0, 0.3, 1.0, 5.0]))
@settings(max_examples=100)
def test_diverse_beams_are_those_of_the_slow_twin(seed, shape, diversity):
    """Groups pay for what earlier groups chose; what comes out has the model's own probabilities, none of it twice."""
    width, groups = shape
    toy = Toy(vocabulary_size=5, seed=seed)
    options = Beam(width=width, count=width, groups=groups, diversity=diversity)
    (found,) = search(toy, [(2, 3)], options, limits=Limits(absolute=6))
    expected = slow_beam(toy, (2, 3), options, 6)
    assert [each.tokens for each in found] == [tokens for _, tokens in expected]
    assert len({each.tokens for each in found}) == len(found)
    for each in found:
        assert each.log_prob == pytest.approx(toy.log_prob((2, 3), each.tokens), abs=1e-12)


def test_without_diversity_all_groups_are_the_same_small_beam():
    """A price of 0: the best of 3 groups of 2 are the best of a beam of 2."""
    toy = Toy(seed=4)
    limits = Limits(absolute=6)
    (groups,) = search(toy, [(2,)], Beam(width=6, count=2, groups=3, diversity=0.0), limits=limits)
    (beam,) = search(toy, [(2,)], Beam(width=2, count=2), limits=limits)
    assert groups == beam


def test_a_high_price_gives_different_first_tokens():
    """Each group goes its own way from the start where a token chosen twice costs 1000."""
    toy = Toy(vocabulary_size=6, kind="peaked", seed=1)
    options = Beam(width=4, count=4, groups=4, diversity=1000.0)
    (found,) = search(toy, [(2,)], options, limits=Limits(least=3, absolute=3))
    assert len({each.tokens[0] for each in found}) == 4


def test_a_wider_beam_is_not_always_better():
    """The beam is a heuristic: somewhere, a beam of 3 finds a worse sequence than a beam of 2 under the objective."""
    worse = 0
    for seed in range(300):
        toy = Toy(kind="flat", seed=seed)
        limits = Limits(absolute=6)
        two, three = (search(toy, [(2,)], Beam(width=width, normalise="none"), limits=limits)[0][0] for width in (2, 3))
        worse += three.score < two.score
    assert worse > 0


@pytest.mark.parametrize(
    "options",
    [
        {"width": 0},
        {"width": 2, "count": 3},
        {"width": 4, "groups": 3},
        {"patience": 0.0},
        {"diversity": -1.0},
        {"alpha": math.nan},
    ],
)
def test_wrong_options_are_refused(options):
    """With the values in the message."""
    with pytest.raises(OptionError, match=str(next(iter(options.values())))):
        Beam(**options)
    with pytest.raises(UnknownName, match="did you mean proven"):
        Beam(stop="proved")
