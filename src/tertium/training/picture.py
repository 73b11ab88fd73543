"""Loss and score against steps, as a picture, from the log of a training."""

import csv
from pathlib import Path
from typing import Any

NAME = "loss.png"


def draw(work: Path) -> Path:
    """Draw `loss.png` beside the log: training and held-out loss on the left, the score on the right."""
    import matplotlib  # loaded when a training ends, not when it is imported

    matplotlib.use("agg")
    from matplotlib import pyplot

    rows = read_log(work / "log" / "metrics.csv")
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    for axis, names in ((left, {"loss": "training", "valid_loss": "held out"}), (right, {"valid_score": "held out"})):
        for name, label in names.items():
            points = [(row["step"], row[name]) for row in rows if name in row]
            axis.plot(*zip(*points, strict=True), label=label) if points else None
        axis.set_xlabel("steps")
        axis.grid(alpha=0.3)
    left.set_title("loss of a token (nats)")
    left.legend()
    right.set_title("score of held-out text")
    figure.savefig(work / NAME, dpi=120)
    pyplot.close(figure)
    return work / NAME


def read_log(path: Path) -> list[dict[str, Any]]:
    """The rows of a log, with the values that each has."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(file)]
