"""What a test set can show: the minimum detectable difference, power, and how many segments a difference needs.

All rest on the standard error of the paired difference, which falls with the square root of the number of segments, and
on the normal approximation of its distribution (Card et al., "With little power comes great responsibility", 2020).
"""

import math
from statistics import NormalDist

from tertium.errors import OptionError
from tertium.stats.bootstrap import check_confidence

NORMAL = NormalDist()


def minimum_detectable_difference(error: float, *, confidence: float = 0.95, power: float = 0.8) -> float:
    """The smallest true difference that a two-sided test finds with chance `power`, given its standard error.

        (z_(1 - alpha/2) + z_power) error

    It is that of one test; a correction for many tests asks for a larger one.

    >>> round(minimum_detectable_difference(0.1), 4)
    0.2802
    """
    return _quantiles(confidence, power) * _checked(error)


def power_of_test(difference: float, error: float, *, confidence: float = 0.95) -> float:
    """The chance that a two-sided test finds a true difference, given its standard error.

    >>> round(power_of_test(0.2802, 0.1), 3)
    0.8
    """
    check_confidence(confidence)
    _checked(error)
    limit = NORMAL.inv_cdf((1 + confidence) / 2)
    if error == 0:
        return 1.0 if difference else 1 - confidence
    return NORMAL.cdf(difference / error - limit) + NORMAL.cdf(-difference / error - limit)


def segments_needed(
    difference: float, error: float, segments: int, *, confidence: float = 0.95, power: float = 0.8
) -> int:
    """How many segments of this kind would show `difference`, given the standard error on `segments` of them.

    >>> segments_needed(0.5, error=0.25, segments=1000)
    1963
    """
    if difference == 0:
        raise OptionError("no number of segments shows a difference of 0: ask for a difference that matters")
    return max(1, math.ceil(segments * (_quantiles(confidence, power) * _checked(error) / difference) ** 2))


def _checked(error: float) -> float:
    if not 0 <= error < math.inf:
        raise OptionError(f"the standard error is {error}; it must be a number from 0 up")
    return error


def _quantiles(confidence: float, power: float) -> float:
    check_confidence(confidence)
    if not 0 < power < 1:
        raise OptionError(f"power is {power}; it must lie between 0 and 1, such as 0.8")
    return NORMAL.inv_cdf((1 + confidence) / 2) + NORMAL.inv_cdf(power)
