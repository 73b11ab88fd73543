"""The loop that every search shares: constrain, choose, pick, feed, until every sentence is done.

A search is told apart by how it chooses: `Chooser.choose` looks at the log probabilities of all prefixes and says how
each sentence goes on. Everything else is here. Sentences do not see each other: what a source gives depends on the
source (and, for sampling, on its own random numbers), never on the batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import torch
from torch import Tensor

from tertium.decoding.frontier import Children, Frontier, Hypothesis
from tertium.decoding.length import Length
from tertium.errors import InputError, OptionError
from tertium.models.next_token import NextToken
from tertium.spelling import spelled


@spelled
@dataclass(frozen=True, repr=False)
class Limits:
    """How long a translation may be, in tokens, its end included; a ratio counts the source's tokens.

    At the last position only the end may be chosen, so that every hypothesis is whole.

    >>> Limits(ratio=2.0, extra=10).most(8, None)
    26
    """

    least: int = 1
    ratio: float = 2.0
    extra: int = 10
    absolute: int | None = None  # instead of ratio and extra

    name: ClassVar[str] = "limits"

    def __post_init__(self) -> None:
        if self.least < 1 or self.ratio < 0 or self.extra < 0 or (self.absolute is not None and self.absolute < 1):
            raise OptionError(f"{self!r}: least and absolute must be 1 or more, ratio and extra 0 or more")

    def most(self, source_tokens: int, longest: int | None) -> int:
        """The most tokens of the translation of a source."""
        own = int(self.ratio * source_tokens) + self.extra if self.absolute is None else self.absolute
        return max(self.least, 1, own if longest is None else min(own, longest))


DEFAULT_LIMITS = Limits()


class Chooser(Protocol):
    """How one search of a batch goes on, see `Strategy`."""

    def choose(self, frontier: Frontier, log_probs: Tensor) -> Children:
        """How each sentence goes on, given log probabilities (sentences, width, vocabulary).

        Finishes what ends and marks sentences that are done.
        """
        ...


class Strategy(Protocol):
    """A search's options: how many hypotheses it gives and what chooses."""

    @property
    def length(self) -> Length:
        """The objective under which its hypotheses are compared."""
        ...

    @property
    def count(self) -> int:
        """How many hypotheses of each source are wanted."""
        ...

    def chooser(self, end: int, most: Sequence[int], streams: Sequence[int]) -> Chooser:
        """What chooses in one batch: sentences of at most so many tokens; `streams` number their random numbers."""
        ...


@runtime_checkable
class WholeSearch(Protocol):
    """A search that has a loop of its own: exact search."""

    @property
    def length(self) -> Length:
        """The objective under which its hypotheses are compared."""
        ...

    @property
    def count(self) -> int:
        """How many hypotheses of each source are wanted."""
        ...

    def search(
        self,
        model: NextToken,
        sources: Sequence[Sequence[int]],
        constraints: Sequence["Constraint"],
        limits: Limits,
        streams: Sequence[int],
    ) -> list[list[Hypothesis]]:
        """What the function `search` gives."""
        ...


class Constraint(Protocol):
    """Something that forbids tokens."""

    def apply(self, log_probs: Tensor, frontier: Frontier) -> None:
        """Set the log probabilities (sentences, width, vocabulary) of what may not follow to minus infinity."""
        ...


@torch.inference_mode()
def search(
    model: NextToken,
    sources: Sequence[Sequence[int]],
    strategy: Strategy | WholeSearch,
    constraints: Sequence[Constraint] = (),
    *,
    limits: Limits = DEFAULT_LIMITS,
    streams: Sequence[int] | None = None,
) -> list[list[Hypothesis]]:
    """The hypotheses that a search finds for each source, best first.

    `streams` are the numbers of the sources, by which they draw random numbers and find constraints of their own;
    without it they are 0, 1, 2 ...
    """
    if not sources:
        return []
    if model.longest_target is not None and limits.least > model.longest_target:
        raise OptionError(
            f"limits: least={limits.least}, but the model's translations have at most {model.longest_target} tokens"
        )
    numbers = range(len(sources)) if streams is None else streams
    if isinstance(strategy, WholeSearch):
        return strategy.search(model, sources, constraints, limits, numbers)
    most = [limits.most(len(source), model.longest_target) for source in sources]
    frontier = Frontier(most, strategy.length, numbers)
    chooser = strategy.chooser(model.end, most, numbers)
    log_probs, state = model.start(sources)
    log_probs = log_probs[:, None]
    while True:
        _hold_limits(log_probs, frontier, limits.least, model.end)
        for constraint in constraints:
            constraint.apply(log_probs, frontier)
        children = chooser.choose(frontier, log_probs)
        if bool(frontier.done.all()):
            break
        rows = frontier.extend(children)
        del log_probs  # the next ones take their memory, which is in the cache
        log_probs, state = model.advance(state.pick(rows), frontier.tokens[..., -1].reshape(-1, 1))
        log_probs = log_probs.view(len(frontier.sentences), frontier.width, -1)
    found = frontier.best(strategy.count)
    for source, hypotheses in enumerate(found):
        if not hypotheses:
            raise InputError(
                f"source {numbers[source] + 1}: no translation of at most {most[source]} tokens keeps the constraints"
            )
    return found


def _hold_limits(log_probs: Tensor, frontier: Frontier, least: int, end: int) -> None:
    """No end before the least length; nothing but the end at the last position."""
    length = frontier.position + 1  # with the token that is chosen now
    if length < least:
        log_probs[..., end] = float("-inf")
    last = frontier.limits == length
    if bool(last.any()):
        ends = log_probs[last, :, end].clone()
        log_probs[last] = float("-inf")
        log_probs[last, :, end] = ends
