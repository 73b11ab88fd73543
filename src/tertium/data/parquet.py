"""Parquet (extra `parquet`): a segment a row. Cells are texts, lists of texts, or null, as in JSON lines."""

import importlib
from typing import Any

from tertium.data.contents import contents
from tertium.data.jsonl import streams_of_cells
from tertium.data.table import Table
from tertium.errors import InputError, MissingExtra
from tertium.native import Corpus


def read(path: str) -> Table:
    """The columns of a Parquet file."""
    try:
        pyarrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtra(f"reading {path}", "pyarrow", "parquet") from None
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(pyarrow.py_buffer(contents(path))))
    except pyarrow.ArrowInvalid as error:
        raise InputError(f"{path} is not a Parquet file: {error}") from None

    def load(name: str) -> tuple[Corpus, ...]:
        cells: list[Any] = file.read([name]).column(name).to_pylist()
        return streams_of_cells(path, name, cells)

    return Table(path, tuple(file.schema_arrow.names), load, first_line=None)
