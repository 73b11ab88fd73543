"""The text that the benchmarks score: WMT22 from the real data set, and its extension to as many lines as wanted.

`TERTIUM_DATA` names the data set's folder; without it `../shared/data` beside the project is tried.
"""

import gzip
import os
import sys
from functools import lru_cache
from itertools import count
from pathlib import Path

FOLDER = Path(os.environ.get("TERTIUM_DATA") or Path(__file__).parents[2] / "shared" / "data")


def available() -> bool:
    """Is the real data there?"""
    return FOLDER.is_dir()


@lru_cache(maxsize=4)
def columns(pair: str = "de-en", year: str = "wmt22") -> dict[str, list[str]]:
    """The columns of a language pair: `src`, `ref:<name>`, `sys:<name>`, `doc`, `domain`."""
    path = FOLDER / year / f"{pair}.text.tsv.gz"
    if not path.exists():
        sys.exit(f"the benchmarks score {path}, which is not there: name the data set's folder in TERTIUM_DATA")
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.split("\t") for line in file.read().split("\n") if line]
    return dict(zip(rows[0], (list(column) for column in zip(*rows[1:], strict=True)), strict=True))


def systems(pair: str = "de-en", year: str = "wmt22") -> dict[str, list[str]]:
    """System name -> its translations."""
    return {name[4:]: texts for name, texts in columns(pair, year).items() if name.startswith("sys:")}


def references(pair: str = "de-en", year: str = "wmt22") -> dict[str, list[str]]:
    """Reference name -> its texts."""
    return {name[4:]: texts for name, texts in columns(pair, year).items() if name.startswith("ref:")}


def texts(pair: str = "de-en", year: str = "wmt22") -> tuple[list[str], list[str]]:
    """The first system and the first reference of a pair."""
    return next(iter(systems(pair, year).values())), next(iter(references(pair, year).values()))


@lru_cache(maxsize=2)
def extended(lines: int) -> tuple[list[str], list[str]]:
    """WMT22 de-en made longer: `lines` hypotheses, no two alike, and their references.

    Line (i, shift) is the first half of segment i's words followed by the second half of segment i + shift's, in the
    hypothesis and in the reference alike. So lengths, vocabulary and the share of matches stay those of real
    translations, while no line repeats: a cache of lines helps nobody. The order is fixed; nothing is random.
    """
    hypotheses, reference = texts()
    halves = [[halved(text) for text in stream] for stream in (hypotheses, reference)]
    size = len(hypotheses)
    seen: set[str] = set()
    made: tuple[list[str], list[str]] = ([], [])
    for shift in count():
        for i in range(size):
            j = (i + shift) % size
            hypothesis, other = (f"{stream[i][0]} {stream[j][1]}".strip() for stream in halves)
            if hypothesis in seen:
                continue
            seen.add(hypothesis)
            made[0].append(hypothesis)
            made[1].append(other)
            if len(made[0]) == lines:
                return made
    raise AssertionError("unreachable")


def halved(text: str) -> tuple[str, str]:
    """The first half of a text's words and the second one."""
    words = text.split(" ")
    middle = (len(words) + 1) // 2
    return " ".join(words[:middle]), " ".join(words[middle:])


def written(lines: int, folder: Path) -> tuple[Path, Path]:
    """The extension as two files of one line a segment."""
    paths = folder / f"hypotheses.{lines}.txt", folder / f"references.{lines}.txt"
    for path, stream in zip(paths, extended(lines), strict=True):
        path.write_text("".join(f"{text}\n" for text in stream), encoding="utf-8")
    return paths
