"""Kernels of translation models in NumPy: the twin of cpp/int8_linear.hpp, attention, log_softmax and top.hpp."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def quantised(rows: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Each row as integers in [-127, 127], halves to even, and its scale; a row that is not finite has the scale NaN.

    >>> numbers, scales = quantised(np.array([[1, -2, 0.5]], np.float32))
    >>> numbers.tolist(), [round(float(scale) * 127, 6) for scale in scales]
    ([[64, -127, 32]], [2.0])
    """
    numbers = np.zeros(rows.shape, np.int64)
    scales = np.zeros(len(rows), np.float32)
    for index, row in enumerate(rows):
        magnitude = np.abs(row).max(initial=np.float32(0))
        if not np.isfinite(magnitude):
            scales[index] = np.nan
        elif magnitude >= np.float32(1e-36):
            numbers[index] = np.rint(row * (np.float32(127) / magnitude))
            scales[index] = magnitude / np.float32(127)
    return numbers, scales


def int8_linear(x: Floats, weight: Floats, bias: Floats | None, *, relu: bool = False) -> Floats:
    """x W' + b of quantised rows and weights."""
    rows, row_scales = quantised(x)
    weights, scales = quantised(weight)
    out = (rows @ weights.T).astype(np.float32) * (row_scales[:, None] * scales)
    if bias is not None:
        out = out + bias
    return np.where(out < 0, np.float32(0), out) if relu else out


def attend(queries: Floats, keys: Floats, values: Floats, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Attention (queries, width) of one head of one sentence; seen (queries, slots)."""
    out = np.zeros(queries.shape)
    for index, (query, sees) in enumerate(zip(queries.astype(float), seen, strict=True)):
        scores = keys[sees].astype(float) @ query / np.sqrt(len(query))
        weights = np.exp(scores - scores.max())
        out[index] = weights / weights.sum() @ values[sees]
    return out


def log_softmax(row: Floats) -> NDArray[np.float64]:
    """A row less the logarithm of the sum of its exponentials."""
    exact = row.astype(float)
    return np.asarray(exact - exact.max() - np.log(np.exp(exact - exact.max()).sum()))


def top(row: Floats, k: int) -> list[int]:
    """The places of the k largest numbers of a row, those that stand first of equal ones.

    >>> top(np.array([0.2, np.nan, 0.7], np.float32), 2)
    [2, 0]
    """
    counted = np.where(np.isnan(row), -np.inf, row)
    return sorted(range(len(row)), key=lambda place: (-counted[place], place))[:k]
