"""How exactly a model multiplies while it translates: `float32`, `bfloat16` or `int8` linear layers.

    float32    the weights as they are, packed once as the processor's library (oneDNN) reads them fastest
    bfloat16   weights and inputs with 8 bits of mantissa, sums in float32
    int8       weights and inputs as integers in [-127, 127] with a scale for each output and for each row

Only linear layers change, the output layer among them; embeddings, normalisation, attention, recurrent cells, states
and log probabilities stay float32. What a row gives depends on the row alone in each of them: other int8 layers take
one scale for a whole batch, and a sentence's translation then depends on its neighbours.

What `apply` returns translates and does nothing else: it has no weights to train or to save.
"""

import copy
from dataclasses import replace
from typing import Any, NoReturn, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tertium.errors import OptionError, UnknownName
from tertium.native.network import Int8Linear

PRECISIONS = ("float32", "bfloat16", "int8")
Model = TypeVar("Model", bound=Any)  # a dataclass with a `network`: ours, and those of Hugging Face


def apply(model: Model, precision: str) -> Model:
    """The same model with linear layers of this precision, for translating; what can be shared is shared."""
    if precision not in PRECISIONS:
        raise UnknownName("precision", precision, PRECISIONS)
    network = model.network
    if any(isinstance(module, Packed | Int8) for module in network.modules()):
        raise OptionError(f"the model has a precision already: apply {precision} to the model as it was loaded")
    kept = {id(tensor): tensor for tensor in (*network.parameters(), *network.buffers())}
    lighter = copy.deepcopy(network, kept).eval()
    for parent in list(lighter.modules()):
        for name, layer in list(parent.named_children()):
            if type(layer) is nn.Linear:
                setattr(parent, name, Int8(layer) if precision == "int8" else Packed(layer, precision))
    return replace(model, network=lighter)


class ForTranslating(nn.Module):
    """A linear layer that has no weights of its own to give away."""

    def _save_to_state_dict(self, *arguments: Any) -> NoReturn:
        raise OptionError("a model with a precision for translating cannot be saved: save it as it was loaded")


class Packed(ForTranslating):
    """A linear layer whose weight lies as the processor's library reads it fastest."""

    def __init__(self, layer: nn.Linear, precision: str) -> None:
        super().__init__()
        self.dtype = getattr(torch, precision)
        self.packed = bool(torch.backends.mkldnn.is_available())  # type: ignore[no-untyped-call]
        self.bias = None if layer.bias is None else layer.bias.detach().to(self.dtype)
        self.weight = layer.weight.detach().to(self.dtype)
        if self.packed:
            self.weight = torch.ops.mkldnn._reorder_linear_weight(self.weight, None)

    def forward(self, inputs: Tensor) -> Tensor:
        """x W' + b in float32."""
        x = inputs.to(self.dtype)
        if self.packed:
            out: Tensor = torch.ops.mkldnn._linear_pointwise(x, self.weight, self.bias, "none", [], "")
        else:
            out = functional.linear(x, self.weight, self.bias)
        return out.float()


class Int8(ForTranslating):
    """A linear layer of eight-bit integers."""

    weight = None  # some of transformers' blocks look at the type of a layer's weight

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        weight = np.ascontiguousarray(layer.weight.detach().float().numpy())
        bias = None if layer.bias is None else layer.bias.detach().float().numpy()
        self.outputs = layer.out_features
        self.layer = Int8Linear(weight, bias, "auto")

    def forward(self, inputs: Tensor) -> Tensor:
        """x W' + b in float32."""
        rows = inputs.reshape(-1, inputs.shape[-1])
        out = torch.empty(len(rows), self.outputs)
        self.layer.apply(rows.float().numpy(), out.numpy(), False, torch.get_num_threads())
        return out.view(*inputs.shape[:-1], self.outputs)
