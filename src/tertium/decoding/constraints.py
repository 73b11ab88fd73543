"""What may not be chosen. A constraint sets log probabilities to minus infinity; it never changes the others.

    Prefix           the translation begins with given tokens
    Answers          the translation is one of a set of token sequences, walked as a trie
    Banned           given phrases do not occur
    NoRepeat         no n-gram of tokens occurs twice
    Required         given phrases occur, all of them, before the end (`required.py` keeps room in the beam for them)

What was chosen under constraints is reported with the model's own log probabilities.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from tertium.decoding.frontier import Frontier
from tertium.errors import InputError, OptionError

NEVER = float("-inf")


@dataclass(frozen=True)
class Prefix:
    """Each source's translation begins with these tokens."""

    prefixes: Sequence[Sequence[int]]  # of each source

    def apply(self, log_probs: Tensor, frontier: Frontier) -> None:
        """Only the prefix's next token, as long as there is one."""
        for index, source in enumerate(frontier.sentences.tolist()):
            prefix = self.prefixes[source]
            if frontier.position < len(prefix):
                _only(log_probs[index], [prefix[frontier.position]])


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
        for index, row in _rows(frontier):
            _only(log_probs[index, row], self.after(frontier.tokens[index, row].tolist()))


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


@dataclass(frozen=True)
class Required:
    """Each source's translation has these phrases, each a sequence of tokens."""

    phrases: Sequence[Sequence[Sequence[int]]]  # of each source
    end: int
    _known: dict[tuple[int, ...], bool] = field(default_factory=dict, repr=False)

    def missing(self, source: int, prefix: Sequence[int]) -> list[tuple[Sequence[int], int]]:
        """The phrases that a prefix does not have, and how many tokens of each it ends with.

        >>> Required([[[5, 6], [7]]], end=2).missing(0, [7, 5])
        [([5, 6], 1)]
        """
        absent = [phrase for phrase in self.phrases[source] if not _occurs(phrase, prefix)]
        return [(phrase, _begun(phrase, prefix)) for phrase in absent]

    def apply(self, log_probs: Tensor, frontier: Frontier) -> None:
        """No end while a phrase is missing; and nothing else, once the rest fits only just."""
        for index, row in _rows(frontier):
            source = int(frontier.sentences[index])
            missing = self.missing(source, frontier.tokens[index, row].tolist())
            if not missing:
                continue
            log_probs[index, row, self.end] = NEVER
            begun = max(missing, key=lambda each: each[1])
            owed = sum(len(phrase) for phrase, _ in missing) - begun[1]
            if frontier.position + owed + 1 >= int(frontier.limits[index]):  # the end needs a place, too
                _only(log_probs[index, row], [begun[0][begun[1]]])


def _occurs(phrase: Sequence[int], tokens: Sequence[int]) -> bool:
    size = len(phrase)
    return any(list(tokens[i : i + size]) == list(phrase) for i in range(len(tokens) - size + 1))


def _begun(phrase: Sequence[int], tokens: Sequence[int]) -> int:
    """How many first tokens of a phrase the sequence ends with; not all of them."""
    return next(
        (k for k in range(min(len(phrase) - 1, len(tokens)), 0, -1) if list(tokens[-k:]) == list(phrase[:k])), 0
    )


def _rows(frontier: Frontier) -> Iterable[tuple[int, int]]:
    """The rows that are alive."""
    alive = frontier.total.isfinite() & ~frontier.done[:, None]
    return [(index, row) for index, row in alive.nonzero().tolist()]


def _only(log_probs: Tensor, allowed: Sequence[int]) -> None:
    """Forbid all but some tokens (..., vocabulary)."""
    keep = log_probs[..., list(allowed)].clone()
    log_probs.fill_(NEVER)
    log_probs[..., list(allowed)] = keep
