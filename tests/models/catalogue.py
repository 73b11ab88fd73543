"""Every kind of model, each with a slow and simple way to say what it should say.

`expected(model, source, tokens)` are the log probabilities (tokens + 1, vocabulary) of what follows nothing, the first
token, the first two ...: from one run over the whole sentence, alone, without padding, states or keys that are kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from models import checkpoints, small
from tertium.models.ensemble import Ensemble
from tertium.models.huggingface import Causal, load_huggingface
from tertium.models.network import BEGIN, PADDING, UNKNOWN
from tertium.models.trained import TrainedModel

TRANSFORMER = "layers=2,width=16,heads=2,hidden=24,dropout=0"
OURS = {
    "lstm-luong": "lstm:attention=luong,width=12,hidden=16,dropout=0",
    "lstm-bahdanau": "lstm:attention=bahdanau,width=12,hidden=16,layers=2,dropout=0",
    "transformer": f"transformer:decoder_layers=1,{TRANSFORMER}",
    "transformer-prefix": f"transformer:kind=prefix,{TRANSFORMER}",
    "transformer-decoder": f"transformer:kind=decoder,{TRANSFORMER}",
}


@dataclass(frozen=True)
class Kind:
    """How a model is made, in an empty folder, and what it should say."""

    make: Callable[[Path], Any]
    expected: Callable[[Any, Sequence[int], Sequence[int]], Tensor]


@torch.inference_mode()
def of_ours(model: TrainedModel, source: Sequence[int], tokens: Sequence[int]) -> Tensor:
    """Teacher forcing, as in training."""
    hidden = model.network(torch.tensor([list(source)]), torch.tensor([[BEGIN, *tokens]]))
    logits = model.network.project(hidden)[0]
    logits[:, [PADDING, BEGIN, UNKNOWN]] = float("-inf")
    return logits.log_softmax(-1)


@torch.inference_mode()
def of_huggingface(model: Any, source: Sequence[int], tokens: Sequence[int]) -> Tensor:
    """One forward pass of transformers."""
    if isinstance(model, Causal):
        out = model.network(input_ids=torch.tensor([[*source, *tokens]]), use_cache=False)
        logits = out.logits[0, len(source) - 1 :]
    else:
        fed = torch.tensor([[*model.begin, *tokens]])
        out = model.network(input_ids=torch.tensor([list(source)]), decoder_input_ids=fed, use_cache=False)
        logits = out.logits[0, len(model.begin) - 1 :]
    logits[:, list(model.never)] = float("-inf")
    log_probs = logits.log_softmax(-1)
    first, *others = model.ends
    for other in others:
        log_probs[:, first] = torch.logaddexp(log_probs[:, first], log_probs[:, other])
        log_probs[:, other] = float("-inf")
    return log_probs


def of_ensemble(model: Ensemble, source: Sequence[int], tokens: Sequence[int]) -> Tensor:
    """The average of what the members should say, weighted 1 to 3."""
    first, second = (of_ours(member, source, tokens) for member in model.models)
    if model.average == "probability":
        return (0.25 * first.exp() + 0.75 * second.exp()).log()
    return (0.25 * first + 0.75 * second).log_softmax(-1)


def _ours(spelling: str) -> Kind:
    return Kind(lambda folder: small.trained(spelling), of_ours)


def _huggingface(kind: str) -> Kind:
    options: dict[str, Any] = checkpoints.OPTIONS.get(kind, {})
    return Kind(lambda folder: load_huggingface(checkpoints.make(kind, folder), **options), of_huggingface)


def _ensemble(average: str) -> Kind:
    members = [small.trained(OURS["transformer"], seed=1), small.trained(OURS["lstm-luong"], seed=2)]
    return Kind(lambda folder: Ensemble(members, weights=[1, 3], average=average), of_ensemble)


KINDS: dict[str, Kind] = {
    **{name: _ours(spelling) for name, spelling in OURS.items()},
    **{kind: _huggingface(kind) for kind in checkpoints.KINDS},
    "ensemble-probability": _ensemble("probability"),
    "ensemble-log": _ensemble("log"),
}
