"""Every candidate of one sentence scored against every pseudo-reference, or against their mean, under any metric.

A metric's `pairwise_statistics` gives the rows of all pairs at once; for one without it the pairs are spelled out and
go through `statistics`. Either way `score` makes the utilities of them, for as many candidates at a time as keep the
rows in some dozens of megabytes.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, OptionError
from tertium.metrics.protocol import Aggregating, Metric, Pairwise
from tertium.native import Rows

Texts = Sequence[str] | Sequence[Sequence[str]]
"""Texts, or lists of tokens."""

MOST_NUMBERS = 2**22  # of rows at a time: 32 MB


def utilities(
    metric: Metric,
    candidates: Texts,
    references: Texts,
    *,
    source: str | None = None,
    threads: int = 0,
) -> NDArray[np.float64]:
    """The score of each candidate against each reference, (candidates, references).

    >>> from tertium.metrics.chrf import CHRF
    >>> utilities(CHRF(order=1), ["ab", "a"], ["ab", "b"]).round(1).tolist()
    [[100.0, 83.3], [55.6, 0.0]]
    """
    step = max(1, MOST_NUMBERS // (len(metric.columns) * max(1, len(references))))
    if len(candidates) <= step:
        return metric.score(rows_of_pairs(metric, candidates, references, source=source, threads=threads))
    scores = [
        utilities(metric, candidates[first : first + step], references, source=source, threads=threads)
        for first in range(0, len(candidates), step)
    ]
    return np.concatenate(scores)


def rows_of_pairs(
    metric: Metric, candidates: Texts, references: Texts, *, source: str | None = None, threads: int = 0
) -> Rows:
    """The rows of each candidate with each reference, (candidates, references, k)."""
    if isinstance(metric, Pairwise):
        return metric.pairwise_statistics(candidates, references, threads=threads)
    needs = getattr(metric, "needs", {"references"})
    if "references" not in needs:
        raise OptionError(f"{metric.name} compares with no reference: rank the candidates by its scores instead")
    pairs = len(candidates) * len(references)
    options = {"source": [source] * pairs} if "source" in needs else {}
    if "source" in needs and source is None:
        raise InputError(f"{metric.name} needs source: pass the texts that were translated")
    rows = metric.statistics(
        [candidate for candidate in candidates for _ in references],
        [reference for _ in candidates for reference in references],
        threads=threads,
        **options,
    )
    return np.asarray(rows).reshape(len(candidates), len(references), -1)


def aggregated_utilities(
    metric: Metric, candidates: Texts, references: Texts, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The score of each candidate against the mean of the references under weights that sum to one, (candidates,)."""
    if not isinstance(metric, Aggregating):
        raise OptionError(f"{metric.name} cannot average references: leave aggregation out, or use chrf or bleu")
    return metric.score(metric.aggregated_statistics(candidates, references, weights))
