"""A model and the way it is searched, as one thing that translates texts: what commands and programs call.

greedy, beam, sample, exact   a search over the model's next tokens
mbr                           candidates of another search, chosen by minimum Bayes risk
(none)                        engines decode by themselves
"""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium import registry
from tertium.decoding.mbr import MBR
from tertium.decoding.search import DEFAULT_LIMITS, Limits
from tertium.decoding.translate import Translation, translating
from tertium.errors import OptionError
from tertium.models.engine import Engine, RankingEngine
from tertium.models.next_token import TextModel

DEFAULT_SEARCH = "beam"


@dataclass(frozen=True)
class Translator:
    """Translates texts with a model or an engine.

    `search` is a spelling or an instance; None is beam search for models and nothing for engines. `count` asks for that
    many translations of each text.
    """

    model: TextModel | Engine
    search: Any = None
    count: int = 1
    limits: Limits = DEFAULT_LIMITS
    overlong: str = "error"  # or split
    tokens: int = 4096  # source tokens of a batch, padding counted
    strategy: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.count < 1:
            raise OptionError(f"{self.count} translations of each text were asked for; it must be 1 or more")
        object.__setattr__(self, "strategy", self._strategy())

    def _strategy(self) -> Any:
        if isinstance(self.model, Engine):
            if self.search is not None:
                raise OptionError(f"{self.model!r} decodes by itself: leave the search out")
            if self.count > 1 and not isinstance(self.model, RankingEngine):
                raise OptionError(f"{self.model!r} gives one translation of each text, not {self.count}")
            return None
        search = DEFAULT_SEARCH if self.search is None else self.search
        strategy = registry.make("search", search) if isinstance(search, str) else search
        return strategy if self.count == 1 else with_count(strategy, self.count)

    def translate(self, texts: Sequence[str], first: int = 0) -> list[list[Translation]]:
        """The translations of each text, best first. `first` is the number of the first text: see `translating`."""
        found: list[list[Translation]] = [[] for _ in texts]
        for number, translations in self.translating(texts, first):
            found[number] = translations
        return found

    def translating(self, texts: Sequence[str], first: int = 0) -> Iterator[tuple[int, list[Translation]]]:
        """The number and the translations of each text, as they are found."""
        if isinstance(self.model, Engine):
            yield from enumerate(self._by_engine(self.model, texts))
            return
        candidates = self.strategy.search if isinstance(self.strategy, MBR) else self.strategy
        found = translating(
            self.model,
            texts,
            candidates,
            limits=self.limits,
            overlong=self.overlong,
            tokens=self.tokens,
            first=first,
        )
        if isinstance(self.strategy, MBR):
            yield from ((number, self._chosen(self.strategy, texts[number], each)) for number, each in found)
        else:
            yield from ((number, each[: self.count]) for number, each in found)

    def _chosen(self, mbr: MBR, source: str, candidates: list[Translation]) -> list[Translation]:
        """The candidates by expected utility, which is their score; equal texts once."""
        texts = [each.text for each in candidates]
        (ranking,) = mbr.choose([texts], [[each.log_prob for each in candidates]], source=[source], threads=1)
        chosen: dict[str, Translation] = {}
        for place in ranking.order:
            scored = dataclasses.replace(candidates[place], score=float(ranking.scores[place]))
            chosen.setdefault(texts[place], scored)
        return list(chosen.values())[: self.count]

    def _by_engine(self, engine: Engine, texts: Sequence[str]) -> Iterator[list[Translation]]:
        if isinstance(engine, RankingEngine):
            for alternatives in engine.n_best(texts, self.count):
                yield [Translation(each.text, each.score) for each in alternatives]
        else:
            for text in engine.translate(texts):
                yield [Translation(text)]


def with_count(strategy: Any, count: int) -> Any:
    """The search that gives so many translations of each text; a beam is made wide enough.

    >>> from tertium.decoding.beam import Beam
    >>> with_count(Beam(width=4), 6).width
    6
    """
    if isinstance(strategy, MBR):
        return strategy
    fields = {each.name for each in dataclasses.fields(strategy)}
    if "count" not in fields:
        raise OptionError(f"{strategy.name} search gives one translation of each text, not {count}")
    wider = {"width": max(strategy.width, count)} if "width" in fields else {}
    return dataclasses.replace(strategy, count=count, **wider)
