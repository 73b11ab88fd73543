"""What is minimised: a function of the network and a batch.

    cross-entropy   how little probability the references' tokens have, label-smoothed (`cross_entropy.py`)

An objective gives a summed loss and what to divide it by, so that batches of different size add up.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from torch import Tensor

from tertium.errors import OptionError
from tertium.models.network import Network
from tertium.spelling import spelled
from tertium.training.batches import Batch
from tertium.training.cross_entropy import smoothed_cross_entropy
from tertium.training.feeding import Feeding


class Loss(NamedTuple):
    """A sum and the number of things it is of."""

    total: Tensor
    number: int


@spelled
@dataclass(frozen=True, repr=False)
class CrossEntropy:
    """Label-smoothed cross entropy, a target token's mean.

    >>> CrossEntropy(smoothing=0.1)
    cross-entropy:smoothing=0.1
    """

    smoothing: float = 0.1

    name: ClassVar[str] = "cross-entropy"

    def __post_init__(self) -> None:
        if not 0 <= self.smoothing < 1:
            raise OptionError(f"cross-entropy: smoothing is {self.smoothing}; it must be 0 or more and below 1")

    def loss(self, network: Network, batch: Batch, feeding: Feeding, step: int) -> Loss:
        """The loss of a batch."""
        hidden = feeding.hidden(network, batch, step)  # (batch, length, width)
        real = batch.target != network.padding
        total = smoothed_cross_entropy(
            hidden[real], network.output_weight, batch.target[real], self.smoothing, network.output_bias
        )
        return Loss(total, int(real.sum()))


Objective = Any  # something with `loss(network, batch, feeding, step) -> Loss`
