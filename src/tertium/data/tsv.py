r"""Tab-separated columns: a header line with the columns' names, then a segment a line.

There is no quoting and there are no escapes: a cell ends at a tab or at the end of its line. A column asked for by
number (`file.tsv:2`, as in `cut -f 2`) is of a file without a header line. Cells are spans of the file and never become
Python strings.
"""

from tertium.data.contents import Bytes, contents, name_of
from tertium.data.table import Table
from tertium.errors import InputError
from tertium.native import Corpus, corpus_of_bytes, corpus_of_column


def read(path: str) -> Table:
    """The columns of a TSV file."""
    data = contents(path)
    names = _cells_of_first_line(name_of(path), data)
    numbers = tuple(str(number) for number in range(1, len(names) + 1))
    headless = _table(path, data, numbers, skipped=0)
    return _table(path, data, tuple(names), skipped=1, headless=headless)


def _table(path: str, data: Bytes, names: tuple[str, ...], skipped: int, headless: Table | None = None) -> Table:
    def load(column: str) -> tuple[Corpus, ...]:
        if names.count(column) > 1:  # in a file without a header line equal cells are no mistake
            raise InputError(f"{name_of(path)}:1: two columns are called {column!r}: rename one")
        return (corpus_of_column(data, name_of(path), names.index(column), width=len(names), skipped=skipped),)

    return Table(path, names, load, first_line=1 + skipped, headless=headless)


def _cells_of_first_line(name: str, data: Bytes) -> list[str]:
    end = data.find(b"\n")
    line = data[: end if end >= 0 else len(data)]
    return str(corpus_of_bytes(line + b"\n", name)[0]).removeprefix("\ufeff").removesuffix("\r").split("\t")
