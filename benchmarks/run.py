"""Run all benchmarks, or those named: `python benchmarks/run.py bleu chrf`. Ends with 1 where a bar was missed.

A benchmark is a file of this folder with a function `rows(full)`; its docstring's first sentence is the table's title.
`--full` also runs the peers' longest jobs (minutes and gigabytes), which are otherwise estimated from fewer lines.
"""

import argparse
import importlib
import platform
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).parent
FRAME = {"measure", "run", "translators", "wmt22"}


def names() -> list[str]:
    """Every benchmark there is."""
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in FRAME)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", nargs="*", choices=[[], *names()], metavar="BENCHMARK", help=", ".join(names()))
    parser.add_argument("--full", action="store_true", help="run the peers' longest jobs too")
    arguments = parser.parse_args()

    sys.path.insert(0, str(HERE))
    import measure

    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    missed = []
    for name in arguments.benchmark or names():
        module = importlib.import_module(name)
        title = (module.__doc__ or name).strip().split("\n")[0].rstrip(".")
        try:
            fine = measure.print_table(f"{name}: {title}", module.rows(arguments.full))
        except Exception:  # the other benchmarks shall still run
            traceback.print_exc()
            fine = False
        if not fine:
            missed.append(name)
    print(f"\nmissed a bar: {', '.join(missed)}" if missed else "\nevery bar was met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
