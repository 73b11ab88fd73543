"""The command line from start to end: `tertium score` against `sacrebleu`, wall-clock time, WMT22 de-en BLEU.

Both commands are started from their scripts in this environment and read the same two plain files, in turns. Both are
compiled to bytecode first, as pip leaves an installed package; an editable installation may not be.
"""

import compileall
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import wmt22
from measure import Row, share

import tertium

TURNS = 15


def rows(full: bool) -> Iterator[Row]:
    scripts = Path(sys.executable).parent
    compileall.compile_dir(Path(tertium.__file__).parent, quiet=1)
    hypotheses, reference = wmt22.texts()
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "hypotheses.txt", Path(folder) / "reference.txt"
        for path, texts in zip(paths, (hypotheses, reference), strict=True):
            path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        files = [str(paths[1]), "-i", str(paths[0]), "-m", "bleu"]
        commands = {
            "tertium": [sys.executable, str(scripts / "tertium"), "score", *files],
            "sacrebleu": [sys.executable, "-m", "sacrebleu", *files],
        }
        for metric in ("bleu", "chrf"):
            best = dict.fromkeys(commands, float("inf"))
            for _ in range(TURNS):
                for name, command in commands.items():
                    best[name] = min(best[name], seconds([*command[:-1], metric]))
            bar = 0.4 if metric == "bleu" else None
            yield share(f"tertium score, de-en {metric}, wall", "sacrebleu", best["tertium"], best["sacrebleu"], bar)


def seconds(command: list[str]) -> float:
    """Wall-clock time of one run."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start
