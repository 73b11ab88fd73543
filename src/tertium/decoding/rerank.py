"""Ordering the translations of a source by scores: a metric's, a weighted sum, or those of a noisy channel.

Scores come in as arrays and orders go out; `NoisyChannel.rank` also has models make them. `by_metric` is the one that
needs references: it shows how good the best of the candidates are (the oracle), which bounds what any other order can
reach. It is an oracle segment by segment: for a metric whose corpus score is no mean of segment scores, as BLEU's, the
best candidates of all segments together may be others.

Scores are compared to nine decimals, so that the rounding of sums decides nothing; of equal ones the earlier comes
first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium import registry
from tertium.data.segments import Paired, References
from tertium.errors import InputError, OptionError
from tertium.metrics.protocol import AnyReferences, Metric, Texts, rows_of_systems
from tertium.spelling import spelled

if TYPE_CHECKING:
    from tertium.decoding.length import Length
    from tertium.models.next_token import TextModel

DECIMALS = 9


@dataclass(frozen=True, eq=False)
class Ranking:
    """The candidates of one source, their scores, and their places from the best to the worst."""

    candidates: Texts
    scores: NDArray[np.float64]  # of each candidate, in the order they came
    order: NDArray[np.intp]

    @property
    def index(self) -> int:
        """The place of the best candidate."""
        return int(self.order[0])

    @property
    def best(self) -> Any:
        """The best candidate."""
        return self.candidates[self.index]


def rank(candidates: Texts, scores: ArrayLike, *, higher_is_better: bool = True) -> Ranking:
    """The candidates of one source under a score for each.

    >>> rank(["a", "b", "c"], [0.5, 2.0, 0.5]).order.tolist()
    [1, 0, 2]
    """
    values = np.asarray(scores, np.float64)
    if values.shape != (len(candidates),):
        raise InputError(f"there are {len(candidates)} candidates but scores of shape {values.shape}: one for each")
    if not len(values):
        raise InputError("there are no candidates to choose among")
    if np.isnan(values).any():
        raise InputError(f"the score of candidate {int(np.isnan(values).argmax())} is not a number")
    rounded = np.round(values, DECIMALS)
    return Ranking(candidates, values, np.argsort(-rounded if higher_is_better else rounded, kind="stable"))


def weighted(features: Mapping[str, ArrayLike], weights: Mapping[str, float]) -> NDArray[np.float64]:
    """The weighted sum of several scores of the same candidates.

    >>> weighted({"model": [-1.0, -2.0], "length": [3, 5]}, {"model": 1.0, "length": 0.5}).tolist()
    [0.5, 0.5]
    """
    if set(features) != set(weights):
        raise InputError(f"there are scores {sorted(features)} but weights for {sorted(weights)}: each needs the other")
    arrays = {name: np.asarray(values, np.float64) for name, values in features.items()}
    if len({values.shape for values in arrays.values()}) > 1:
        raise InputError(f"scores of different shapes: { {name: each.shape for name, each in arrays.items()} }")
    used = [weight * arrays[name] for name, weight in weights.items() if weight]  # 0 times minus infinity is no number
    return np.asarray(sum(used, np.zeros(next(iter(arrays.values())).shape if arrays else 0)))


@spelled
@dataclass(frozen=True, repr=False)
class NoisyChannel:
    """log P(y|x) + reverse log P(x|y) + language log P(y): how well a translation explains its source, too.

    After Yee, Dauphin and Auli (2019), whose weights of a sentence's log probabilities also hold 1 / length: pass log
    probabilities divided by lengths for that.

    >>> NoisyChannel(language=0.5).scores([-1.0, -1.5], [-3.0, -1.0], [-2.0, -2.0]).tolist()
    [-5.0, -3.5]
    """

    reverse: float = 1.0
    language: float = 1.0

    name: ClassVar[str] = "noisy-channel"

    def __post_init__(self) -> None:
        if not (np.isfinite(self.reverse) and np.isfinite(self.language)):
            raise OptionError(f"{self!r}: reverse and language must be finite")

    def scores(self, direct: ArrayLike, reverse: ArrayLike, language: ArrayLike) -> NDArray[np.float64]:
        """The scores of translations from log P(y|x), log P(x|y) and log P(y)."""
        return weighted(
            {"direct": direct, "reverse": reverse, "language": language},
            {"direct": 1.0, "reverse": self.reverse, "language": self.language},
        )

    def rank(
        self,
        candidates: Sequence[Sequence[str]],
        sources: Sequence[str],
        direct: "TextModel",
        reverse: "TextModel",
        language: "TextModel | None" = None,
        *,
        length: "Length | None" = None,
    ) -> list[Ranking]:
        """The candidates of each source, ranked by what three models say of them.

        `reverse` translates back; `language` gets the empty text for its source, and may be left out where its weight
        is 0. With `length` each log probability is that objective's score instead.
        """
        from tertium.decoding.forced import RAW, score_texts  # needs torch; the arrays do not

        if len(sources) != len(candidates):
            raise InputError(f"there are candidates of {len(candidates)} sources but {len(sources)} sources")
        if language is None and self.language:
            raise OptionError(f"{self!r} needs a language model: pass one, or set language=0")
        texts = [text for each in candidates for text in each]
        origins = [source for source, each in zip(sources, candidates, strict=True) for _ in each]

        def scored(model: "TextModel | None", given: Sequence[str], said: Sequence[str]) -> NDArray[np.float64]:
            found = [] if model is None else score_texts(model, given, said, length or RAW)
            return np.array([each.score for each in found] if found else [0.0] * len(said))

        scores = self.scores(
            scored(direct, origins, texts), scored(reverse, texts, origins), scored(language, [""] * len(texts), texts)
        )
        parts = np.split(scores, np.cumsum([len(each) for each in candidates])[:-1])
        return [rank(each, part) for each, part in zip(candidates, parts, strict=True)]


def by_metric(
    candidates: Sequence[Texts],
    references: AnyReferences | None,
    metric: str | Metric = "chrf",
    *,
    source: Sequence[str] | None = None,
    threads: int = 0,
) -> list[Ranking]:
    """The candidates of each source ranked by a metric's segment scores against its references.

    `references[i]` is one text or a list of texts, as everywhere; a metric that needs none gets None.

    >>> by_metric([["the dog", "a cat sat"], ["it rains"]], ["the cat sat", "it rained"], "wer")[0].best
    'a cat sat'
    """
    metric = registry.metric(metric)
    counts = [len(each) for each in candidates]
    if 0 in counts:
        raise InputError(f"candidates[{counts.index(0)}] is empty: there must be at least one text")
    places = np.repeat(np.arange(len(counts)), counts).tolist()
    flat: list[Any] = [candidate for each in candidates for candidate in each]
    alone = Paired.of(
        [[each[0] for each in candidates]], references, source
    )  # checks that each source has its references
    paired = Paired.of(
        [flat],
        None if alone.references is None else _taken(alone.references, places),
        None if alone.source is None else alone.source.take(places),
    )
    scores = metric.score(rows_of_systems(metric, paired, threads=threads)[0])
    parts = np.split(scores, np.cumsum(counts)[:-1])
    return [
        rank(each, part, higher_is_better=metric.higher_is_better) for each, part in zip(candidates, parts, strict=True)
    ]


def _taken(references: References, places: Sequence[int]) -> References:
    return References(tuple(stream.take(places) for stream in references.streams), references.count)
