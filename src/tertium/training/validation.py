"""Whether it learns: held-out text is translated and scored every so often, by any registry metric.

The score decides which weights are kept and when to stop: after `patience` validations without a better one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from tertium import registry
from tertium.decoding.translate import translate
from tertium.metrics.scoring import score
from tertium.training.batches import Pair, batch_of, filled
from tertium.training.config import Validation
from tertium.training.feeding import Feeding
from tertium.training.objectives import CrossEntropy
from tertium.training.parallel import ParallelText
from tertium.training.trainee import Trainee

BATCH = 4096  # tokens


@dataclass(frozen=True)
class Measured:
    """What one validation found."""

    step: int
    loss: float  # cross entropy of a target token, in nats
    score: float  # of the metric
    minutes: float  # of training until then, validations included


@dataclass(frozen=True)
class HeldOut:
    """Held-out text and how it is measured."""

    text: ParallelText
    pairs: Sequence[Pair]
    settings: Validation

    def loss(self, network: Any) -> float:
        """The mean cross entropy of a target token, without smoothing."""
        lengths = [max(len(source), len(target)) for source, target in self.pairs]
        order = sorted(range(len(lengths)), key=lambda each: lengths[each])
        total, number = 0.0, 0
        with torch.inference_mode():
            for places in filled(lengths, order, BATCH):
                batch = batch_of([self.pairs[place] for place in places], network.padding)
                loss = CrossEntropy(smoothing=0).loss(network, batch, Feeding(), 0)
                total, number = total + loss.total.item(), number + loss.number
        return total / number

    def translations(self, model: Any) -> list[str]:
        """The best translation of each source."""
        strategy = registry.make("search", self.settings.search)
        return [each[0].text for each in translate(model, self.text.source, strategy, overlong="split")]

    def score(self, model: Any) -> float:
        """The metric's score of the model's translations."""
        metric = registry.metric(self.settings.metric)
        return float(score(metric, self.translations(model), self.text.target).score)

    def better(self, one: float, other: float) -> bool:
        """Whether one score is better than another."""
        higher = registry.metric(self.settings.metric).higher_is_better
        return one > other if higher else one < other

    def measure(self, trainee: Trainee, step: int, minutes: float) -> Measured:
        """Loss and score of a model; its network is left as it was. Translating is done on the processor."""
        network = trainee.network
        training, device = network.training, next(network.parameters()).device
        network.eval().cpu()
        measured = Measured(step, self.loss(network), self.score(trainee.model), minutes)
        network.train(training).to(device)
        return measured
