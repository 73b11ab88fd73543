"""Exact search against the enumeration of all sequences: what is proven is true, and what is not proven is said."""

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decoding.test_beam import OBJECTIVES
from decoding.test_constraints import CASES, best_that_keep, inside
from decoding.test_search import random_model, same
from decoding.toy import KINDS, Toy
from tertium import registry
from tertium.decoding.beam import Beam
from tertium.decoding.exact import Exact, ExactResult
from tertium.decoding.length import Length
from tertium.decoding.required import Required
from tertium.decoding.search import Limits, search
from tertium.errors import OptionError, UnknownName

SOURCES = [(2, 3), (4,), (3, 3, 2)]


def exact(toy, source, options, **limits) -> ExactResult:
    ((found,),) = search(toy, [source], options, limits=Limits(**limits))
    assert isinstance(found, ExactResult)
    return found


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda each: "-".join(map(str, each.values())))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("least", [1, 3])
def test_the_best_of_all_sequences_is_found_and_proven(kind, objective, least):
    """Under every objective, from a beam of one, three prefixes at once; the score of the enumeration's best."""
    for seed in range(3):
        toy = Toy(vocabulary_size=4, kind=kind, seed=seed)
        options = Exact(width=1, batch=3, **objective)
        for source in SOURCES:
            found = exact(toy, source, options, least=least, absolute=6)
            score, tokens = toy.ranked(source, options.length, 6, least)[0]
            assert found.proven
            assert found.score == found.bound == pytest.approx(score, abs=1e-12)
            assert found.proven_to == 6
            if kind != "ties":
                assert found.tokens == tokens
            assert found.token_log_probs == tuple(toy.token_log_probs(source, found.tokens))
            assert found.log_prob == pytest.approx(toy.log_prob(source, found.tokens), abs=1e-12)


@given(
    st.sampled_from(KINDS),
    st.sampled_from(OBJECTIVES),
    st.integers(0, 10**6),
    st.integers(0, 60),
    st.integers(1, 9),
)
@settings(max_examples=120)
def test_what_a_budget_leaves_unproven_is_said(kind, objective, seed, budget, batch):
    """However small the budget: at least the beam's score, no sequence above the bound, none of `proven_to` better."""
    toy = Toy(vocabulary_size=4, kind=kind, seed=seed)
    options = Exact(width=1, batch=batch, expansions=budget, **objective)
    found = exact(toy, (2,), options, absolute=6)
    ranked = toy.ranked((2,), options.length, 6)
    ((beam,),) = search(toy, [(2,)], Beam(width=1, **objective), limits=Limits(absolute=6))
    assert beam.score <= found.score <= ranked[0][0] + 1e-12
    assert found.bound >= ranked[0][0] - 1e-9
    assert found.proven == (found.proven_to == 6)
    if found.proven:
        assert found.score == found.bound == pytest.approx(ranked[0][0], abs=1e-12)
    shorter = [score for score, tokens in ranked if len(tokens) <= found.proven_to]
    assert max(shorter, default=-100.0) <= found.score + 1e-12
    # A batch may begin before the budget ends; every step begins with the root.
    assert found.expansions <= budget + batch + 6


def test_a_smaller_budget_leaves_a_higher_bound():
    """Nothing is proven of a flat model in 10 prefixes, all is in many; the bound falls to the score."""
    toy = Toy(vocabulary_size=5, kind="flat", seed=1)
    found = [
        exact(toy, (2,), Exact(expansions=budget, normalise="power"), absolute=7) for budget in (0, 10, 100, 10**6)
    ]
    assert [each.proven for each in found] == [False, False, False, True]
    bounds = [each.bound for each in found]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[2] > bounds[3] == found[3].score


def test_no_seconds_no_proof():
    """A budget of CPU time works as one of prefixes does."""
    toy = Toy(vocabulary_size=5, kind="flat", seed=1)
    assert not exact(toy, (2,), Exact(seconds=0.0), absolute=7).proven
    found = exact(toy, (2,), Exact(seconds=100.0), absolute=7)
    assert found.proven
    assert 0 < found.seconds < 100


