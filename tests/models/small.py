"""Small models for tests: random networks that say something other than one token again and again, and do end."""

from collections.abc import Sequence
from typing import Any

import torch

from tertium import registry
from tertium.models.network import END
from tertium.models.trained import TrainedModel
from tertium.models.vocabulary import Vocabulary

TEXTS = [
    "a cat sat on the mat",
    "the dog ran to the cat",
    "where is the mouse now?",
    "Über den Fluß läuft der Hund.",
    "no mouse, no cat: no dog",
]


def vocabulary(kind: str = "bpe", texts: Sequence[str] = TEXTS, size: int = 300) -> Vocabulary:
    """Subwords of a few texts."""
    return Vocabulary.learn(list(texts) * 8, size=size, kind=kind)


@torch.no_grad()
def livened(network: Any, *, ends: float = 0.14, seed: int = 0) -> Any:
    """A network whose biases are at random, and which likes to end: as long as its weights are small, none does.

    The end's embedding, which is its output weight too, takes a part of the direction that the last norm adds always.
    """
    generator = torch.Generator().manual_seed(seed)
    for name, weight in network.named_parameters():
        noise = torch.randn(weight.shape, generator=generator)
        weight.add_(0.1 * noise if name.endswith("bias") else 0.5 * weight)
    direction = torch.randn(network.output_weight.shape[1], generator=generator)
    if hasattr(network, "decoder_norm"):
        network.decoder_norm.bias.copy_(direction)
    else:
        network.join.bias.copy_(direction)
    network.output_weight[END] += ends * direction
    return network.eval()


def trained(spelling: str, *, kind: str = "bpe", seed: int = 0, ends: float = 0.14) -> TrainedModel:
    """A model of ours with weights at random; the spelling is of its network."""
    words = vocabulary(kind)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = registry.make("network", spelling).build(len(words), len(words))
    return TrainedModel(livened(network, seed=seed, ends=ends), words, words)
