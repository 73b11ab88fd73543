"""NIST (Doddington, 2002): n-gram matches weighted by how much information each n-gram carries.

    NIST = sum_n (information of the matching n-grams of order n / n-grams of order n) exp(beta ln²(min(c/r, 1)))
    information(w_1 .. w_n) = log2(occurrences of w_1 .. w_n-1 / occurrences of w_1 .. w_n),  counted in all references

beta makes the length penalty 1/2 where the hypothesis is 2/3 as long as the reference. As NLTK counts: each order of
each segment takes the reference that gives it most, and c and r are lengths of these references summed over the
orders; NLTK stops with an error where no hypothesis has an n-gram of some order, here that order adds nothing.

The weights come from the references of the whole test set, so a row belongs to its test set: rows of the same
references add, resample and compare as every metric's do, rows of two test sets cannot be put together. The score has
no upper end.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium import native
from tertium.errors import OptionError
from tertium.metrics.protocol import AnyReferences
from tertium.metrics.ratios import ratio
from tertium.metrics.tokens import token_input
from tertium.native import Rows, Segments
from tertium.spelling import spelled

BETA = math.log(0.5) / math.log(1.5) ** 2
MOST_ORDERS = 100  # an n-gram longer than that is a mistake in an option, and would cost memory


@spelled
@dataclass(frozen=True, repr=False)
class NIST:
    """NIST with n-grams up to `order`.

    >>> metric = NIST(order=1)
    >>> round(metric.score(metric.statistics(["a c"], ["a b b b"])[0]).item(), 3)  # log2(4/1) / 2, half as long
    0.132
    """

    order: int = 5
    tokenize: str = "13a"
    lowercase: bool = False

    name: ClassVar[str] = "nist"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    higher_is_better: ClassVar[bool] = True
    rows_depend_on_all_references: ClassVar[bool] = True  # by the information weights

    def __post_init__(self) -> None:
        if not 1 <= self.order <= MOST_ORDERS:
            raise OptionError(f"nist: order is {self.order}; it must be from 1 to {MOST_ORDERS}")

    @property
    def columns(self) -> tuple[str, ...]:
        """Lengths summed over the orders, information matched and n-grams of each order."""
        orders = range(1, self.order + 1)
        counts = [f"{kind}_{n}" for kind in ("information", "total") for n in orders]
        return ("hypothesis_length", "reference_length", *counts)

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Lengths, information and n-grams of each segment."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems; the information weights are counted once."""
        ready = token_input(systems, references, self.tokenize, lowercase=self.lowercase)
        return native.nist_statistics(
            ready.systems,
            ready.references,
            tokenizer=ready.tokenizer,
            lowercase=ready.lowercase,
            order=self.order,
            threads=threads,
        )

    def _length_penalty(self, total: Rows) -> NDArray[np.float64]:
        relative = np.clip(np.where(total[..., 1] > 0, ratio(total[..., 0], total[..., 1]), 1.0), 0.0, 1.0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(BETA * np.log(relative) ** 2))

    def _gains(self, total: Rows) -> NDArray[np.float64]:
        return ratio(total[..., 2 : 2 + self.order], total[..., 2 + self.order :])

    def score(self, total: Rows) -> NDArray[np.float64]:
        """NIST of summed rows."""
        return np.asarray(self._gains(total).sum(axis=-1) * self._length_penalty(total))

    def details(self, total: Rows) -> dict[str, Any]:
        """What each order adds before the penalty, the length penalty, and mean lengths over the orders."""
        return {
            "gains": self._gains(total).tolist(),
            "information": total[2 : 2 + self.order].tolist(),
            "totals": [int(value) for value in total[2 + self.order :].tolist()],
            "length_penalty": float(self._length_penalty(total)),
            "hypothesis_length": float(total[0]) / self.order,
            "reference_length": float(total[1]) / self.order,
        }
