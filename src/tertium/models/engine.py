"""`Engine`: a program that decodes by itself, texts in and texts out, where no next token can be asked for.

Any translation system can be one: a command, another toolkit's runtime, a rule-based system. Engines have no search of
ours; those that know scores say so by the second protocol.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable


class Alternative(NamedTuple):
    """One of several translations of a text, with the score by which the engine ranks it: higher is better."""

    text: str
    score: float


@runtime_checkable
class Engine(Protocol):
    """What translates texts."""

    def translate(self, texts: Sequence[str]) -> list[str]:
        """The translation of each text; a text without words is its own."""
        ...


@runtime_checkable
class RankingEngine(Engine, Protocol):
    """An engine that also says which translations it thought of, and how good it finds given ones."""

    def n_best(self, texts: Sequence[str], count: int) -> list[list[Alternative]]:
        """At most `count` translations of each text, best first."""
        ...

    def token_log_probs(self, sources: Sequence[str], translations: Sequence[str]) -> list[list[float]]:
        """The log probability of each token of given translations, their ends included."""
        ...


def worded(texts: Sequence[str]) -> list[int]:
    """The places of the texts that have words.

    >>> worded(["a", "", " \\t"])
    [0]
    """
    return [place for place, text in enumerate(texts) if text.strip()]
