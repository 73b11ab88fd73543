"""Phrases that every translation must have, and room in the beam for those on the way to them.

Forbidding the end while a phrase is missing is not enough: a beam would put the phrase off, as prefixes that begin it
are less likely than those that do not, until the length limit forces it in. So prefixes do not compete with all others
but with those that have got as far: each belongs to the **bank** of its number of required tokens, those of phrases it
has and those of the phrase it is just in (Hokamp & Liu, 2017). At every step the tokens that lead on in a phrase are
candidates of each prefix, however unlikely, and places go to the banks in turns: the best child of each bank, then the
second best of each, and so on (after the dynamic allocation of Post & Vilar, 2018, who compute shares instead). What
one bank does not need the others get. Where there are fewer places than banks, those of the most tokens come first.

The end is a bank of its own kind: it is allowed only where nothing is missing, and competes in the bank of its prefix.

Phrases are counted one after another: where they could overlap (`a b` and `b c`), a translation may use it, but the
length limit is watched as if it did not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from tertium.decoding.constraints import NEVER, alive, of_source, only
from tertium.decoding.frontier import Frontier
from tertium.decoding.top import padded_top
from tertium.errors import InputError

NO_TOKEN = -1  # fills up lists of tokens


class Required:
    """Each source's translation has these phrases, each a sequence of tokens."""

    def __init__(self, phrases: Sequence[Sequence[Sequence[int]]], end: int) -> None:
        self.phrases = [_needed(each) for each in phrases]  # of each source, by its number
        self.end = end

    def missing(self, source: int, prefix: Sequence[int]) -> list[tuple[tuple[int, ...], int]]:
        """The phrases that a prefix does not have, and how many tokens of each it ends with.

        >>> Required([[[5, 6], [7]]], end=2).missing(0, [7, 5])
        [((5, 6), 1)]
        """
        phrases = of_source("list of required phrases", self.phrases, source)
        absent = [phrase for phrase in phrases if not _occurs(phrase, prefix)]
        return [(phrase, _begun(phrase, prefix)) for phrase in absent]

    def owed(self, source: int, prefix: Sequence[int]) -> int:
        """How many more tokens a prefix needs for the phrases that it lacks.

        >>> Required([[[5, 6], [7, 8]]], end=2).owed(0, [4, 5])
        3
        """
        missing = self.missing(source, prefix)
        return sum(len(phrase) for phrase, _ in missing) - max((begun for _, begun in missing), default=0)

    def leading(self, source: int, prefix: Sequence[int]) -> list[int]:
        """The tokens that lead on in a phrase that is missing.

        >>> Required([[[5, 6], [7, 8]]], end=2).leading(0, [4, 5])
        [5, 6, 7]
        """
        missing = self.missing(source, prefix)
        return sorted(
            {phrase[at] for phrase, begun in missing for at in range(begun + 1) if _ends(phrase[:at], prefix)}
        )

    def apply(self, log_probs: Tensor, frontier: Frontier) -> None:
        """No end while a phrase is missing, only what leads on once the rest fits just so; and the banks."""
        places = alive(frontier)
        banks, leading = {}, {}
        for index, row in places:
            source, prefix = frontier.number(index), frontier.tokens[index, row].tolist()
            tokens = leading[index, row] = self.leading(source, prefix)
            total = sum(map(len, self.phrases[source]))
            left = {token: self.owed(source, [*prefix, token]) for token in tokens}
            banks[index, row] = [total - left[token] for token in tokens]
            if not tokens:
                continue
            log_probs[index, row, self.end] = NEVER
            room = int(frontier.limits[index]) - len(prefix) - 2  # after one more token, before the end
            if sum(len(phrase) for phrase, _ in self.missing(source, prefix)) > room:  # what a stray token would owe
                least = max(room, min(left.values()))
                only(log_probs[index, row], [token for token in tokens if left[token] <= least])
        frontier.banks = Banks.of(frontier, leading, banks, self._met(frontier, places))

    def _met(self, frontier: Frontier, places: Sequence[tuple[int, int]]) -> Tensor:
        """The tokens of the phrases that each prefix (sentences, width) has as a whole."""
        met = torch.zeros(frontier.total.shape, dtype=torch.long)
        for index, row in places:
            source = frontier.number(index)
            missing = self.missing(source, frontier.tokens[index, row].tolist())
            met[index, row] = sum(map(len, self.phrases[source])) - sum(len(phrase) for phrase, _ in missing)
        return met


