"""Resampling in plain Python: the twin of cpp/philox.hpp and cpp/resample.hpp.

Philox4x32-10 is from Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
"""

from collections.abc import Sequence

Words = tuple[int, int, int, int]

LOW = 0xFFFFFFFF
BOOTSTRAP, RANDOMISATION = 0, 1  # what the numbers are for: the last word of the counter


def philox4x32(counter: Words, key: tuple[int, int]) -> Words:
    """Ten rounds of multiply and exchange.

    >>> [f"{word:08x}" for word in philox4x32((0, 0, 0, 0), (0, 0))]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    c0, c1, c2, c3 = counter
    key0, key1 = key
    for _ in range(10):
        a, b = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ key0, b & LOW, (a >> 32) ^ c3 ^ key1, a & LOW
        key0, key1 = (key0 + 0x9E3779B9) & LOW, (key1 + 0xBB67AE85) & LOW
    return c0, c1, c2, c3


def word(seed: int, purpose: int, draw: int, index: int, attempt: int = 0) -> int:
    """The random word of one place in one draw."""
    return philox4x32((index // 4, attempt, draw, purpose), (seed & LOW, seed >> 32))[index % 4]


def below(bound: int, seed: int, draw: int, index: int) -> int:
    """A whole number below `bound`, each with the same chance: a segment of a bootstrap draw."""
    attempt = 0
    while True:
        product = word(seed, BOOTSTRAP, draw, index, attempt) * bound
        if product & LOW >= 2**32 % bound:
            return product >> 32
        attempt += 1


def bootstrap_draw(segments: int, seed: int, draw: int) -> list[int]:
    """The segments of a draw.

    >>> len(bootstrap_draw(10, seed=1, draw=0))
    10
    """
    return [below(segments, seed, draw, index) for index in range(segments)]


def subset(segments: int, seed: int, trial: int) -> list[int]:
    """The segments that a randomisation trial takes: those whose bit is set, 32 bits to a word."""
    return [i for i in range(segments) if word(seed, RANDOMISATION, trial, i // 32) >> i % 32 & 1]


def total(rows: Sequence[Sequence[float]], segments: Sequence[int]) -> list[float]:
    """The sum of the rows of some segments.

    >>> total([[1, 2], [10, 20]], [0, 1, 1])
    [21, 42]
    """
    return [sum(column) for column in zip(*(rows[i] for i in segments), strict=True)] or [0.0] * len(rows[0])
