"""Train presets on Multi30k, translate its test sets, and put what comes out beside what was published.

    python experiments/multi30k/run.py transformer-tiny                      # one whole training, seed 1
    python experiments/multi30k/run.py lstm
    python experiments/multi30k/run.py transformer-tiny --minutes 10 --seeds 1 2 3

Models go to `runs/` beside this file (not kept in the repository), results to `results.json`, from which
`--table` prints the table again. A training that was interrupted is gone on with.
"""

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import torch

import tertium
from tertium.data.testset import Files
from tertium.decoding.translator import Translator
from tertium.models.trained import TrainedModel
from tertium.training.config import read_preset
from tertium.training.loop import train

HERE = Path(__file__).parent
DATA = Path(os.environ.get("TERTIUM_DATA") or HERE.parents[2] / "shared" / "data")
TESTS = ("test_2016_flickr", "test_2017_flickr", "test_2017_mscoco")
SEARCHES = ("greedy", "beam:width=4", "beam:width=8,alpha=1")
METRICS = {"bleu, lower-cased": "bleu:lowercase=yes", "bleu": "bleu", "chrf": "chrf"}
RESULTS = HERE / "results.json"


def column(part: str, language: str) -> str:
    """A file's column as Tertium spells it."""
    return f"{DATA}/train/multi30k.{part}.tsv.gz:{language}"


def texts(part: str, language: str) -> list[str]:
    """The lines of a column."""
    return list(Files().streams(column(part, language), "source")[0].texts())


def run(preset: str, seed: int, minutes: float | None) -> dict[str, Any]:
    """Train and test once."""
    overrides: dict[str, Any] = {
        "data.source": column("train", "en"),
        "data.target": column("train", "de"),
        "data.valid_source": column("val", "en"),
        "data.valid_target": column("val", "de"),
        "data.languages": "en-de",
        "training.seed": seed,
    }
    if minutes is not None:
        overrides["training.minutes"] = minutes
    folder = HERE / "runs" / f"{preset}-{seed}{'' if minutes is None else f'-{minutes:g}-minutes'}"
    start = time.process_time()
    trained = train(read_preset(preset, overrides), folder, shown)
    return {
        "preset": preset,
        "seed": seed,
        "asked_minutes": minutes,
        "steps": trained.steps,
        "minutes": trained.minutes,
        "cpu_minutes": (time.process_time() - start) / 60,  # of this session
        "threads": torch.get_num_threads(),
        "valid_bleu_greedy": trained.score,
        "scores": scores(TrainedModel.load(folder)),
    }


def shown(step: int, loss: float, measured: Any) -> None:
    """A line after each validation."""
    if measured is not None:
        print(f"step {step:>6}  loss {loss:.3f}  held out {measured.loss:.3f}  bleu {measured.score:.2f}", flush=True)


def scores(model: TrainedModel) -> dict[str, dict[str, dict[str, float]]]:
    """Every metric of every search on every test set."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for test in TESTS:
        source, reference = texts(test, "en"), texts(test, "de")
        for search in SEARCHES:
            output = [each[0].text for each in Translator(model, search).translate(source)]
            found.setdefault(test, {})[search] = {
                name: tertium.score(metric, output, reference).score for name, metric in METRICS.items()
            }
    return found


def table(results: list[dict[str, Any]]) -> str:
    """Our numbers, the mean and the spread where there are several seeds."""
    groups: dict[tuple[str, Any], list[dict[str, Any]]] = {}
    for each in results:
        groups.setdefault((each["preset"], each["asked_minutes"]), []).append(each)
    lines = ["| preset | seeds | minutes | test | search | " + " | ".join(METRICS) + " |", "|---" * 8 + "|"]
    for (preset, asked), members in groups.items():
        minutes = f"{statistics.mean(each['minutes'] for each in members):.0f}" if asked is None else f"{asked:g}"
        for test in TESTS:
            for search in SEARCHES:
                cells = [spread([each["scores"][test][search][name] for each in members]) for name in METRICS]
                lines.append(f"| {preset} | {len(members)} | {minutes} | {test} | {search} | {' | '.join(cells)} |")
    return "\n".join(lines)


def spread(values: list[float]) -> str:
    """A mean, and the standard deviation of several.

    >>> spread([1.0]), spread([1.0, 2.0, 3.0])
    ('1.00', '2.00 ± 1.00')
    """
    mean = f"{statistics.mean(values):.2f}"
    return mean if len(values) == 1 else f"{mean} ± {statistics.stdev(values):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", nargs="?", help="transformer-tiny or lstm")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--table", action="store_true", help="only print the table of what was found")
    arguments = parser.parse_args()
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    for seed in [] if arguments.table else arguments.seeds:
        found = run(arguments.preset, seed, arguments.minutes)
        key = ("preset", "seed", "asked_minutes")
        results = [each for each in results if any(each[name] != found[name] for name in key)] + [found]
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print(table(results))


if __name__ == "__main__":
    main()
