"""What may not be chosen. A constraint sets log probabilities to minus infinity; it never changes the others.

    Prefix           the translation begins with given tokens
    Answers          the translation is one of a set of token sequences, walked as a trie
    Banned           given phrases do not occur
    NoRepeat         no n-gram of tokens occurs twice
    Required         given phrases occur, all of them, before the end (`required.py`, with room in the beam for them)

What was chosen under constraints is reported with the model's own log probabilities.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor

from tertium.decoding.frontier import Frontier
from tertium.errors import InputError, OptionError

NEVER = float("-inf")
Given = TypeVar("Given")


@dataclass(frozen=True)
class Prefix:
    """Each source's translation begins with these tokens."""

    prefixes: Sequence[Sequence[int]]  # of each source, by its number

    def apply(self, log_probs: Tensor, frontier: Frontier) -> None:
        """Only the prefix's next token, as long as there is one."""
        for index in range(len(frontier.sentences)):
            prefix = of_source("prefix", self.prefixes, frontier.number(index))
            if frontier.position < len(prefix):
                only(log_probs[index], [prefix[frontier.position]])


class Answers:
    """Each translation is one of the answers; each answer is a sequence of tokens with its end.

    >>> Answers([[5, 6, 2], [5, 2]]).after((5,))
    [2, 6]
    """

    def __init__(self, answers: Iterable[Sequence[int]]) -> None:
        self.root: dict[int, dict] = {}  # type: ignore[type-arg]
        for answer in answers:
            if not answer:
                raise InputError("an answer has no tokens")
            node = self.root
            for token in answer:
                node = node.setdefault(token, {})
        if not self.root:
            raise InputError("there are no answers to choose among")

    def after(self, prefix: Sequence[int]) -> list[int]:
        """The tokens that go on from a prefix towards an answer."""
        node = self.root
        for token in prefix:
            node = node.get(token, {})
        return sorted(node)

    def apply(self, log_probs: Tensor, frontier: Frontier) -> None:
        """Only the children of each prefix's node."""
        for index, row in alive(frontier):
            only(log_probs[index, row], self.after(frontier.tokens[index, row].tolist()))


class Banned:
    """These phrases, each a sequence of tokens, do not occur."""

    def __init__(self, phrases: Iterable[Sequence[int]]) -> None:
        self.phrases = [tuple(phrase) for phrase in phrases]
        if not all(self.phrases):
            raise InputError("a banned phrase has no tokens")

    def apply(self, log_probs: Tensor, frontier: Frontier) -> None:
        """Not the last token of a phrase after all others of it."""
        for phrase in self.phrases:
            *before, last = phrase
            if len(before) > frontier.position:
                continue
            recent = frontier.tokens[..., frontier.position - len(before) :]
            met = (recent == torch.tensor(before, dtype=torch.long)).all(-1)  # (sentences, width)
            log_probs[..., last].masked_fill_(met, NEVER)


@dataclass(frozen=True)
class NoRepeat:
    """No n-gram of this size occurs twice in a translation."""

    size: int

    def __post_init__(self) -> None:
        if self.size < 1:
            raise OptionError(f"no-repeat n-grams of size {self.size}: it must be 1 or more")

    def apply(self, log_probs: Tensor, frontier: Frontier) -> None:
        """Not the token that would finish an n-gram which the prefix has already."""
        n = self.size
        if frontier.position < n:
            return
        ngrams = frontier.tokens.unfold(2, n, 1)  # (sentences, width, positions, n)
        recent = frontier.tokens[:, :, None, frontier.position - n + 1 :]  # (sentences, width, 1, n - 1)
        seen = (ngrams[..., :-1] == recent).all(-1)
        sentences, rows, places = seen.nonzero(as_tuple=True)
        log_probs[sentences, rows, ngrams[sentences, rows, places, n - 1]] = NEVER


def of_source(what: str, given: Sequence[Given], number: int) -> Given:
    """What is given for a source, by its number."""
    if number >= len(given):
        raise InputError(f"source {number + 1} has no {what}: {len(given)} are given")
    return given[number]


def alive(frontier: Frontier) -> list[tuple[int, int]]:
    """The rows that are alive."""
    living = frontier.total.isfinite() & ~frontier.done[:, None]
    return [(index, row) for index, row in living.nonzero().tolist()]


def only(log_probs: Tensor, allowed: Sequence[int]) -> None:
    """Forbid all but some tokens (..., vocabulary)."""
    keep = log_probs[..., list(allowed)].clone()
    log_probs.fill_(NEVER)
    log_probs[..., list(allowed)] = keep
