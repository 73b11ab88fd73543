"""Learning rates warm up on a line and fall as their formulas say."""

import pytest

from tertium.errors import OptionError, UnknownName
from tertium.training.schedule import SHAPES, Schedule


@pytest.mark.parametrize("shape", SHAPES)
def test_all_warm_up_to_one_and_never_exceed_it(shape: str) -> None:
    """The n-th of 10 steps has n tenths."""
    factors = [Schedule(shape, warmup=10).factor(step, 100) for step in range(100)]
    assert factors[:10] == pytest.approx([n / 10 for n in range(1, 11)])
    assert max(factors) == 1.0
    assert factors[9:] == sorted(factors[9:], reverse=True)


def test_each_falls_as_it_should() -> None:
    """By hand: sqrt(10/40); half way down; the cosine's half; at the last step 0."""
    assert Schedule("inverse-sqrt", 10).factor(39, 100) == pytest.approx(0.5)
    assert Schedule("linear", 10).factor(54, 100) == pytest.approx(0.5)
    assert Schedule("cosine", 10).factor(54, 100) == pytest.approx(0.5)
    assert Schedule("cosine", 10).factor(32, 100) == pytest.approx((1 + 0.5**0.5) / 2, abs=0.01)
    assert [Schedule(shape, 10).factor(99, 100) for shape in ("linear", "cosine", "constant")] == [0, 0, 1]


def test_wrong_options_are_refused() -> None:
    """With the known shapes."""
    with pytest.raises(UnknownName, match="schedule 'sqrt'"):
        Schedule("sqrt")
    with pytest.raises(OptionError, match="warmup is 0"):
        Schedule(warmup=0)
