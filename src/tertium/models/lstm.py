"""The LSTM with attention: a bidirectional encoder and a decoder that looks back at it.

    bahdanau  the attention is computed from the decoder's state before a token is read, and what it finds is part of
              the decoder's input; so a target is read token by token (Bahdanau et al., 2015)
    luong     the attention is computed from the state after the token is read, and joined with it for the prediction;
              a known target is read by the LSTM in one call (Luong et al., 2015)

Scores of attention: `v' tanh(W s + U h)` for bahdanau, `s' W h` for luong. What luong's decoder found in one step is
not fed into the next, as that would make training read token by token as well.

The encoder's last states, projected, are the decoder's first.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from tertium.errors import OptionError
from tertium.models.dropout import Dropout
from tertium.models.embeddings import EmbeddingNetwork
from tertium.models.layout import by_sentence
from tertium.models.network import PADDING
from tertium.spelling import spelled

ATTENTIONS = ("bahdanau", "luong")


@spelled
@dataclass(frozen=True, repr=False)
class LSTMOptions:
    """The shape of an LSTM with attention.

    >>> LSTMOptions(width=256, hidden=512)
    lstm:attention=luong,layers=1,width=256,hidden=512,dropout=0.2,shared=yes
    """

    attention: str = "luong"
    layers: int = 1
    width: int = 512  # of the embeddings
    hidden: int = 512  # of the decoder's state; each direction of the encoder has half
    dropout: float = 0.2
    shared: bool = True  # one embedding matrix for source, target and output

    name: ClassVar[str] = "lstm"

    def __post_init__(self) -> None:
        if self.attention not in ATTENTIONS:
            raise OptionError(f"lstm: attention is {self.attention!r}; known are {', '.join(ATTENTIONS)}")
        if self.layers < 1 or self.width < 1 or self.hidden < 2 or self.hidden % 2:
            raise OptionError("lstm: layers and width must be 1 or more, hidden even: each direction has half of it")
        if not 0 <= self.dropout < 1:
            raise OptionError(f"lstm: dropout is {self.dropout}; it must be 0 or more and below 1")

    def build(self, source_size: int, target_size: int) -> "LSTM":
        """A network of this shape, with weights at random."""
        return LSTM(self, source_size, target_size)


@dataclass(frozen=True)
class Memory:
    """The encoder's states, what attention computes of them once, and the decoder's first state."""

    states: Tensor  # (sentences, length, hidden)
    keys: Tensor  # (sentences, length, hidden)
    mask: Tensor | None  # (sentences, 1, length), true where no padding is
    first: tuple[Tensor, Tensor]  # each (layers, sentences, hidden)


@dataclass(frozen=True)
class LSTMState:
    """The decoder's state of every row. Row `s * width + b` is the b-th of sentence s."""

    memory: Memory
    hidden: Tensor  # (layers, rows, hidden)
    cell: Tensor
    width: int

    @property
    def rows(self) -> int:
        return self.hidden.shape[1]

    def pick(self, rows: Tensor) -> "LSTMState":
        """The rows chosen. Those that do not stand by sentences, equally many of each, get a memory of their own."""
        chosen = replace(self, hidden=self.hidden.index_select(1, rows), cell=self.cell.index_select(1, rows))
        groups, width = by_sentence(rows, self.width)
        if torch.equal(groups, torch.arange(len(self.memory.states))):
            return replace(chosen, width=width)
        memory = self.memory
        picked = Memory(
            memory.states.index_select(0, groups),
            memory.keys.index_select(0, groups),
            None if memory.mask is None else memory.mask.index_select(0, groups),
            memory.first,
        )
        return replace(chosen, memory=picked, width=width)


