"""A training that takes seconds: numbers in words, a very small network."""

from pathlib import Path
from typing import Any

from tertium.data.sample import numbers
from tertium.training.config import TrainingConfig, read_training

SMALL: dict[str, Any] = {
    "model.network": "transformer:layers=1,width=16,heads=2,hidden=16,dropout=0.1",
    "vocabulary.size": 300,
    "training.tokens": 512,
    "training.steps": 6,
    "training.learning_rate": 0.01,
    "training.schedule": "schedule:shape=constant,warmup=1",
    "validation.every": 2,
    "validation.metric": "chrf",
}


def small(folder: Path, **changes: Any) -> TrainingConfig:
    """A configuration over a hundred pairs in a folder; `training__steps=8` changes [training] steps."""
    if not (folder / "numbers.toml").exists():
        numbers.write(folder)
        for part in ("train", "valid"):
            path = folder / f"numbers.{part}.tsv"
            lines = path.read_text(encoding="utf-8").split("\n")[: 101 if part == "train" else 7]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_training(folder / "numbers.toml", SMALL | {k.replace("__", "."): v for k, v in changes.items()})
