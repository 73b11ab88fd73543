"""The objective and its bounds."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tertium.decoding.length import NORMALISATIONS, Length
from tertium.errors import OptionError, UnknownName

lengths = st.builds(Length, st.sampled_from(NORMALISATIONS), st.sampled_from([0.0, 0.3, 0.7, 1.0, 2.5]), st.booleans())


@pytest.mark.parametrize(
    ("length", "tokens", "divisor"),
    [
        (Length("none"), 9, 1.0),
        (Length("power", 1.0), 9, 9.0),
        (Length("power", 1.0, count_end=False), 9, 8.0),
        (Length("power", 0.5), 9, 3.0),
        (Length("power", 0.7), 1, 1.0),
        (Length("power", 0.7, count_end=False), 1, 1.0),  # the end alone: no length to divide by
        (Length("gnmt", 1.0), 7, 2.0),
        (Length("gnmt", 2.0, count_end=False), 8, 4.0),
    ],
)
def test_divisors_by_hand(length, tokens, divisor):
    """T^alpha, ((5 + T) / 6)^alpha, 1; T with or without the end, and never below 1."""
    assert length.divisor(tokens) == divisor
    assert length.score(-3.0, tokens) == -3.0 / divisor


@given(lengths)
def test_divisors_of_many_lengths_are_those_of_each(length):
    """The vectorised form says the same."""
    tokens = torch.arange(1, 40)
    assert length.divisors(tokens).tolist() == pytest.approx([length.divisor(t) for t in range(1, 40)], rel=1e-14)


@given(lengths, st.floats(-50, 0), st.integers(1, 30), st.integers(0, 30), st.floats(0, 20))
def test_no_continuation_of_a_prefix_scores_above_its_bound(length, log_prob, tokens, more, falls):
    """Whatever it loses and however long it becomes: log P only falls, and what divides it only rises."""
    most = tokens + more
    for final in range(tokens, most + 1):
        assert length.score(log_prob - falls, final) <= length.bound(log_prob, most)


@given(lengths, st.floats(-50, -1e-3), st.integers(1, 30), st.floats(0, 20))
def test_what_is_at_most_the_least_log_prob_cannot_exceed_the_score(length, score, most, below):
    """`least_log_prob` is the bound turned around, up to rounding."""
    assert length.bound(length.least_log_prob(score, most) - below, most) <= score * (1 - 1e-12)


def test_wrong_options_are_refused():
    """A negative power would favour short translations without end; unknown names are named."""
    with pytest.raises(OptionError, match="alpha is -1"):
        Length(alpha=-1.0)
    with pytest.raises(OptionError, match="alpha"):
        Length(alpha=math.inf)
    with pytest.raises(UnknownName, match="did you mean gnmt"):
        Length("gmnt")