@pytest.mark.parametrize("kind", ["random", "flat"])
def test_no_prefix_is_expanded_that_the_bound_rules_out(kind):
    """From the best sequence, and no other: the root and each prefix likelier than it, once."""
    for seed in range(5):
        toy = Toy(vocabulary_size=4, kind=kind, seed=seed)
        found = exact(toy, (2,), Exact(width=300, batch=7), absolute=6)
        prefixes = {tokens[:i] for tokens, _ in toy.every((2,), 6) for i in range(len(tokens))}
        likelier = [each for each in prefixes if toy.log_prob((2,), each) > found.log_prob]
        assert () in likelier
        assert found.expansions == len(likelier)


def test_steps_repeat_no_more_than_they_save():
    """With normalisation the length is raised in steps: all in all less than three times the prefixes of the last."""
    for seed in range(4):
        toy = Toy(vocabulary_size=4, kind="random", seed=seed)
        options = Exact(width=300, normalise="power", alpha=1.0)
        found = exact(toy, (2,), options, absolute=7)
        prefixes = {tokens[:i] for tokens, _ in toy.every((2,), 7) for i in range(len(tokens))}
        least = options.length.least_log_prob(found.score, 7)
        assert found.expansions <= 3 * sum(toy.log_prob((2,), each) > least for each in prefixes)


@pytest.mark.parametrize("name", CASES)
def test_constraints_hold_in_exact_search(name):
    """The best of all sequences that keep each constraint; each source its own prefix."""
    constraint, keeps = CASES[name]
    toy = Toy(vocabulary_size=4, kind="flat")
    options = Exact(width=300, batch=4)
    for source, (found,) in zip(
        SOURCES, search(toy, SOURCES, options, [constraint], limits=Limits(absolute=5)), strict=True
    ):
        expected = best_that_keep(toy, source, lambda t, source=source: keeps(t, source), Length("none"))
        assert (found.tokens, found.proven) == (expected[0][1], True)


def test_required_phrases_hold_in_exact_search():
    """The best of all sequences that have a phrase."""
    toy = Toy(vocabulary_size=4, kind="flat")
    options = Exact(normalise="power")
    (found,) = search(toy, [(2,)], options, [Required([[[3, 3]]], toy.end)], limits=Limits(absolute=5))
    expected = best_that_keep(toy, (2,), lambda tokens: inside((3, 3), tokens))
    assert found[0].tokens == expected[0][1]


@pytest.mark.parametrize("name", ["encoder-decoder", "luong", "bahdanau"])
def test_networks_give_the_same_for_every_batch_size(name):
    """States that are picked, left and taken up again: 100, 500 and 5000 prefixes at once find the same, proven."""
    model = deepcopy(random_model(name))
    project = model.network.project
    model.network.project = lambda hidden: 16 * project(hidden)  # random networks are too undecided to search in
    source = model.source_tokens("a cat sat")
    limits = Limits(least=3, absolute=4)
    found = [search(model, [source], Exact(batch=batch), limits=limits)[0] for batch in (100, 500, 5000)]
    assert all(each[0].proven for each in found)
    assert found[0][0].expansions > 250
    assert same(found[1], found[0], 1e-4)
    assert same(found[2], found[0], 1e-4)


def test_it_is_a_search_like_the_others():
    """Found by its name; wrong options are named."""
    assert registry.make("search", "exact:batch=7,seconds=0.5") == Exact(batch=7, seconds=0.5)
    with pytest.raises(OptionError, match="batch=0"):
        Exact(batch=0)
    with pytest.raises(OptionError, match="seconds=-1"):
        Exact(seconds=-1.0)
    with pytest.raises(UnknownName, match="did you mean power"):
        Exact(normalise="powr")
