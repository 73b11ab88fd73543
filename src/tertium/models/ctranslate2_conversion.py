"""Our encoder-decoder Transformer as a CTranslate2 folder: for translating with that engine, and for comparing with it.

CTranslate2 runs a fixed set of architectures; ours is its pre-norm Transformer with ReLU, position encodings given as a
table, and embeddings multiplied by sqrt(width). Three things are written so that it computes what we do:

    positions    the table of our sinusoids; CTranslate2's own put all sines before all cosines. The table ends, so
                 CTranslate2 refuses texts of more tokens than it has
    never        a bias of the output layer that takes padding, begin and unknown out, as `TrainedModel` does
    vocabulary   our own file lies in the folder as well, so that the folder takes and gives text
"""

import importlib
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import nn

from tertium.errors import MissingExtra, OptionError, UnknownName
from tertium.models.trained import NEVER, TrainedModel
from tertium.models.transformer import Transformer, sinusoids

QUANTIZATIONS = ("float32", "bfloat16", "float16", "int16", "int8")
OUT = -1e4  # exp of it is 0 in every precision, and every precision can hold it


def to_ctranslate2(
    model: TrainedModel, folder: str | Path, *, quantization: str = "float32", positions: int = 1024
) -> None:
    """Write the model as a CTranslate2 folder for texts of at most so many tokens.

    `quantization` is how the weights are stored; what is computed with is chosen when the folder is opened.
    """
    try:
        specs = importlib.import_module("ctranslate2.specs")
    except ImportError:
        raise MissingExtra("a CTranslate2 folder", "ctranslate2", "ctranslate2") from None
    if quantization not in QUANTIZATIONS:
        raise UnknownName("quantization", quantization, QUANTIZATIONS)
    network = model.network
    if not isinstance(network, Transformer) or not network.two_stacks:
        raise OptionError(f"CTranslate2 takes no {network.options!r}: only a transformer of kind=encoder-decoder")
    if not isinstance(network.output, nn.Linear):
        raise OptionError("a model that was made ready to translate has no weights any more: open it as trainable=True")
    spec = specs.TransformerSpec.from_config((len(network.encoder), len(network.decoder)), network.options.heads)
    _fill(spec, network, positions)
    for register, vocabulary in (
        (spec.register_source_vocabulary, model.source_vocabulary),
        (spec.register_target_vocabulary, model.target_vocabulary),
    ):
        register([vocabulary.piece(token) for token in range(len(vocabulary))])
    spec.validate()
    spec.optimize(quantization=quantization)
    _write(spec, model, Path(folder))


def _write(spec: Any, model: TrainedModel, folder: Path) -> None:
    """Write all files beside the folder first, so that a broken write leaves no half model where one is looked for."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as part:
        spec.save(part)
        for name, vocabulary in model.vocabularies().items():
            (Path(part) / name).write_text(vocabulary.to_json(), encoding="utf-8")
        for path in Path(part).iterdir():
            path.replace(folder / path.name)


def _fill(spec: Any, network: Transformer, positions: int) -> None:
    """Every weight of the network to its place in CTranslate2's description."""
    table = sinusoids(positions, network.options.width)
    for side, blocks, norm in (
        (spec.encoder, network.encoder, network.encoder_norm),
        (spec.decoder, network.decoder, network.decoder_norm),
    ):
        side.position_encodings.encodings = table
        _norm(side.layer_norm, norm)
        for layer, block in zip(side.layer, blocks, strict=True):
            _block(layer, block)
    spec.encoder.embeddings[0].weight = _copy(network.source_embedding.weight)
    spec.decoder.embeddings.weight = _copy(network.target_embedding.weight)
    spec.decoder.projection.weight = _copy(network.output_weight)
    bias = torch.zeros(len(network.output_weight))
    bias[NEVER] = OUT
    spec.decoder.projection.bias = bias


def _block(layer: Any, block: Any) -> None:
    _norm(layer.self_attention.layer_norm, block.self_norm)
    _linears(layer.self_attention.linear, (block.self_attention.query_key_value, block.self_attention.out))
    if hasattr(layer, "attention"):
        cross = block.cross_attention
        _norm(layer.attention.layer_norm, block.cross_norm)
        _linears(layer.attention.linear, (cross.query, cross.key_value, cross.out))
    _norm(layer.ffn.layer_norm, block.feed_norm)
    _linears((layer.ffn.linear_0, layer.ffn.linear_1), (block.widen, block.narrow))


def _norm(spec: Any, norm: Any) -> None:
    spec.gamma, spec.beta = _copy(norm.weight), _copy(norm.bias)


def _linears(specs: Iterable[Any], linears: Iterable[Any]) -> None:
    for spec, linear in zip(specs, linears, strict=True):
        spec.weight, spec.bias = _copy(linear.weight), _copy(linear.bias)


def _copy(weight: torch.Tensor) -> torch.Tensor:
    """CTranslate2 rounds the numbers that it is given where they lie."""
    return weight.detach().clone()
