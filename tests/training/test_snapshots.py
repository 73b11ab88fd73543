"""The best snapshots are kept, the worst make room, and the mean is the mean."""

from pathlib import Path

import torch

from tertium.training.snapshots import Snapshots, mean


def weights(value: float) -> dict[str, torch.Tensor]:
    """A network of one number."""
    return {"w": torch.tensor([float(value)])}


def test_the_best_are_kept(tmp_path: Path) -> None:
    """Of five, the three with the best scores; their files alone are there."""
    kept = Snapshots(tmp_path, 3)
    for step, score in ((1, 5.0), (2, 1.0), (3, 4.0), (4, 6.0), (5, 2.0)):
        kept.add(step, score, weights(step))
    assert kept.scores == {1: 5.0, 3: 4.0, 4: 6.0}
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"step-{n}.safetensors" for n in (1, 3, 4)]
    assert kept.best == 4
    assert kept.load(4)["w"].item() == 4.0
    assert abs(kept.mean()["w"].item() - (1 + 3 + 4) / 3) < 1e-6


def test_of_equal_scores_the_first_is_the_best(tmp_path: Path) -> None:
    """A training that no longer learns keeps what it had."""
    kept = Snapshots(tmp_path, 2)
    for step in (1, 2):
        kept.add(step, 0.0, weights(step))
    assert kept.best == 1


def test_the_mean_keeps_the_type() -> None:
    """Sums are float64, so the mean of bfloat16 weights is rounded once."""
    found = mean([{"w": torch.tensor([1.0, 3.0], dtype=torch.bfloat16)}] * 3)["w"]
    assert found.dtype == torch.bfloat16
    assert found.tolist() == [1.0, 3.0]
