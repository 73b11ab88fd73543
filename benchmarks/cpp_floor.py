"""Distance from bare C++ that only reads, tokenizes, hashes, counts and clips (`floor/floor.cpp`).

Both sides read the same two files and use one thread: ours is the whole way from file to score through the Python API.
The sums of matches of both are compared first, so that the floor is known to do the same job.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import wmt22
from measure import Row, cpu, share

import tertium
from tertium import native

HERE = Path(__file__).parent
BARS = {"bleu": 1.6, "chrf": 1.6, "chrf++": 1.6}
SPELLINGS = {"bleu": "bleu", "chrf": "chrf", "chrf++": "chrf:words=2"}


def compiled(name: str, folder: Path) -> Path:
    """The compiled program `floor/<name>.cpp`."""
    program = folder / name
    command = ["g++", "-std=c++20", "-O3", "-march=x86-64-v2", f"-I{HERE.parent / 'cpp'}", "-o", str(program)]
    subprocess.run([*command, str(HERE / "floor" / f"{name}.cpp")], check=True)
    return program


def rows(full: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compiled("floor", folder)
        for file, lines in zip(("hypotheses", "reference"), wmt22.texts(), strict=True):
            (folder / file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        paths = [folder / "hypotheses", folder / "reference"]
        for metric, spelling in SPELLINGS.items():
            floors, ours = [], []
            for _ in range(3):
                output = subprocess.run(
                    [program, *paths, metric, "40"], check=True, capture_output=True, text=True
                ).stdout
                seconds, *matches = output.split()
                floors.append(float(seconds))
                ours.append(cpu(lambda spelling=spelling: scored(spelling, paths), repeat=20))
            columns = dict(zip(scored(spelling, paths).metric.columns, scored(spelling, paths).total, strict=True))
            counted = [int(count) for column, count in columns.items() if "matches" in column]
            if counted != [int(count) for count in matches][: len(counted)]:
                raise AssertionError(f"the floor counts {matches}, Tertium {counted}")
            yield share(f"{metric}, files to score", "bare C++", min(ours), min(floors), BARS[metric])


def scored(spelling: str, paths: list[Path]) -> tertium.Result:
    """One system scored from files, all statistics and the score computed."""
    hypotheses, reference = (native.corpus_of_file(path) for path in paths)
    result = tertium.score(spelling, hypotheses, reference, threads=1)
    assert result.score > 0
    return result
