"""A training as Lightning runs it: one step, the optimiser, and where the training is.

What a step does follows from the configuration, the seed and the number of the step: which pairs it sees and what
chance decides in it. So a training that was interrupted goes on exactly as if it had not been. A step may take several
batches, one after another; each token of them counts alike.
"""

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import lightning.pytorch
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset

from tertium import registry
from tertium.errors import TertiumError
from tertium.training.batches import Batch, TokenBatches
from tertium.training.config import Training

BETAS = (0.9, 0.98)
WINDOW = 50  # steps over which the loss that is shown is the mean


class Stream(IterableDataset[list[Batch]]):
    """What each step takes, without end, from a given step on; with several processes, each has its share."""

    def __init__(self, batches: TokenBatches, accumulate: int, step: int, rank: int, processes: int) -> None:
        self.batches, self.accumulate = batches, accumulate
        self.start, self.stride = step * accumulate * processes + rank, processes

    def __iter__(self) -> Iterator[list[Batch]]:
        batches = self.batches.from_place(self.start, self.stride)
        while True:
            yield list(itertools.islice(batches, self.accumulate))


class TranslationModule(lightning.pytorch.LightningModule):
    """The network, its objective and its optimiser."""

    def __init__(self, network: Any, batches: TokenBatches, training: Training) -> None:
        super().__init__()
        self.automatic_optimization = False
        self.network = network.train()  # what was opened to translate is not, and Lightning leaves it so
        self.batches = batches
        self.settings = training
        self.objective = registry.make("objective", training.objective)
        self.feeding = registry.make("feeding", training.feeding)
        self._losses: deque[tuple[float, int]] = deque(maxlen=WINDOW)
        self.schedule = registry.make("schedule", training.schedule)

    def training_step(self, batches: Sequence[Batch], batch_idx: int) -> None:
        """Learn from batches: the mean gradient over their target tokens."""
        torch.manual_seed(seed_of(self.settings.seed, self.global_step, self.global_rank))
        optimiser: Any = self.optimizers()
        number = sum(int((each.target != self.network.padding).sum()) for each in batches)
        total = 0.0
        for batch in batches:
            loss = self.objective.loss(self.network, batch, self.feeding, self.global_step)
            self.manual_backward(loss.total / number)
            total += loss.total.item()
        if not np.isfinite(total):
            raise self._diverged()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        optimiser.step()
        optimiser.zero_grad()
        schedule: Any = self.lr_schedulers()
        self.log_dict({"loss": self._mean_loss(total, number), "rate": schedule.get_last_lr()[0]})
        schedule.step()

    def _mean_loss(self, total: float, number: int) -> float:
        """The loss of a token over the last steps: that of one step depends on how long its sentences are."""
        self._losses.append((total, number))
        totals, numbers = zip(*self._losses, strict=True)
        return float(sum(totals) / sum(numbers))

    def _diverged(self) -> TertiumError:
        return TertiumError(
            f"the loss at step {self.global_step} is not finite: lower [training] learning_rate "
            f"({self.settings.learning_rate:g}) or clip ({self.settings.clip:g}), or make the warm-up longer"
        )

    def configure_optimizers(self) -> Any:
        """Adam with decoupled weight decay (Loshchilov and Hutter, 2019), and the schedule."""
        settings = self.settings
        optimiser = torch.optim.AdamW(
            self.network.parameters(), settings.learning_rate, BETAS, weight_decay=settings.weight_decay, fused=True
        )
        factors = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda n: self.schedule.factor(n, settings.steps))
        return [optimiser], [factors]

    def train_dataloader(self) -> Any:
        """What the steps after those already done take."""
        processes = self.trainer.world_size
        stream = Stream(self.batches, self.settings.accumulate, self.global_step, self.global_rank, processes)
        return DataLoader(stream, batch_size=None)


def seed_of(*numbers: int) -> int:
    """A seed made of several numbers.

    >>> seed_of(1, 2) == seed_of(1, 2), seed_of(1, 2) == seed_of(2, 1)
    (True, False)
    """
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0] >> np.uint64(1))
