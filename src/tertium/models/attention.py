"""Multi-head attention (Vaswani et al., 2017), and the slots in which a generating model keeps keys and values.

    attention(Q, K, V) = softmax(Q K' / sqrt(d)) V

While a beam search goes on, hypotheses are dropped and branch, and each must see the keys and values of its own
ancestors. The usual way is to put the cached keys into the hypotheses' new order after every step, which copies the
whole cache. Here nothing is moved: a **slot** is written once and stays where it is, all hypotheses of a sentence share
the sentence's slots, and each has a mask that says which of them are its ancestors. To pick rows is to pick rows of
the mask.

    keys, values   (sentences, heads, slots, width of a head), shared by the rows of a sentence
    seen           (sentences, rows of a sentence, slots), which slots a row attends to

A source is read once and its keys are shared by all rows of the sentence in the same way: in another attention layer
(encoder-decoder) or in the first slots (decoder only).

States are values, though slots are written in place: whoever is first to go on from a state writes behind its slots,
and whoever comes second finds them taken and continues on a copy.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from tertium.models.layout import by_sentence
from tertium.native.network import FAST, attend

GROWTH = 32  # slots that are made at once, at least


class Slots:
    """The keys and values of one layer."""

    def __init__(self, keys: Tensor, values: Tensor, used: int) -> None:
        self.keys, self.values = keys, values  # (sentences, heads, capacity, head)
        self.used = used

    @classmethod
    def empty(cls, sentences: int, heads: int, head: int, like: Tensor) -> "Slots":
        """No slots at all."""
        none = like.new_empty(sentences, heads, 0, head)
        return cls(none, none, 0)

    def append(self, keys: Tensor, values: Tensor, length: int) -> "Slots":
        """The first `length` slots and new ones behind them; in place where nobody has written there yet."""
        new = keys.shape[2]
        if torch.is_grad_enabled():  # gradients need what was there before
            grown = [
                torch.cat([old[:, :, :length], more], 2) for old, more in ((self.keys, keys), (self.values, values))
            ]
            return Slots(grown[0], grown[1], length + new)
        slots = self
        if length != self.used or length + new > self.keys.shape[2]:
            slots = self._copy(length, length + new)
        slots.keys[:, :, length : length + new] = keys
        slots.values[:, :, length : length + new] = values
        slots.used = length + new
        return slots

    def _copy(self, length: int, needed: int) -> "Slots":
        copies = []
        for old in (self.keys, self.values):
            new = old.new_empty(old.shape[0], old.shape[1], _roomy(needed), old.shape[3])
            new[:, :, :length] = old[:, :, :length]
            copies.append(new)
        return Slots(copies[0], copies[1], length)

    def of_sentences(self, sentences: Tensor, length: int) -> "Slots":
        """The slots of some sentences, which may repeat; with room for more, so that the next append copies nothing."""
        copies = []
        for old in (self.keys, self.values):
            if torch.is_grad_enabled():
                new = old[:, :, :length].index_select(0, sentences)
            else:
                new = old.new_empty(len(sentences), old.shape[1], _roomy(length), old.shape[3])
                torch.index_select(old[:, :, :length], 0, sentences, out=new[:, :, :length])
            copies.append(new)
        return Slots(copies[0], copies[1], length)


def _roomy(needed: int) -> int:
    """How many slots are made where so many are needed."""
    return needed + max(GROWTH, needed // 2)


@dataclass(frozen=True)
class Rows:
    """Which row belongs to which sentence, and which slots it sees. Row `s * width + b` is the b-th of sentence s."""

    sentences: int
    width: int
    seen: Tensor | None  # (sentences, width, length) of bool; None: every row sees every slot
    length: int  # slots that are in use

    def __len__(self) -> int:
        return self.sentences * self.width

    def pick(self, rows: Tensor) -> "tuple[Rows, Tensor | None]":
        """These rows, and the sentences that hold them where those are not the same as before."""
        groups, width = by_sentence(rows, self.width)
        seen = None if self.seen is None else self.seen.flatten(0, 1).index_select(0, rows)  # (new rows, length)
        if seen is not None:
            seen = seen.view(len(groups), width, self.length)
        elif width > 1:  # rows that were one part ways now
            seen = torch.ones(len(groups), width, self.length, dtype=torch.bool)
        same = torch.equal(groups, torch.arange(self.sentences))
        return replace(self, sentences=len(groups), width=width, seen=seen), None if same else groups

    def extend(self, tokens: int) -> "tuple[Rows, Tensor | None]":
        """The rows after `tokens` more each, and what the new ones see, (sentences, width * tokens, slots)."""
        if self.width == 1 and self.seen is None and tokens == 1:
            return replace(self, length=self.length + 1), None
        seen = self.seen
        if seen is None:
            seen = torch.ones(self.sentences, self.width, self.length, dtype=torch.bool)
        own = torch.eye(self.width, dtype=torch.bool)[:, :, None].expand(-1, -1, tokens)  # (width, width, tokens)
        after = torch.cat([seen, own.flatten(1).expand(self.sentences, -1, -1)], 2)
        if tokens == 1:
            queries = after
        else:
            earlier = torch.ones(tokens, tokens, dtype=torch.bool).tril()
            block = torch.einsum("ab,ij->aibj", torch.eye(self.width, dtype=torch.bool).int(), earlier.int()).bool()
            block = block.reshape(self.width * tokens, self.width * tokens)
            queries = torch.cat(
                [seen.repeat_interleave(tokens, 1), block.expand(self.sentences, -1, -1)], 2
            )  # (sentences, width * tokens, slots)
        return Rows(self.sentences, self.width, after, self.length + self.width * tokens), queries


class Attention(nn.Module):
    """Multi-head attention with fused projections: to oneself (`memory` is None) or to a memory read once."""

    def __init__(self, width: int, heads: int, *, to_memory: bool = False) -> None:
        super().__init__()
        self.heads, self.head = heads, width // heads
        self.to_memory = to_memory
        if to_memory:
            self.query = nn.Linear(width, width)
            self.key_value = nn.Linear(width, 2 * width)
        else:
            self.query_key_value = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def remember(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values (sentences, heads, length, head) of a memory (sentences, length, width)."""
        keys, values = self._split(self.key_value(memory), 2)
        return keys.contiguous(), values.contiguous()

    def forward(
        self,
        inputs: Tensor,
        mask: Tensor | None = None,
        remembered: tuple[Tensor, Tensor] | None = None,
        *,
        causal: bool = False,
    ) -> Tensor:
        """What each position (sentences, length, width) takes from those it sees; mask broadcasts over heads."""
        if self.to_memory:
            assert remembered is not None
            (queries,) = self._split(self.query(inputs), 1)
            keys, values = remembered
        else:
            queries, keys, values = self._split(self.query_key_value(inputs), 3)
        return self._attend(queries, keys, values, mask, causal)

    def extend(self, inputs: Tensor, slots: Slots, mask: Tensor | None, length: int) -> tuple[Tensor, Slots]:
        """The same for new positions (sentences, new, width) behind `length` slots."""
        queries, keys, values = self._split(self.query_key_value(inputs), 3)
        slots = slots.append(keys, values, length)
        end = slots.used
        return self._attend(queries, slots.keys[:, :, :end], slots.values[:, :, :end], mask, False), slots

    def _split(self, projected: Tensor, parts: int) -> tuple[Tensor, ...]:
        sentences, length, _ = projected.shape
        shaped = projected.view(sentences, length, parts, self.heads, self.head)
        return shaped.permute(2, 0, 3, 1, 4).unbind(0)  # each (sentences, heads, length, head)

    def _attend(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
        sentences, _, length, _ = queries.shape
        if FAST and not causal and not torch.is_grad_enabled() and queries.dtype == torch.float32:
            taken = _attend_where_seen(queries, keys, values, mask)
        else:
            with torch.autocast("cpu", enabled=False):  # in bfloat16 attention's backward pass is ten times slower
                queries, keys, values = queries.float(), keys.float(), values.float()
                taken = functional.scaled_dot_product_attention(queries, keys, values, mask, is_causal=causal)
            taken = taken.transpose(1, 2)
        merged: Tensor = self.out(taken.reshape(sentences, length, -1))
        return merged


def _attend_where_seen(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
    """Attention (sentences, length, heads, head) by the core, for which what no query sees is no work."""
    sentences, heads, length, head = queries.shape
    out = torch.empty(sentences, length, heads, head)
    seen = None if mask is None else mask[:, 0].numpy()
    arrays = queries.numpy(), keys.numpy(), values.numpy(), seen, out.numpy()
    attend(*arrays, threads=torch.get_num_threads())
    return out