@dataclass(frozen=True)
class Banks:
    """Which bank each child belongs to: that of the phrases its prefix has, unless its token leads on."""

    met: Tensor  # (sentences, width)
    tokens: Tensor  # (sentences, width, n) that lead on, NO_TOKEN where there are fewer
    banks: Tensor  # (sentences, width, n) of the children with those tokens

    @classmethod
    def of(
        cls,
        frontier: Frontier,
        leading: dict[tuple[int, int], list[int]],
        banks: dict[tuple[int, int], list[int]],
        met: Tensor,
    ) -> "Banks":
        """Lists of each prefix as tensors."""
        most = max(map(len, leading.values()), default=0)
        tokens = torch.full((*met.shape, most), NO_TOKEN)
        padded = torch.zeros((*met.shape, most), dtype=torch.long)
        for (index, row), each in leading.items():
            tokens[index, row, : len(each)] = torch.tensor(each, dtype=torch.long)
            padded[index, row, : len(each)] = torch.tensor(banks[index, row], dtype=torch.long)
        return cls(met, tokens, padded)

    def candidates(self, log_probs: Tensor, values: Tensor, places: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        """The best children (sentences, width, kept) and those that lead on: log probabilities and tokens."""
        tokens = self.tokens[:, rows]
        more = log_probs.gather(2, tokens.clamp(min=0))
        twice = (tokens[..., None] == places[:, :, None]).any(3) | (tokens == NO_TOKEN)
        return torch.cat([values, more.masked_fill(twice, NEVER)], 2), torch.cat([places, tokens.clamp(min=0)], 2)

    def ranked(self, totals: Tensor, tokens: Tensor, k: int, rows: slice) -> tuple[Tensor, Tensor]:
        """The k children that come first, (sentences, k), where banks take turns: their totals and places."""
        leads = tokens[..., None] == self.tokens[:, rows, None]  # (sentences, width, candidates, n)
        own = (self.banks[:, rows, None] * leads).sum(3)
        banks = torch.where(leads.any(3), own, self.met[:, rows, None]).flatten(1)  # (sentences, candidates)
        flat = totals.flatten(1)
        order = flat.argsort(dim=1, descending=True, stable=True)
        members = functional.one_hot(banks.gather(1, order), int(banks.max()) + 1)  # (sentences, candidates, banks)
        turn = (members.cumsum(1) * members).sum(2)  # how manieth of its bank, best first
        turn = turn.masked_fill(~flat.gather(1, order).isfinite(), flat.shape[1] + 1)
        first = -(turn * members.shape[2] - banks.gather(1, order)).double()
        _, places = padded_top(first, k)
        missing = torch.arange(k) >= flat.shape[1]
        index = order.gather(1, places)
        return flat.gather(1, index).masked_fill(missing, NEVER), index


def _needed(phrases: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The phrases without those that another one has in it."""
    distinct = list(dict.fromkeys(tuple(phrase) for phrase in phrases))
    if not all(distinct):
        raise InputError("a required phrase has no tokens")
    return [phrase for phrase in distinct if not any(phrase != each and _occurs(phrase, each) for each in distinct)]


def _occurs(phrase: Sequence[int], tokens: Sequence[int]) -> bool:
    size = len(phrase)
    return any(tuple(tokens[i : i + size]) == tuple(phrase) for i in range(len(tokens) - size + 1))


def _ends(begin: Sequence[int], tokens: Sequence[int]) -> bool:
    return not begin or tuple(tokens[-len(begin) :]) == tuple(begin)


def _begun(phrase: Sequence[int], tokens: Sequence[int]) -> int:
    """How many first tokens of a phrase the sequence ends with; not all of them."""
    return next(k for k in range(len(phrase) - 1, -1, -1) if _ends(phrase[:k], tokens))
