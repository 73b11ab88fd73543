"""The Transformer (Vaswani et al., 2017): one block, from which three kinds of translation model are made.

    kind              source sees     target sees                    where the source is
    encoder-decoder   all of it       source, and what is before     in an encoder of its own, through cross-attention
    prefix            all of it       source, and what is before     before the target in one sequence
    decoder           what is before  source, and what is before     before the target in one sequence

Blocks normalise before each part and not after it (Xiong et al., 2020), which trains without a careful warm-up; the
residual stream is normalised at the end. Dropout falls on the embeddings and on what each part adds to the stream.
Positions are sinusoids added to the embeddings, target positions count from the target's own start. Source, target and
output share one embedding matrix where they share the vocabulary.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from tertium.errors import OptionError
from tertium.models.attention import Attention, Rows, Slots
from tertium.models.dropout import Dropout
from tertium.models.embeddings import EmbeddingNetwork
from tertium.models.network import PADDING
from tertium.native.network import FAST
from tertium.spelling import spelled

KINDS = ("encoder-decoder", "prefix", "decoder")


@spelled
@dataclass(frozen=True, repr=False)
class TransformerOptions:
    """The shape of a Transformer.

    >>> TransformerOptions(width=128, heads=4, hidden=256, layers=2)
    transformer:kind=encoder-decoder,layers=2,width=128,heads=4,hidden=256,dropout=0.1,shared=yes
    """

    kind: str = "encoder-decoder"
    layers: int = 6
    width: int = 512
    heads: int = 8
    hidden: int = 2048
    dropout: float = 0.1
    decoder_layers: int | None = None  # as many as `layers`, where nothing else is said
    shared: bool = True  # one embedding matrix for source, target and output

    name: ClassVar[str] = "transformer"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise OptionError(f"transformer: kind is {self.kind!r}; known are {', '.join(KINDS)}")
        if self.heads < 1 or self.width % self.heads:
            raise OptionError(f"transformer: width={self.width} is no multiple of heads={self.heads}")
        if self.width % 2:
            raise OptionError(f"transformer: width={self.width} is odd; sinusoids come in pairs")
        if min(self.layers, self.hidden, self.width, 1 if self.decoder_layers is None else self.decoder_layers) < 1:
            raise OptionError("transformer: layers, decoder_layers, width and hidden must be 1 or more")
        if not 0 <= self.dropout < 1:
            raise OptionError(f"transformer: dropout is {self.dropout}; it must be 0 or more and below 1")
        if self.kind != "encoder-decoder" and not self.shared:
            raise OptionError(f"transformer: a {self.kind} model reads source and target alike: it needs shared=yes")

    def build(self, source_size: int, target_size: int) -> "Transformer":
        """A network of this shape, with weights at random."""
        return Transformer(self, source_size, target_size)


@dataclass(frozen=True)
class Memory:
    """What is kept of a source: for each decoder layer keys and values, and which positions are no padding."""

    layers: list[tuple[Tensor, Tensor]]  # (sentences, heads, source length, head); empty without cross-attention
    mask: Tensor | None  # (sentences, 1, 1, source length); None where nothing is padded
    slots: list[Slots]  # with a single sequence: the source's own keys and values
    rows: Rows

    def of_sentences(self, sentences: Tensor) -> "Memory":
        """The memory of some sentences, which may repeat."""
        return replace(
            self,
            layers=[(k.index_select(0, sentences), v.index_select(0, sentences)) for k, v in self.layers],
            mask=None if self.mask is None else self.mask.index_select(0, sentences),
        )


@dataclass(frozen=True)
class TransformerState:
    """The slots of every layer, which rows see which, and how many target tokens each row has."""

    memory: Memory
    slots: list[Slots]
    layout: Rows
    position: int

    @property
    def rows(self) -> int:
        return len(self.layout)

    def pick(self, rows: Tensor) -> "TransformerState":
        """The rows chosen; slots move only where whole sentences are left out or rows do not stand by sentences."""
        layout, sentences = self.layout.pick(rows)
        if sentences is None:
            return replace(self, layout=layout)
        slots = [each.of_sentences(sentences, self.layout.length) for each in self.slots]
        return replace(self, memory=self.memory.of_sentences(sentences), slots=slots, layout=layout)


class Block(nn.Module):
    """Self-attention, cross-attention where there is a memory, and a feed-forward layer; each adds to the stream."""

    def __init__(self, options: TransformerOptions, *, to_memory: bool) -> None:
        super().__init__()
        width = options.width
        self.self_norm = nn.LayerNorm(width)
        self.self_attention = Attention(width, options.heads)
        if to_memory:
            self.cross_norm = nn.LayerNorm(width)
            self.cross_attention = Attention(width, options.heads, to_memory=True)
        self.feed_norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, options.hidden)
        self.narrow = nn.Linear(options.hidden, width)
        self.dropout = Dropout(options.dropout)

    def forward(
        self,
        stream: Tensor,
        mask: Tensor | None,
        remembered: tuple[Tensor, Tensor] | None = None,
        memory_mask: Tensor | None = None,
        *,
        causal: bool = False,
    ) -> Tensor:
        """The stream (sentences, length, width) after this block; whole sequences at once."""
        stream = stream + self.dropout(self.self_attention(self.self_norm(stream), mask, causal=causal))
        return self._rest(stream, remembered, memory_mask)

    def extend(
        self,
        stream: Tensor,
        slots: Slots,
        mask: Tensor | None,
        length: int,
        remembered: tuple[Tensor, Tensor] | None,
        memory_mask: Tensor | None,
    ) -> tuple[Tensor, Slots]:
        """The same for new positions behind those in the slots."""
        taken, slots = self.self_attention.extend(self.self_norm(stream), slots, mask, length)
        return self._rest(stream + self.dropout(taken), remembered, memory_mask), slots

    def _rest(self, stream: Tensor, remembered: tuple[Tensor, Tensor] | None, memory_mask: Tensor | None) -> Tensor:
        if remembered is not None:
            stream = stream + self.dropout(self.cross_attention(self.cross_norm(stream), memory_mask, remembered))
        widened = functional.relu(self.widen(self.feed_norm(stream)), inplace=not self.training)
        after: Tensor = stream + self.dropout(self.narrow(widened))
        return after


class Transformer(EmbeddingNetwork):
    """See the file's docstring, and `network.py` for the methods."""

    def __init__(self, options: TransformerOptions, source_size: int, target_size: int) -> None:
        super().__init__(options, source_size, target_size)
        self.two_stacks = options.kind == "encoder-decoder"
        decoder_layers = options.layers if options.decoder_layers is None else options.decoder_layers
        encoder_layers = options.layers if self.two_stacks else 0
        self.encoder: Any = nn.ModuleList(Block(options, to_memory=False) for _ in range(encoder_layers))
        self.decoder: Any = nn.ModuleList(Block(options, to_memory=self.two_stacks) for _ in range(decoder_layers))
        self.encoder_norm = nn.LayerNorm(options.width) if self.two_stacks else nn.Identity()
        self.decoder_norm = nn.LayerNorm(options.width)
        self.dropout = Dropout(options.dropout)
        self.sinusoids: Tensor
        self.register_buffer("sinusoids", sinusoids(256, options.width), persistent=False)
        for module in (*self.encoder.modules(), *self.decoder.modules()):
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                nn.init.zeros_(module.bias)

    def _placed(self, embedded: Tensor, start: int = 0) -> Tensor:
        """Embeddings (sentences, length, width) with their positions from `start` on added."""
        end = start + embedded.shape[1]
        if end > len(self.sinusoids):
            self.sinusoids = sinusoids(2 * end, self.options.width).to(self.sinusoids)
        placed: Tensor = self.dropout(embedded * math.sqrt(self.options.width) + self.sinusoids[start:end])
        return placed

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Hidden states (batch, target length, width) at each target position, the whole target at once."""
        if not self.two_stacks:
            return self._forward_as_one(source, target)
        memory = self.read(source)
        stream = self._placed(self.embed_target(target))
        for block, remembered in zip(self.decoder, memory.layers, strict=True):
            stream = block(stream, None, remembered, memory.mask, causal=True)
        hidden: Tensor = self.decoder_norm(stream)
        return hidden

    def _forward_as_one(self, source: Tensor, target: Tensor) -> Tensor:
        """Source and target in one sequence; what is padding in the source is seen by nobody."""
        sources, targets = source.shape[1], target.shape[1]
        stream = torch.cat([self._placed(self.source_embedding(source)), self._placed(self.embed_target(target))], 1)
        sees = torch.ones(sources + targets, sources + targets, dtype=torch.bool, device=source.device).tril()
        if self.options.kind == "prefix":
            sees[:sources, :sources] = True
        real = torch.cat([source != PADDING, torch.ones_like(target, dtype=torch.bool)], 1)
        itself = torch.eye(sources + targets, dtype=torch.bool, device=source.device)  # no row may see nothing at all
        mask = (sees & real[:, None] | itself)[:, None]  # (batch, 1, length, length)
        for block in self.decoder:
            stream = block(stream, mask)
        hidden: Tensor = self.decoder_norm(stream[:, sources:])
        return hidden

    def read(self, source: Tensor) -> Memory:
        """Read sources (batch, length), padded on the right."""
        real = source != PADDING
        mask = None if bool(real.all()) else real[:, None, None]  # (batch, 1, 1, length)
        stream = self._placed(self.source_embedding(source))
        if not self.two_stacks:
            return self._read_as_one(stream, real, mask)
        stream = self._encode(stream, mask)
        layers = [block.cross_attention.remember(stream) for block in self.decoder]
        empty = [Slots.empty(len(source), self.options.heads, layers[0][0].shape[3], stream) for _ in layers]
        return Memory(layers, mask, empty, Rows(len(source), 1, None, 0))

    def _encode(self, stream: Tensor, mask: Tensor | None) -> Tensor:
        """The encoder's output; where padding can be left out, all sentences stand behind each other as one."""
        if mask is None or not FAST or torch.is_grad_enabled():
            for block in self.encoder:
                stream = block(stream, mask)
            encoded: Tensor = self.encoder_norm(stream)
            return encoded
        sentences, length, width = stream.shape
        places = mask.flatten().nonzero()[:, 0]  # (tokens,) that are no padding
        sentence = torch.div(places, length, rounding_mode="floor")
        together = stream.view(-1, width).index_select(0, places)[None]  # (1, tokens, width)
        own = (sentence[:, None] == sentence)[None, None]  # (1, 1, tokens, tokens)
        for block in self.encoder:
            together = block(together, own)
        padded = stream.new_zeros(sentences * length, width)
        return padded.index_copy_(0, places, self.encoder_norm(together)[0]).view(sentences, length, width)

    def _read_as_one(self, stream: Tensor, real: Tensor, mask: Tensor | None) -> Memory:
        """The source fills the first slots, which all rows of its sentence see."""
        sentences, length = real.shape
        causal = self.options.kind == "decoder"
        if causal:
            before = torch.ones(length, length, dtype=torch.bool, device=real.device).tril()
            itself = torch.eye(length, dtype=torch.bool, device=real.device)
            mask = before & real[:, None, None] | itself
        elif mask is not None:
            mask = mask.expand(-1, -1, length, -1)
        filled = []
        for block in self.decoder:
            attention = block.self_attention
            slots = Slots.empty(sentences, attention.heads, attention.head, stream)
            stream, slots = block.extend(stream, slots, mask, 0, None, None)
            filled.append(slots)
        seen = None if bool(real.all()) else real[:, None]
        return Memory([], None, filled, Rows(sentences, 1, seen, length))

    def begin(self, memory: Memory) -> TransformerState:
        """A row for each source, with nothing fed yet."""
        return TransformerState(memory, memory.slots, memory.rows, 0)

    def step(self, inputs: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        """Hidden states (rows, n, width) after embedded inputs (rows, n, width)."""
        rows, tokens, width = inputs.shape
        layout, sees = state.layout.extend(tokens)
        mask = None if sees is None else sees[:, None]  # (sentences, 1, width * n, slots)
        stream = self._placed(inputs, state.position).view(state.layout.sentences, -1, width)
        memory, filled = state.memory, []
        for number, block in enumerate(self.decoder):
            remembered = memory.layers[number] if memory.layers else None
            stream, slots = block.extend(
                stream, state.slots[number], mask, state.layout.length, remembered, memory.mask
            )
            filled.append(slots)
        hidden = self.decoder_norm(stream).view(rows, tokens, width)
        return hidden, TransformerState(memory, filled, layout, state.position + tokens)


def sinusoids(length: int, width: int) -> Tensor:
    """Position p at width 2i: sin(p / 10000^(2i/width)), at 2i + 1 the cosine."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    angles = torch.arange(length)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], -1).reshape(length, width)
