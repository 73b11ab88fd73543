"""What the decoder is fed while it learns.

    teacher    the reference's tokens: fast, as all positions are computed at once; the model never sees its own slips
    argmax     its own likeliest token at each position (free running)
    soft       the expectation of the embeddings under its own distribution: free running that gradients flow through
    scheduled  at each position, by chance, its own likeliest token or the reference's (Bengio et al., 2015); the chance
               of its own rises on a line from 0 to `share` over `rise` steps

All but teacher go token by token, with back-propagation through time over all of them, and cost accordingly.
"""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from tertium.errors import OptionError, UnknownName
from tertium.models.network import Network
from tertium.spelling import spelled
from tertium.training.batches import Batch

KINDS = ("teacher", "argmax", "soft", "scheduled")


@spelled
@dataclass(frozen=True, repr=False)
class Feeding:
    """How targets are fed.

    >>> Feeding(kind="scheduled", share=0.5, rise=1000).chance(500)
    0.25
    """

    kind: str = "teacher"
    share: float = 0.25
    rise: int = 1000

    name: ClassVar[str] = "feeding"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UnknownName("feeding", self.kind, KINDS)
        if not 0 <= self.share <= 1 or self.rise < 1:
            raise OptionError(f"feeding: share={self.share} must be from 0 to 1 and rise={self.rise} 1 or more")

    def chance(self, step: int) -> float:
        """The chance at this step that the decoder is fed its own token."""
        if self.kind != "scheduled":
            return 0.0 if self.kind == "teacher" else 1.0
        return self.share * min(1.0, step / self.rise)

    def hidden(self, network: Network, batch: Batch, step: int) -> Tensor:
        """Hidden states (batch, target length, width) that predict the target's tokens."""
        starts = torch.tensor(network.starts, device=batch.target.device).expand(len(batch.target), -1)
        fed = torch.cat([starts, batch.target[:, :-1]], 1)
        if self.chance(step) == 0:
            return network(batch.source, fed)[:, starts.shape[1] - 1 :]
        if not hasattr(network, "step"):
            raise OptionError(f"feeding: {self.kind} is for networks of ours, which go step by step: use teacher")
        return self._running(network, batch.source, fed, self.chance(step))

    def _running(self, network: Network, source: Tensor, fed: Tensor, chance: float) -> Tensor:
        state = network.begin(network.read(source))
        inputs = network.embed_target(fed[:, :1])
        states = []
        for position in range(fed.shape[1]):
            hidden, state = network.step(inputs, state)
            states.append(hidden)
            if position + 1 < fed.shape[1]:
                inputs = self._next(network, hidden, fed[:, position + 1 : position + 2], chance)
        return torch.cat(states, 1)

    def _next(self, network: Network, hidden: Tensor, right: Tensor, chance: float) -> Tensor:
        """The embedded input of the next position, (batch, 1, width)."""
        logits = network.project(hidden)
        if self.kind == "soft":
            return network.embed_target(logits.softmax(-1))
        own = logits.detach().argmax(-1)
        if chance < 1:
            own = torch.where(torch.rand(own.shape) < chance, own, right)
        return network.embed_target(own)
