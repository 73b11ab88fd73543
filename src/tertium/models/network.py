"""What a network must have to be trained and to translate: `Transformer` and `LSTM` are such.

A network knows token ids and nothing of text. Sources are padded on the right with its `padding`; a target is preceded
by its `starts`, which are fed and never predicted, and ends with its end. Ours have `PADDING`, `BEGIN` and `END`.

    forward(source, target)              teacher forcing: hidden states at every target position, all at once
    read(source)         -> Memory       the source, read once
    begin(memory)        -> State        a row a source, nothing fed yet
    step(inputs, state)  -> hidden, State  n positions further: for translating, and for training on one's own output
    project(hidden)      -> logits       over the vocabulary

`step` takes embedded inputs, so that a mixture of tokens (the expectation under a distribution) can be fed as well as a
token: `embed_target` makes either.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from torch import Tensor

from tertium.models.next_token import State

PADDING, BEGIN, END, UNKNOWN = 0, 1, 2, 3
SPECIAL = ("<pad>", "<s>", "</s>", "<unk>")


class Network(Protocol):
    """See the file's docstring."""

    training: bool
    padding: int  # what fills up
    starts: Sequence[int]  # what the decoder is fed before a target

    def __call__(self, source: Tensor, target: Tensor) -> Tensor:
        """Hidden states (batch, target length, width) that predict what follows each target token."""
        ...

    def read(self, source: Tensor) -> Any:
        """What is kept of sources (batch, source length)."""
        ...

    def begin(self, memory: Any) -> State:
        """The state before anything is fed, a row a source."""
        ...

    def embed_target(self, tokens: Tensor) -> Tensor:
        """Embeddings of target tokens (..., of ids), or of distributions over them (..., vocabulary)."""
        ...

    def step(self, inputs: Tensor, state: Any) -> tuple[Tensor, State]:
        """Hidden states (rows, n, width) after each of n embedded inputs, and the state behind them."""
        ...

    def project(self, hidden: Tensor) -> Tensor:
        """Logits over the vocabulary."""
        ...

    @property
    def output_weight(self) -> Tensor:
        """The weight (vocabulary, width) of `project`; a loss may multiply with it itself."""
        ...

    @property
    def output_bias(self) -> Tensor | None:
        """What `project` adds, (vocabulary,); None: nothing."""
        ...
