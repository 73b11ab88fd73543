"""Exact search: the best sequence there is, proven (Stahlberg & Byrne, 2019).

Depth first through the tree of prefixes, and no further down where nothing can be won. The score of a beam is what must
be beaten from the start; whatever is found on the way raises it.

Why it is exact. Let s be the best score so far, L < 0 the log probability of a prefix and T the length of a sequence
that begins with it. Its log probability is at most L, so its score is at most L / d(T), where d, the divisor of the
objective, does not fall as T rises. Within sequences of at most h tokens that is at most L / d(h), so a prefix with
L <= s d(h) is left: nothing below it scores above s. What is not left is expanded, all of it; so in the end s is the
best score among sequences of at most h tokens.

Horizons. Without normalisation d = 1, h is the length limit, and few prefixes stay. With it, L / d(h) is a weak bound
where h is far above the lengths that are likely: there are about exp(-s d(h)) prefixes that it does not rule out, and
no model that is a black box allows a better one. So h rises in steps, from the length of the best translation known to
the limit: each step proves s for all sequences of at most h tokens, and has to look at several times the prefixes of
the step before, so that all before the last cost about half of it. Where the budget ends, `proven_to` says how far it
came.

Batches. All prefixes expanded at once have the same length and stand in one state of the model. The children that are
not ruled out wait, likeliest first, on a stack; the next batch is taken from the top. So the best come first, a batch
goes on from its own state, and at most one state of `batch` rows waits a length: memory is bounded by
length limit * batch rows, and the children that wait, of at most that many prefixes.

A budget of expanded prefixes or of CPU seconds ends the search early: `proven` is False, and `bound`, from the prefixes
that were waiting, is what no sequence exceeds.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from tertium.decoding.beam import Beam
from tertium.decoding.frontier import Frontier, Hypothesis
from tertium.decoding.length import Length
from tertium.decoding.search import Constraint, Limits, search
from tertium.errors import OptionError
from tertium.models.next_token import NextToken, State
from tertium.spelling import spelled

NEVER = -math.inf
STEP = 2.0  # how far the least log probability falls from one horizon to the next
SLACK = 1e-5  # float32 against float64 in the first, quick look at children


@spelled
@dataclass(frozen=True, repr=False)
class Exact:
    """The options of exact search: the objective, the beam that it starts from, how much is computed at once.

    >>> Exact(seconds=5.0)
    exact:normalise=none,alpha=0.7,count_end=yes,width=4,batch=128,expansions=1000000,seconds=5
    """

    normalise: str = "none"
    alpha: float = 0.7
    count_end: bool = True
    width: int = 4  # of the beam
    batch: int = 128  # prefixes that are expanded at once
    expansions: int | None = 1_000_000  # prefixes of a source, at most
    seconds: float | None = None  # CPU seconds for a source, at most

    name: ClassVar[str] = "exact"
    count: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.width < 1 or self.batch < 1:
            raise OptionError(f"exact: width={self.width}, batch={self.batch}; both must be 1 or more")
        if (self.expansions is not None and self.expansions < 0) or (self.seconds is not None and self.seconds < 0):
            raise OptionError(f"exact: expansions={self.expansions}, seconds={self.seconds}; both must be 0 or more")
        _ = self.length  # checks its own options

    @property
    def length(self) -> Length:
        """The objective."""
        return Length(self.normalise, self.alpha, self.count_end)

    def search(
        self,
        model: NextToken,
        sources: Sequence[Sequence[int]],
        constraints: Sequence[Constraint],
        limits: Limits,
        streams: Sequence[int],
    ) -> list[list[Hypothesis]]:
        """The best sequence of each source, an `ExactResult`."""
        beam = Beam(self.width, 1, self.normalise, self.alpha, self.count_end)
        starts = search(model, sources, beam, constraints, limits=limits, streams=streams)
        return [
            [prove(model, source, start, self, constraints, limits=limits, number=number)]
            for number, source, (start,) in zip(streams, sources, starts, strict=True)
        ]


@dataclass(frozen=True)
class ExactResult(Hypothesis):
    """The best sequence found, and how sure it is that there is no better one.

    `bound`: no sequence within the limits scores above it; the score itself where that is proven. `proven_to`: no
    sequence of at most so many tokens scores above `score`; the length limit where all is proven.
    """

    proven: bool
    bound: float
    proven_to: int
    expansions: int
    seconds: float  # of CPU


def prove(
    model: NextToken,
    source: Sequence[int],
    start: Hypothesis,
    options: Exact,
    constraints: Sequence[Constraint] = (),
    *,
    limits: Limits,
    number: int = 0,
) -> ExactResult:
    """The best sequence of one source, at least as good as `start`; constraints know the source by its number."""
    tree = Tree(model, source, start, options, constraints, limits, number)
    reached, bound = 0, NEVER
    for horizon in tree.horizons():
        waiting = tree.exhaust(horizon)
        bound = max(waiting, tree.least_log_prob(horizon)) / options.length.divisor(tree.most)
        if waiting > NEVER:
            break
        reached = horizon
    best, proven = tree.best, reached == tree.most
    return ExactResult(
        *(best.tokens, best.token_log_probs, best.log_prob, best.score),
        proven=proven,
        bound=best.score if proven else max(bound, best.score),
        proven_to=reached,
        expansions=tree.expansions,
        seconds=tree.seconds,
    )


@dataclass
class Waiting:
    """Children of one batch that wait to be expanded, likeliest first."""

    state: State  # of their parents
    prefixes: Tensor  # (parents, length)
    log_probs: Tensor  # (parents, length) of their tokens
    parents: Tensor  # (children,)
    tokens: Tensor  # (children,)
    values: Tensor  # (children,) log probabilities of the tokens
    totals: Tensor  # (children,) and of the whole, falling
    taken: int = 0  # how many of them have been expanded


class Tree:
    """The tree of prefixes of one source, as far as it is looked at."""

    def __init__(
        self,
        model: NextToken,
        source: Sequence[int],
        start: Hypothesis,
        options: Exact,
        constraints: Sequence[Constraint],
        limits: Limits,
        number: int,
    ) -> None:
        self.model, self.source, self.number = model, source, number
        self.options, self.length, self.constraints = options, options.length, constraints
        self.least, self.most = limits.least, limits.most(len(source), model.longest_target)
        self.best = start
        self.expansions = 0
        self.began = time.process_time()

    @property
    def seconds(self) -> float:
        """CPU seconds since the search began."""
        return time.process_time() - self.began

    def least_log_prob(self, horizon: int) -> float:
        """Prefixes of at most this log probability lead to nothing better within so many tokens."""
        return self.length.least_log_prob(self.best.score, horizon)

    def horizons(self) -> Iterator[int]:
        """How many tokens are looked at, in steps of like cost; the length limit in the end."""
        horizon = min(self.most, len(self.best.tokens)) if self.length.divisor(self.most) > 1 else self.most
        while horizon < self.most:
            yield horizon
            below = self.least_log_prob(horizon) - STEP
            horizon = next((h for h in range(horizon + 1, self.most) if self.least_log_prob(h) <= below), self.most)
        yield self.most

    def spent(self) -> bool:
        """Whether the budget is."""
        limit, seconds = self.options.expansions, self.options.seconds
        return (limit is not None and self.expansions >= limit) or (seconds is not None and self.seconds >= seconds)

    @torch.inference_mode()
    def exhaust(self, horizon: int) -> float:
        """Look at all sequences of at most so many tokens.

        What could not be looked at begins with prefixes of at most the log probability returned; it is minus infinity
        where nothing was left out.
        """
        none = torch.zeros(1, 0)
        log_probs, state = self.model.start([self.source])
        stack = self._children(state, none.long(), none, torch.zeros(1, dtype=torch.float64), log_probs, horizon)
        while stack:
            top = stack[-1]
            least = self.least_log_prob(horizon)
            end = min(top.taken + self.options.batch, int((top.totals > least).sum()))
            if top.taken >= end:
                stack.pop()
                continue
            if self.spent():
                break
            rows = slice(top.taken, end)
            top.taken = end
            parents, tokens = top.parents[rows], top.tokens[rows, None]
            prefixes = torch.cat([top.prefixes[parents], tokens], 1)
            values = torch.cat([top.log_probs[parents], top.values[rows, None]], 1)
            step = self.model.advance(top.state.pick(parents), tokens)
            if end == len(top.totals):
                stack.pop()  # its state goes with it
            stack += self._children(step.state, prefixes, values, top.totals[rows], step.log_probs[:, 0], horizon)
        open_totals = [float(each.totals[each.taken]) for each in stack if each.taken < len(each.totals)]
        return max((each for each in open_totals if each > self.least_log_prob(horizon)), default=NEVER)

    def _children(
        self, state: State, prefixes: Tensor, values: Tensor, totals: Tensor, log_probs: Tensor, horizon: int
    ) -> list[Waiting]:
        """Look at the ends of prefixes (rows, length); the other children that may still win, none or one batch."""
        self.expansions += len(prefixes)
        length = prefixes.shape[1] + 1  # of the children
        self._constrain(prefixes, totals, log_probs)
        ends = log_probs[:, self.model.end].clone()
        if length >= self.least:
            self._finish(prefixes, values, totals, ends)
        log_probs[:, self.model.end] = NEVER
        if length >= horizon:  # the end has no place any more
            return []
        least = self.least_log_prob(horizon)
        parents, tokens = (log_probs > (least - totals - SLACK).float()[:, None]).nonzero(as_tuple=True)
        chosen = log_probs[parents, tokens]
        children, order = (totals[parents] + chosen.double()).sort(descending=True)
        kept = order[: int((children > least).sum())]
        if not len(kept):
            return []
        return [Waiting(state, prefixes, values, parents[kept], tokens[kept], chosen[kept], children[: len(kept)])]

    def _finish(self, prefixes: Tensor, values: Tensor, totals: Tensor, ends: Tensor) -> None:
        """Keep the best of the prefixes with their ends, if it is better than what was known."""
        whole = totals + ends.double()
        row = int(whole.argmax())
        score = self.length.score(float(whole[row]), prefixes.shape[1] + 1)
        if score > self.best.score:
            tokens = (*prefixes[row].tolist(), self.model.end)
            self.best = Hypothesis(tokens, (*values[row].tolist(), float(ends[row])), float(whole[row]), score)

    def _constrain(self, prefixes: Tensor, totals: Tensor, log_probs: Tensor) -> None:
        """Apply the constraints, which look at a frontier of one sentence."""
        if not self.constraints:
            return
        frontier = Frontier([self.most], self.length, [self.number])
        frontier.tokens, frontier.total = prefixes[None], totals[None]
        for constraint in self.constraints:
            constraint.apply(log_probs[None], frontier)
