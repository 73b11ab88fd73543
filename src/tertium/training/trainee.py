"""What is trained: a network, the model that translates with it, how texts become its tokens, how it is saved.

    OwnModel             a network of ours: new, with vocabularies learned from the text, or trained before
    HuggingFaceTrainee   an encoder-decoder of Hugging Face, to be fine-tuned (`huggingface.py`)

Where a training starts from is the configuration's `[model] start`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import torch

from tertium import registry
from tertium.models.next_token import TextModel
from tertium.models.trained import TrainedModel
from tertium.models.vocabulary import Vocabulary
from tertium.training.batches import Pair
from tertium.training.config import TrainingConfig
from tertium.training.parallel import ParallelText


class Trainee(Protocol):
    """See the file's docstring."""

    @property
    def network(self) -> Any:
        """The `Network` whose weights are learned, a module of torch."""
        ...

    @property
    def model(self) -> TextModel:
        """What translates with these weights."""
        ...

    def pairs(self, text: ParallelText) -> list[Pair]:
        """Token ids of both sides of each pair, each with its end."""
        ...

    def save(self, folder: Path, facts: dict[str, Any]) -> None:
        """Leave the model in a folder, with facts for its card."""
        ...


class OwnModel:
    """A network of ours with its vocabularies."""

    def __init__(self, model: TrainedModel) -> None:
        self.model = model
        self.network = model.network

    def pairs(self, text: ParallelText) -> list[Pair]:
        """Both sides by their vocabularies."""
        sources = self.model.source_vocabulary.tokens_of(text.source)
        return list(zip(sources, self.model.target_vocabulary.tokens_of(text.target), strict=True))

    def save(self, folder: Path, facts: dict[str, Any]) -> None:
        """The folder of a `TrainedModel`."""
        self.model.facts |= facts
        self.model.save(folder)


def trainee_of(config: TrainingConfig, text: ParallelText, work: Path) -> Trainee:
    """What a configuration says is to be trained."""
    start = config.model.start
    if start is None:
        return new_model(config, text, work)
    from tertium.models.opening import open_model

    model = open_model(start, trainable=True)
    if isinstance(model, TrainedModel):
        return OwnModel(model)
    from tertium.training.huggingface import HuggingFaceTrainee

    return HuggingFaceTrainee(model, start)


def new_model(config: TrainingConfig, text: ParallelText, work: Path) -> OwnModel:
    """A network with weights at random, and vocabularies learned from the text (once: a later session reads them)."""
    sides = {"source": text.source, "target": text.target}
    if config.vocabulary.shared:
        sides = {"vocabulary": [*text.source, *text.target]}
    made = [_vocabulary(texts, config, work / f"{name}.json") for name, texts in sides.items()]
    source, target = made[0], made[-1]
    torch.manual_seed(config.training.seed)
    network = registry.make("network", config.model.network).build(len(source), len(target))
    longest = config.data.longest
    return OwnModel(TrainedModel(network, source, target, longest_source=longest, longest_target=longest))


def _vocabulary(texts: Sequence[str], config: TrainingConfig, path: Path) -> Vocabulary:
    if not path.exists():
        learned = Vocabulary.learn(texts, size=config.vocabulary.size, kind=config.vocabulary.kind)
        path.write_text(learned.to_json(), encoding="utf-8")
    return Vocabulary.load(path)
