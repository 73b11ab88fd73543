"""Quotients of summed rows, with a value where there is nothing below the line."""

import numpy as np
from numpy.typing import NDArray

from tertium.native import Rows


def ratio(numerator: Rows, denominator: Rows) -> NDArray[np.float64]:
    """The quotient, and 0 where the denominator is 0.

    >>> ratio(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    return np.divide(numerator, denominator, out=np.zeros(np.shape(denominator)), where=np.asarray(denominator) != 0)


def error_rate(total: Rows) -> NDArray[np.float64]:
    """100 first column / second column; 100 where the second is 0 and the first is not, 0 where both are.

    >>> error_rate(np.array([[1.0, 4.0], [3.0, 0.0], [0.0, 0.0]])).tolist()
    [25.0, 100.0, 0.0]
    """
    edits, length = total[..., 0], total[..., 1]
    rate = np.divide(edits, length, out=np.array(edits > 0, np.float64), where=length > 0)
    return np.asarray(100 * rate)
