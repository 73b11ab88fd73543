"""The oracle itself: enumeration is complete."""

import math

import pytest

from decoding.toy import KINDS, Toy


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_of_all_sequences_sum_to_one(kind):
    """Sequences of up to 5 tokens, and those longer ones that begin with 5 tokens without end, hold all probability."""
    toy = Toy(vocabulary_size=4, kind=kind)
    whole = list(toy.every((3,), most=5))
    longer = [total for tokens, total in toy.every((3,), most=6, least=6)]  # those that end with the 6th token ...
    open_mass = sum(
        math.exp(total) / math.exp(float(toy.distribution((3,), tokens[:-1])[toy.end]))  # ... stand for their prefix
        for (tokens, total) in toy.every((3,), most=6, least=6)
    )
    assert len(whole) == sum(3**n for n in range(5))
    assert len(longer) == 3**5
    assert sum(math.exp(total) for _, total in whole) + open_mass == pytest.approx(1, abs=1e-5)