class LSTM(EmbeddingNetwork):
    """See the file's docstring, and `network.py` for the methods."""

    def __init__(self, options: LSTMOptions, source_size: int, target_size: int) -> None:
        super().__init__(options, source_size, target_size)
        width, hidden = options.width, options.hidden
        between = options.dropout if options.layers > 1 else 0.0
        self.encoder = nn.LSTM(
            width, hidden // 2, options.layers, batch_first=True, dropout=between, bidirectional=True
        )
        self.bridge = nn.Linear(hidden, 2 * hidden)
        self.before = options.attention == "bahdanau"
        self.decoder = nn.LSTM(
            width + (hidden if self.before else 0), hidden, options.layers, batch_first=True, dropout=between
        )
        self.key = nn.Linear(hidden, hidden, bias=False)
        if self.before:
            self.query = nn.Linear(hidden, hidden)
            self.energy = nn.Linear(hidden, 1, bias=False)
        self.join = nn.Linear(2 * hidden, width)
        self.dropout = Dropout(options.dropout)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Hidden states (batch, target length, width) at each target position."""
        hidden, _ = self.step(self.embed_target(target), self.begin(self.read(source)))
        return hidden

    def read(self, source: Tensor) -> Memory:
        """Read sources (batch, length), padded on the right."""
        real = source != PADDING
        lengths = real.sum(1).cpu()
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropout(self.source_embedding(source)), lengths, batch_first=True, enforce_sorted=False
        )
        outputs, (last, cell) = self.encoder(packed)
        states, _ = nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True, total_length=source.shape[1])
        layers, sentences = self.options.layers, len(source)

        def both(directions: Tensor) -> Tensor:  # (2 * layers, sentences, hidden / 2) -> (layers, sentences, hidden)
            return directions.view(layers, 2, sentences, -1).transpose(1, 2).reshape(layers, sentences, -1)

        first, first_cell = self.bridge(both(last)).tanh().chunk(2, -1)
        first_cell = first_cell + both(cell)
        mask = None if bool(real.all()) else real[:, None]
        return Memory(states, self.key(states), mask, (first.contiguous(), first_cell.contiguous()))

    def begin(self, memory: Memory) -> LSTMState:
        """A row for each source, with nothing fed yet."""
        return LSTMState(memory, memory.first[0], memory.first[1], 1)

    def step(self, inputs: Tensor, state: LSTMState) -> tuple[Tensor, LSTMState]:
        """Hidden states (rows, n, width) after embedded inputs (rows, n, width)."""
        inputs = self.dropout(inputs)
        if not self.before:
            outputs, (hidden, cell) = self.decoder(inputs, (state.hidden, state.cell))
            return self._joined(outputs, self._look(outputs, state)), replace(state, hidden=hidden, cell=cell)
        joined = []
        for position in torch.split(inputs, 1, 1):  # (rows, 1, width)
            found = self._look(state.hidden[-1][:, None], state)
            outputs, (hidden, cell) = self.decoder(torch.cat([position, found], -1), (state.hidden, state.cell))
            state = replace(state, hidden=hidden, cell=cell)
            joined.append(self._joined(outputs, found))
        return torch.cat(joined, 1), state

    def _joined(self, outputs: Tensor, found: Tensor) -> Tensor:
        hidden: Tensor = self.dropout(self.join(torch.cat([outputs, found], -1)).tanh())
        return hidden

    def _look(self, queries: Tensor, state: LSTMState) -> Tensor:
        """What attention finds in the source for queries (rows, n, hidden), of the same shape."""
        memory = state.memory
        rows, tokens, size = queries.shape
        queries = queries.reshape(len(memory.states), -1, size)  # (sentences, rows of a sentence * n, hidden)
        if self.before:
            sums = self.query(queries)[:, :, None] + memory.keys[:, None]  # (sentences, queries, length, hidden)
            scores = self.energy(sums.tanh())[..., 0]
        else:
            scores = queries @ memory.keys.transpose(1, 2)
        if memory.mask is not None:
            scores = scores.masked_fill(~memory.mask, float("-inf"))
        found: Tensor = scores.softmax(-1) @ memory.states
        return found.reshape(rows, tokens, size)
