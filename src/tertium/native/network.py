"""The typed face of the core's kernels for translation models: arrays in, arrays that the caller made filled.

    Int8Linear   a linear layer of eight-bit integers; what a row gives depends on the row alone
    attend       attention in which slots that a query does not see cost nothing
    log_softmax  log probabilities in the place of logits
    top          the largest of many numbers

Every processor gives the same bits, and so does every number of threads. Attention and log probabilities are written
for processors with AVX-512; on others torch's are faster. The readable twins are in `tertium.native.reference.network`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.native import _core

__all__ = ["FAST", "PROCESSOR", "Floats", "Int8Linear", "attend", "log_softmax", "top"]

Floats = NDArray[np.float32]
PROCESSOR: Final[str] = _core.processor()  # the fastest version of the kernels that this one runs
FAST: Final[bool] = PROCESSOR == "avx512"
Int8Linear = _core.Int8Linear


def attend(
    queries: Floats,
    keys: Floats,
    values: Floats,
    seen: NDArray[np.bool_] | None,
    out: Floats,
    *,
    processor: str = "auto",
    threads: int = 1,
) -> None:
    """Fill out (sentences, queries, heads, width) with what each query takes from the slots it sees.

    Queries, keys and values are (sentences, heads, queries or slots, width), of which the last axis must be dense. Seen
    is (sentences, queries, slots), or (sentences, 1, slots) where all queries see the same; None: they see all.

    >>> queries, keys = np.zeros((1, 1, 1, 2), np.float32), np.zeros((1, 1, 3, 2), np.float32)
    >>> values = np.array([[[[1, 0], [2, 3], [100, 100]]]], np.float32)
    >>> attend(queries, keys, values, np.array([[[True, True, False]]]), out := np.empty_like(queries))
    >>> out.ravel().tolist()
    [1.5, 1.5]
    """
    _core.attend(queries, keys, values, seen, out, processor, threads)


def log_softmax(rows: Floats, *, processor: str = "auto", threads: int = 1) -> None:
    """Take log(sum exp) of each row (rows, vocabulary) away from it.

    >>> rows = np.log(np.array([[1, 3, 4]], np.float32))
    >>> log_softmax(rows)
    >>> np.exp(rows).round(6).tolist()
    [[0.125, 0.375, 0.5]]
    """
    _core.log_softmax(rows, processor, threads)


def top(
    numbers: Floats, values: Floats, places: NDArray[np.int64], *, processor: str = "auto", threads: int = 1
) -> None:
    """Fill values and places (rows, k) with the k largest of each row (rows, n), largest first, and where they stand.

    Of equal numbers those that stand first are taken; what is no number counts as minus infinity.

    >>> values, places = np.empty((1, 2), np.float32), np.empty((1, 2), np.int64)
    >>> top(np.array([[0.2, 0.7, 0.1, 0.7]], np.float32), values, places)
    >>> places.tolist()
    [[1, 3]]
    """
    _core.top(numbers, values, places, processor, threads)
