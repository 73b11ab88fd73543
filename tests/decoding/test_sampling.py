"""Sampling against exact probabilities of whole sequences; filters against their definition by hand."""

import math
from collections import Counter

import pytest
import scipy.stats
import torch

from decoding.toy import Toy
from tertium.decoding.constraints import Banned
from tertium.decoding.sampling import Sample
from tertium.decoding.search import Limits, search
from tertium.errors import OptionError

SOURCE = (2, 3)
LIMITS = Limits(absolute=4)
OPTIONS = [
    {},
    {"temperature": 0.5},
    {"temperature": 2.0, "top_k": 3},
    {"top_k": 1},
    {"top_p": 0.7},
    {"min_p": 0.3},
    {"epsilon": 0.15},
    {"temperature": 1.5, "top_k": 4, "top_p": 0.9, "min_p": 0.05, "epsilon": 0.02},
]


def filtered(log_probs, *, temperature=1.0, top_k=None, top_p=1.0, min_p=0.0, epsilon=0.0):
    """The distribution that is drawn from, written token by token from the definitions."""
    weights = {token: math.exp(value / temperature) for token, value in enumerate(log_probs) if value > -math.inf}
    total = sum(weights.values())
    ranked = sorted(((weight / total, token) for token, weight in weights.items()), reverse=True)
    kept, before = {}, 0.0
    for rank, (probability, token) in enumerate(ranked):
        within = top_k is None or rank < top_k
        if rank == 0 or (within and before < top_p and probability >= min_p * ranked[0][0] and probability >= epsilon):
            kept[token] = probability
        before += probability
    return {token: probability / sum(kept.values()) for token, probability in kept.items()}


def probabilities(toy, options, prefix=(), probability=1.0):
    """The exact probability of drawing each sequence; at the last place only the end is drawn."""
    if len(prefix) + 1 == LIMITS.absolute:
        return {(*prefix, toy.end): probability}
    found = {}
    for token, share in filtered(toy.distribution(SOURCE, prefix).tolist(), **options).items():
        if token == toy.end:
            found[(*prefix, token)] = probability * share
        else:
            found |= probabilities(toy, options, (*prefix, token), probability * share)
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
def test_sequences_are_drawn_with_their_exact_probabilities(options):
    """6000 draws: nothing that is filtered out, and a chi-square test of the counts of all other sequences."""
    toy = Toy(vocabulary_size=5, seed=3)
    results = search(toy, [SOURCE] * 60, Sample(count=100, seed=11, **options), limits=LIMITS)
    counts = Counter(each.tokens for found in results for each in found)
    expected = {tokens: 6000 * share for tokens, share in probabilities(toy, options).items()}
    assert sum(expected.values()) == pytest.approx(6000)
    assert set(counts) <= set(expected)
    often = [tokens for tokens in expected if expected[tokens] >= 5]
    seen = [float(counts[tokens]) for tokens in often]
    wanted = [expected[tokens] for tokens in often]
    if sum(wanted) < 5999:  # what is rare is counted together
        seen.append(6000 - sum(seen))
        wanted.append(6000 - sum(wanted))
    if len(often) > 1:
        assert scipy.stats.chisquare(seen, wanted, sum_check=False).pvalue > 1e-3
    else:
        assert seen == [6000.0]


def test_filters_by_hand():
    """Probabilities 0.5, 0.3, 0.15, 0.05: which tokens each filter keeps, and what becomes of their shares."""
    log_probs = torch.tensor([[0.15, 0.5, 0.05, 0.3]]).log()

    def kept(**options):
        tokens, cumulative = Sample(**options).weights(log_probs)
        shares = torch.diff(cumulative[0], prepend=torch.zeros(1, dtype=torch.float64))
        return {
            int(token): round(float(share), 4) for token, share in zip(tokens[0], shares, strict=True) if share > 1e-12
        }

    assert kept() == {1: 0.5, 3: 0.3, 0: 0.15, 2: 0.05}
    assert kept(top_k=2) == {1: 0.625, 3: 0.375}
    assert kept(top_p=0.5) == {1: 1.0}
    assert kept(top_p=0.51) == {1: 0.625, 3: 0.375}
    assert kept(min_p=0.29) == {1: 0.5263, 3: 0.3158, 0: 0.1579}
    assert kept(min_p=0.31) == {1: 0.625, 3: 0.375}
    assert kept(epsilon=0.16) == {1: 0.625, 3: 0.375}
    assert kept(epsilon=0.9) == {1: 1.0}
    # temperature 1/2 squares: 25 : 9 : 2.25 : 0.25 of 36.5
    assert kept(temperature=0.5) == {1: 0.6849, 3: 0.2466, 0: 0.0616, 2: 0.0068}


def test_what_is_reported_is_the_models_own_probability():
    """Whatever the temperature and the filters; the likeliest sample comes first."""
    toy = Toy(seed=3)
    (found,) = search(toy, [SOURCE], Sample(count=20, temperature=3.0, top_k=3), limits=LIMITS)
    assert len(found) == 20
    for each in found:
        assert each.token_log_probs == tuple(toy.token_log_probs(SOURCE, each.tokens))
        assert each.score == each.log_prob == pytest.approx(toy.log_prob(SOURCE, each.tokens), abs=1e-12)
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_the_stream_follows_seed_and_number():
    """The same seed and number give the same samples; another seed, or another number, others."""
    toy = Toy(kind="flat", seed=3)

    def samples(seed, number):
        (found,) = search(toy, [SOURCE], Sample(count=30, seed=seed), limits=LIMITS, streams=[number])
        return [each.tokens for each in found]

    assert samples(1, 7) == samples(1, 7)
    assert samples(1, 7) != samples(2, 7)
    assert samples(1, 7) != samples(1, 8)


def test_samples_that_constraints_leave_no_token_are_given_up():
    """After the token 0 nothing may follow: those samples are lost, the others are as wanted."""
    toy = Toy(kind="flat", seed=3)
    banned = Banned([[0, token] for token in range(5)])
    (found,) = search(toy, [SOURCE], Sample(count=200), [banned], limits=LIMITS)
    assert 0 < len(found) < 200
    assert not any(0 in each.tokens for each in found)


@pytest.mark.parametrize(
    "options",
    [{"count": 0}, {"temperature": 0.0}, {"top_k": 0}, {"top_p": 0.0}, {"min_p": 1.5}, {"epsilon": 1.0}, {"seed": -1}],
)
def test_wrong_options_are_refused(options):
    """With what they may be."""
    with pytest.raises(OptionError, match=next(iter(options))):
        Sample(**options)
