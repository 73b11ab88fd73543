"""What bfloat16 and int8 do to a trained model: scores, translations that differ, CPU time.

    python experiments/multi30k/precision.py MODEL [SEARCH] [--test test_2016_flickr] [--from en --to de]

SEARCH is `beam` where nothing is said. Times are of one thread, of the translation alone, the best of three.
"""

import argparse
import time
from pathlib import Path

import torch
from run import METRICS, texts

import tertium
from tertium.decoding.translator import Translator
from tertium.models.opening import open_model
from tertium.models.precision import PRECISIONS


def translated(model: Path, precision: str, search: str, source: list[str]) -> tuple[list[str], float]:
    """The translations, and the CPU seconds that they took."""
    translator, best, output = Translator(open_model(model, precision=precision), search), float("inf"), []
    for _ in range(3):
        start = time.process_time()
        output = [each[0].text for each in translator.translate(source)]
        best = min(best, time.process_time() - start)
    return output, best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("search", nargs="?", default="beam")
    parser.add_argument("--test", default="test_2016_flickr")
    parser.add_argument("--from", dest="source", default="en")
    parser.add_argument("--to", dest="target", default="de")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    source, reference = texts(arguments.test, arguments.source), texts(arguments.test, arguments.target)
    print("| precision |", " | ".join(METRICS), "| translations that differ | CPU seconds |\n" + "|---" * 6 + "|")
    exact: list[str] = []
    for precision in PRECISIONS:
        output, seconds = translated(arguments.model, precision, arguments.search, source)
        exact = exact or output
        scores = [f"{tertium.score(metric, output, reference).score:.2f}" for metric in METRICS.values()]
        differ = sum(a != b for a, b in zip(output, exact, strict=True))
        print(f"| {precision} | {' | '.join(scores)} | {differ} of {len(source)} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
