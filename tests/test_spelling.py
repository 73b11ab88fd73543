"""Spellings: what a thing's repr says is read back as the same thing, and options have their types."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import OptionError
from tertium.metrics.bleu import BLEU
from tertium.metrics.chrf import CHRF
from tertium.metrics.gleu import GLEU
from tertium.registry import metric
from tertium.spelling import parts, read_options, spelled


@spelled
@dataclass(frozen=True, repr=False)
class Thing:
    """One option of every kind."""

    name: ClassVar[str] = "thing"
    flag: bool = False
    count: int = 1
    amount: float | None = None
    text: str = "a"
    layers: tuple[int, ...] = ()
    weights: tuple[float, ...] | None = None


@given(
    st.builds(
        Thing,
        flag=st.booleans(),
        count=st.integers(),
        amount=st.none() | st.floats(allow_nan=False, allow_infinity=False),
        text=st.text(min_size=1).filter(lambda text: text == text.strip()),
        layers=st.lists(st.integers(), min_size=1).map(tuple),
        weights=st.none() | st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1).map(tuple),
    )
)
def test_what_is_spelled_is_read_back(thing: Thing) -> None:
    """Every value, to its type and last digit: large and small numbers, commas and per cent signs in a text."""
    name, options = parts(repr(thing))
    back = Thing(**read_options(Thing, name, options))
    assert back == thing
    assert repr(back) == repr(thing)
    assert [type(layer) for layer in back.layers] == [int] * len(thing.layers)


@pytest.mark.parametrize(
    "bleu",
    [
        BLEU(order=2, weights=(1e6, 1.0)),
        BLEU(tokenize="spm:/models/a,b%2C.model"),
        BLEU(smoothing="floor", smoothing_value=10**9),
        BLEU(order=2, weights=[0.25, 0.75]),
        BLEU(order=np.int64(2), lowercase=np.True_, smoothing="add-k", smoothing_value=np.float32(0.5)),
    ],
    ids=repr,
)
def test_metrics_come_back(bleu: BLEU) -> None:
    """Exponents, commas in paths, lists for tuples, whole numbers for fractions, NumPy's numbers for Python's."""
    assert metric(repr(bleu)) == bleu
    assert hash(metric(repr(bleu))) == hash(bleu)
    assert repr(metric(repr(bleu))) == repr(bleu)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BLEU(order=2.5), "bleu: order is 2.5; it takes a whole number"),
        (lambda: BLEU(order="4"), "order is '4'; it takes a whole number"),
        (lambda: BLEU(order=True), "order is True; it takes a whole number"),
        (lambda: BLEU(lowercase="no"), "lowercase is 'no'; it takes yes or no"),
        (lambda: BLEU(lowercase=1), "lowercase is 1; it takes yes or no"),
        (lambda: BLEU(tokenize=None), "tokenize is None; it takes text"),
        (lambda: BLEU(smoothing=None), "smoothing is None; it takes text"),
        (lambda: BLEU(weights="0.5"), r"weights is '0.5'; it takes numbers joined by \+ or none"),
        (lambda: BLEU(order=1, weights=("a",)), "numbers joined by"),
        (lambda: BLEU(weights=(1e308,) * 4), "must be from 0 to 1e9"),
        (lambda: BLEU(weights=(float("nan"),) * 4), "must be from 0 to 1e9"),
        (lambda: CHRF(order=float("nan")), "order is nan; it takes a whole number"),
        (lambda: CHRF(words=-1), "both must be 0 or more"),
        (lambda: GLEU(max_len=None), "max_len is None"),
    ],
)
def test_options_have_their_types(make, message: str) -> None:
    """A wrong type is named where the metric is made, and not met inside the core."""
    with pytest.raises(OptionError, match=message):
        make()
