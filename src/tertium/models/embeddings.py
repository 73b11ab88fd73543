"""What every network of ours has at its ends: embeddings of both sides, and an output layer that is the target's.

The output layer multiplies with the embeddings of the target's tokens (Press and Wolf, 2017), so that it has no weights
of its own; with `shared` one matrix serves the source, too. Padding is embedded as zeros.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from tertium.errors import OptionError
from tertium.models.network import BEGIN, PADDING


class EmbeddingNetwork(nn.Module):
    """The ends of a network; see `network.py` for the methods."""

    padding: ClassVar[int] = PADDING
    starts: ClassVar[Sequence[int]] = (BEGIN,)
    output_bias: ClassVar[None] = None

    def __init__(self, options: Any, source_size: int, target_size: int) -> None:
        """`options` has a name, a width, and says whether there is one matrix for all (`shared`)."""
        super().__init__()
        self.options = options
        if options.shared and source_size != target_size:
            raise OptionError(
                f"{options.name}: shared=yes needs one vocabulary, but the source has {source_size} tokens and the "
                f"target {target_size}"
            )
        self.target_embedding = _embedding(target_size, options.width)
        self.source_embedding = self.target_embedding if options.shared else _embedding(source_size, options.width)
        self.output = nn.Linear(options.width, target_size, bias=False)
        self.output.weight = self.target_embedding.weight

    @property
    def output_weight(self) -> Tensor:
        """The weight of the output layer: the target's embeddings."""
        return self.target_embedding.weight

    def project(self, hidden: Tensor) -> Tensor:
        """Logits over the target vocabulary."""
        logits: Tensor = self.output(hidden)
        return logits

    def embed_target(self, tokens: Tensor) -> Tensor:
        """Embeddings of token ids, or the expectation of embeddings under distributions (..., vocabulary)."""
        if tokens.is_floating_point():
            return tokens @ self.target_embedding.weight
        embedded: Tensor = self.target_embedding(tokens)
        return embedded


def _embedding(size: int, width: int) -> nn.Embedding:
    embedding = nn.Embedding(size, width, PADDING)
    nn.init.normal_(embedding.weight, std=width**-0.5)
    with torch.no_grad():
        embedding.weight[PADDING].zero_()
    return embedding
