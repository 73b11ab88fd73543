"""The real data set that tests compare on, where it is there.

`TERTIUM_DATA` names its folder; without it `../shared/data` beside the project is tried. Tests that need it carry
`@pytest.mark.data` and are skipped, saying so, where it is absent.
"""

import gzip
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("TERTIUM_DATA") or Path(__file__).parents[2] / "shared" / "data")


@dataclass(frozen=True)
class WmtPair:
    """The texts of one language pair of one year."""

    year: str
    languages: str
    domains: list[str]
    documents: list[str]
    source: list[str]
    references: dict[str, list[str]]
    systems: dict[str, list[str]]

    @property
    def target(self) -> str:
        return self.languages.split("-")[1]


def pairs() -> list[str]:
    """Every `year/language-pair` there is, such as wmt22/de-en."""
    found = FOLDER.glob("wmt*/**/*.text.tsv.gz")
    return sorted(str(path.relative_to(FOLDER)).removesuffix(".text.tsv.gz") for path in found)


def read_table(path: str) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a table of the data set (no quoting, lines end at a newline only)."""
    full = FOLDER / path
    if not full.exists():
        pytest.skip(f"the real data set is not there: {full} (TERTIUM_DATA names its folder)")
    opener = gzip.open if full.suffix == ".gz" else open
    with opener(full, "rt", encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")
    rows = [line.split("\t") for line in lines if line]
    return rows[0], rows[1:]


@lru_cache(maxsize=4)
def wmt(pair: str) -> WmtPair:
    """The texts of `wmt22/de-en` or another pair."""
    header, rows = read_table(f"{pair}.text.tsv.gz")
    columns = dict(zip(header, (list(column) for column in zip(*rows, strict=True)), strict=True))
    year, _, languages = pair.rpartition("/")
    return WmtPair(
        year=year,
        languages=languages,
        domains=columns["domain"],
        documents=columns["doc"],
        source=columns["src"],
        references={name[4:]: column for name, column in columns.items() if name.startswith("ref:")},
        systems={name[4:]: column for name, column in columns.items() if name.startswith("sys:")},
    )
