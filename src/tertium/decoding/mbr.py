"""Minimum Bayes risk decoding: the candidate that is, on average, most like everything the model would say.

    chosen = argmax_y  sum_r P(r) u(y, r)          (Goel & Byrne, 2000; Kumar & Byrne, 2004)

over candidates y and pseudo-references r, mostly the same samples from a model (Eikema & Aziz, 2020). The utility u is
any metric of the registry, segment by segment; one where lower is better is minimised. P(r) is one over their number,
or given as weights. A candidate is compared with itself, too: that a text was sampled often counts for it.

With `aggregate` a candidate is scored once, against the mean of the pseudo-references, instead of once against each:
time grows with their number and not with its square (reference aggregation; Vamvas & Sennrich, 2024). What is averaged
is the metric's to say. For chrF and BLEU it is how often each n-gram occurs: with m(g) = sum_r P(r) count_r(g) the
matches of a candidate are sum_g min(count(g), m(g)), the reference has sum_g m(g) n-grams of each order, and for BLEU
the length sum_r P(r) length_r. That is the utility of an average, not the average utility; chosen candidates differ.

Equal candidates are scored once, and equal pseudo-references are one of their summed weight. Expected utilities are
compared to nine decimals; of equal ones the candidate that came first wins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium import registry
from tertium.decoding.rerank import Ranking, rank
from tertium.errors import InputError, OptionError, UnknownName
from tertium.metrics.pairs import aggregated_utilities, utilities
from tertium.metrics.protocol import Aggregating, Metric, Texts
from tertium.native import corpus
from tertium.spelling import spelled

WEIGHTS = ("equal", "probability")


@spelled
@dataclass(frozen=True, repr=False)
class MBR:
    """The options of minimum Bayes risk decoding.

    `metric` and `candidates`, the search that finds them, are spellings themselves. With `weights=probability` each
    distinct text counts by its probability, as is right for the hypotheses of a beam; with `equal` each candidate
    counts alike, as is right for samples.

    >>> MBR(metric="chrf:words=2,beta=1").choose([["a b c", "a b d", "a b c e"]])[0].best
    'a b c'
    >>> MBR(metric="chrf:words=2,beta=1", aggregate=True)
    mbr:metric=chrf:words=2%2Cbeta=1,aggregate=yes,candidates=sample:count=100%2Cepsilon=0.02,weights=equal
    """

    metric: str = "chrf"
    aggregate: bool = False
    candidates: str = "sample:count=100,epsilon=0.02"
    weights: str = "equal"

    name: ClassVar[str] = "mbr"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"weights": WEIGHTS}

    def __post_init__(self) -> None:
        utility = registry.metric(self.metric)
        if self.aggregate and not isinstance(utility, Aggregating):
            raise OptionError(f"mbr: {utility.name} cannot average references: leave aggregate out")
        if self.weights not in WEIGHTS:
            raise UnknownName("weights of mbr", self.weights, WEIGHTS)

    @property
    def search(self) -> Any:
        """The search that finds the candidates."""
        return registry.make("search", self.candidates)

    def choose(
        self,
        candidates: Sequence[Texts],
        log_probs: Sequence[ArrayLike] | None = None,
        *,
        source: Sequence[str] | None = None,
        threads: int = 0,
    ) -> list[Ranking]:
        """The candidates of each source, ranked; `log_probs` of each are needed for `weights=probability` alone."""
        weights = None
        if self.weights == "probability":
            if log_probs is None or len(log_probs) != len(candidates):
                raise InputError("mbr: weights=probability needs the log probability of each candidate")
            weights = [probabilities(each, own) for each, own in zip(candidates, log_probs, strict=True)]
        return choose(
            candidates,
            weights=weights,
            metric=self.metric,
            source=source,
            aggregate=self.aggregate,
            threads=threads,
        )


def choose(
    candidates: Sequence[Texts],
    references: Sequence[Texts] | None = None,
    weights: Sequence[ArrayLike] | None = None,
    *,
    metric: str | Metric = "chrf",
    source: Sequence[str] | None = None,
    aggregate: bool = False,
    threads: int = 0,
) -> list[Ranking]:
    """The candidates of each source, ranked by the score that is to be expected of them.

    `references` are the pseudo-references of each source, the candidates themselves where there are none, and `weights`
    those of each pseudo-reference, which need not sum to one. The scores of a ranking are the expected utilities, in
    the units of the metric.

    >>> (ranking,) = choose([["the cat sat", "a cat sat", "the cat"]], metric="wer")
    >>> ranking.best, ranking.scores.round(1).tolist()
    ('the cat sat', [27.8, 44.4, 33.3])
    """
    metric = registry.metric(metric)
    for what, column in (("references", references), ("weights", weights), ("source", source)):
        if column is not None and len(column) != len(candidates):
            raise InputError(f"there are candidates of {len(candidates)} sources but {what} of {len(column)}")
    rankings = []
    for i, own in enumerate(candidates):
        others = own if references is None else references[i]
        _check(own, f"candidates[{i}]")
        if others is not own:
            _check(others, f"references[{i}]")
        shares = _shares(None if weights is None else weights[i], len(others), f"weights[{i}]")
        text = None if source is None else source[i]
        expected = _expected(metric, own, others, shares, text, aggregate=aggregate, threads=threads)
        rankings.append(rank(own, expected, higher_is_better=metric.higher_is_better))
    return rankings


def probabilities(candidates: Texts, log_probs: ArrayLike) -> NDArray[np.float64]:
    """Weights from log probabilities: of equal candidates one has the probability of the likeliest, the others none.

    >>> probabilities(["a", "b", "a"], np.log([0.3, 0.1, 0.3])).round(2).tolist()
    [0.75, 0.25, 0.0]
    """
    values = np.asarray(log_probs, np.float64)
    if values.shape != (len(candidates),):
        raise InputError(f"there are {len(candidates)} candidates but log probabilities of shape {values.shape}")
    if np.isnan(values).any() or not np.isfinite(values.max(initial=-np.inf)):
        raise InputError("log probabilities must be numbers, and one of them above minus infinity")
    texts, places = _distinct(candidates)
    likeliest = np.full(len(texts), -np.inf)
    np.maximum.at(likeliest, places, values)
    weights = np.zeros(len(candidates))
    _, firsts = np.unique(places, return_index=True)
    weights[firsts] = np.exp(likeliest - likeliest.max())
    return np.asarray(weights / weights.sum())


def _expected(
    metric: Metric,
    candidates: Texts,
    references: Texts,
    shares: NDArray[np.float64],
    source: str | None,
    *,
    aggregate: bool,
    threads: int,
) -> NDArray[np.float64]:
    """The expected utility of each candidate."""
    texts, places = _distinct(candidates)
    others, homes = (texts, places) if references is candidates else _distinct(references)
    shares = np.bincount(homes, shares, len(others)).astype(np.float64)
    if aggregate:
        expected = aggregated_utilities(metric, texts, others, shares)
    else:  # a sum along rows, not a matrix product: equal rows then have equal sums
        expected = (utilities(metric, texts, others, source=source, threads=threads) * shares).sum(axis=1)
    return np.asarray(expected[places])


def _distinct(texts: Texts) -> tuple[list[Any], NDArray[np.intp]]:
    """The different ones, as they first come, and the place of each text among them."""
    numbers: dict[Any, int] = {}
    places = [numbers.setdefault(text if isinstance(text, str) else tuple(text), len(numbers)) for text in texts]
    return list(numbers), np.array(places, np.intp)


def _check(texts: Texts, what: str) -> None:
    """Texts, or token lists, and at least one."""
    if missing := corpus(texts, what).missing:
        raise InputError(f"{what}[{missing[0]}] is None: it must be a text (an empty one is '')")
    if not len(texts):
        raise InputError(f"{what} is empty: there must be at least one text")


def _shares(weights: ArrayLike | None, size: int, what: str) -> NDArray[np.float64]:
    """Weights that sum to one."""
    if weights is None:
        return np.full(size, 1 / size)
    given = np.asarray(weights, np.float64)
    if given.shape != (size,):
        raise InputError(f"{what} has shape {given.shape}: there must be one weight for each of {size} references")
    if not (np.isfinite(given).all() and (given >= 0).all() and given.any()):
        raise InputError(f"{what} must be numbers of 0 or more, and not all of them 0")
    return np.asarray(given / given.sum())
