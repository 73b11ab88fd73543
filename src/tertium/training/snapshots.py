"""Weights kept while training, and the mean of several of them.

The mean of the weights at several points of one training often translates better than any of them (Popel and Bojar,
2018). The snapshots with the best scores are kept, and one of their mean is tried in the end.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

Weights = dict[str, Tensor]


def mean(snapshots: Sequence[Weights]) -> Weights:
    """The mean of each weight, summed in float64.

    >>> mean([{"w": torch.tensor([1.0, 2.0])}, {"w": torch.tensor([3.0, 2.0])}])["w"].tolist()
    [2.0, 2.0]
    """
    first = snapshots[0]
    return {
        name: torch.stack([each[name].double() for each in snapshots]).mean(0).to(first[name].dtype) for name in first
    }


class Snapshots:
    """The weights with the best scores, as files of a folder; `keep` of them."""

    def __init__(self, folder: Path, keep: int) -> None:
        self.folder = folder
        self.keep = keep
        self.scores: dict[int, float] = {}  # of each step, the higher the better

    def add(self, step: int, score: float, weights: Weights) -> None:
        """Keep these weights if they are among the best; the worst of the others make room."""
        from safetensors.torch import save_file

        worst = min(self.scores.values(), default=score)
        if len(self.scores) >= self.keep and score < worst:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        save_file(weights, str(self.path(step)))
        self.scores[step] = score
        while len(self.scores) > self.keep:
            worst_step = min(self.scores, key=lambda each: (self.scores[each], each))
            del self.scores[worst_step]
            self.path(worst_step).unlink(missing_ok=True)

    def path(self, step: int) -> Path:
        """Where the weights of a step are."""
        return self.folder / f"step-{step}.safetensors"

    def load(self, step: int) -> Weights:
        """The weights of a step."""
        from safetensors.torch import load_file

        return load_file(str(self.path(step)))

    @property
    def best(self) -> int:
        """The step with the best score; of equal ones the first."""
        return max(self.scores, key=lambda each: (self.scores[each], -each))

    def mean(self) -> Weights:
        """The mean of all that are kept."""
        return mean([self.load(step) for step in self.scores])
