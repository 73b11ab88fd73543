"""ROUGE-N and ROUGE-L (Lin, 2004): how much of the reference a generated text brings, for summaries and the like.

    ROUGE-N   n-grams of one order, matched at most as often as the other text has them
    ROUGE-L   tokens on the longest common subsequence
    precision = matches / those of the hypothesis,  recall = matches / those of the reference,  F = 2 P R / (P + R)

A segment takes the reference with the highest F, the first among equals, and the score of a corpus is the mean over
its segments: a row is (precision, recall, F, 1). So ROUGE has been reported since Lin's script, and so
google-research's rouge-score computes it, whose numbers these are (times 100). Its tokenizer is the default; it drops
every letter that is not a-z, so name another one for other languages. Stemming is not offered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium import native
from tertium.errors import OptionError, UnknownName
from tertium.metrics.best_reference import best_reference
from tertium.metrics.protocol import AnyReferences
from tertium.metrics.ratios import ratio
from tertium.metrics.tokens import token_input
from tertium.native import Rows, Segments
from tertium.spelling import spelled

VARIANTS = (*"123456789", "L")
PARTS = ("precision", "recall", "f")


@spelled
@dataclass(frozen=True, repr=False)
class ROUGE:
    """ROUGE of one variant, an n-gram order from 1 to 9 or L, and one part of it: precision, recall or f.

    >>> metric = ROUGE()
    >>> rows = metric.statistics(["police killed the gunman"], ["police kill the gunman"])
    >>> metric.score(rows[0]).item()  # police .. the gunman: 3 of 4 on both sides
    75.0
    """

    variant: str = "L"
    part: str = "f"
    tokenize: str = "alphanumeric"
    lowercase: bool = False

    name: ClassVar[str] = "rouge"
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    higher_is_better: ClassVar[bool] = True
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"variant": VARIANTS, "part": PARTS}

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise OptionError(f"rouge: variant is {self.variant!r}; it must be an order from 1 to 9, or L")
        if self.part not in PARTS:
            raise UnknownName("part of rouge", self.part, PARTS)

    @property
    def columns(self) -> tuple[str, ...]:
        """Precision, recall and F of a segment, and how many segments there are."""
        return (*PARTS, "segments")

    def statistics(self, hypotheses: Segments, references: AnyReferences, *, threads: int = 0) -> Rows:
        """Precision, recall and F of each segment, and a one."""
        return np.asarray(self.statistics_of_systems([hypotheses], references, threads=threads)[0])

    def statistics_of_systems(
        self, systems: Sequence[Segments], references: AnyReferences, *, threads: int = 0
    ) -> Rows:
        """The rows of several systems."""
        ready = token_input(systems, references, self.tokenize, lowercase=self.lowercase)
        order = 1 if self.variant == "L" else int(self.variant)
        overlaps = native.overlap_statistics(
            ready.systems,
            ready.references,
            tokenizer=ready.tokenizer,
            lowercase=ready.lowercase,
            rule="subsequence" if self.variant == "L" else "ngrams",
            shortest=order,
            longest=order,
            threads=threads,
        )
        precision = ratio(overlaps[..., 0], overlaps[..., 2])
        recall = ratio(overlaps[..., 1], overlaps[..., 3])
        f = ratio(2.0 * precision * recall, precision + recall)
        present = np.where(overlaps[..., 3] < 0, -1.0, 1.0)
        rows = best_reference(np.stack([precision, recall, f, present], axis=-1), f)
        rows[..., -1] = 1.0  # a segment without a reference counts too
        return rows

    def score(self, total: Rows) -> NDArray[np.float64]:
        """The mean over the segments."""
        return 100.0 * ratio(total[..., PARTS.index(self.part)], total[..., 3])

    def details(self, total: Rows) -> dict[str, Any]:
        """Mean precision, recall and F in per cent, and the number of segments."""
        means = 100.0 * ratio(total[:3], np.broadcast_to(total[3], 3))
        return {**dict(zip(PARTS, means.tolist(), strict=True)), "segments": int(total[3])}
