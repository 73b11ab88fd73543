"""Every candidate of one sentence scored against every pseudo-reference, or against their mean, under any metric.

A metric's own `pairwise` does the former at once; for one without it the pairs are spelled out and go through
`statistics` and `score`, as many candidates at a time as keep their rows within a few megabytes.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, OptionError
from tertium.metrics.protocol import Aggregating, Metric, Pairwise, Texts

MOST_NUMBERS = 2**20  # of rows at a time: 8 MB, and a few times that while they are scored


def utilities(
    metric: Metric, candidates: Texts, references: Texts, *, source: str | None = None, threads: int = 0
) -> NDArray[np.float64]:
    """The score of each candidate against each reference, (candidates, references).

    >>> from tertium.metrics.chrf import CHRF
    >>> utilities(CHRF(order=1), ["ab", "a"], ["ab", "b"]).round(1).tolist()
    [[100.0, 83.3], [55.6, 0.0]]
    """
    if isinstance(metric, Pairwise):
        return metric.pairwise(candidates, references, threads=threads)
    needs = getattr(metric, "needs", {"references"})
    if "references" not in needs:
        raise OptionError(f"{metric.name} compares with no reference: rank the candidates by its scores instead")
    if "source" in needs and source is None:
        raise InputError(f"{metric.name} needs source: pass the texts that were translated")

    def score(some: Texts) -> NDArray[np.float64]:
        options = {"source": [source] * (len(some) * len(references))} if "source" in needs else {}
        rows = metric.statistics(
            [candidate for candidate in some for _ in references],
            [reference for _ in some for reference in references],
            threads=threads,
            **options,
        )
        return metric.score(np.asarray(rows).reshape(len(some), len(references), -1))

    return in_blocks(score, candidates, len(metric.columns) * len(references))


def in_blocks(score: Callable[[Texts], NDArray[np.float64]], candidates: Texts, numbers: int) -> NDArray[np.float64]:
    """`score` of all candidates, a few at a time where their rows, of so many numbers each, would be too large."""
    step = max(1, MOST_NUMBERS // max(1, numbers))
    if len(candidates) <= step:
        return score(candidates)
    return np.concatenate([score(candidates[first : first + step]) for first in range(0, len(candidates), step)])


def aggregated_utilities(
    metric: Metric, candidates: Texts, references: Texts, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The score of each candidate against the mean of the references under weights that sum to one, (candidates,)."""
    if not isinstance(metric, Aggregating):
        raise OptionError(f"{metric.name} cannot average references: leave aggregation out, or use chrf or bleu")
    return metric.score(metric.aggregated_statistics(candidates, references, weights))
