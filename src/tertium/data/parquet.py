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
    damage = (pyarrow.ArrowException, OSError)  # a file may be whole at its ends and damaged in between
    data = contents(path)
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(pyarrow.py_buffer(data)))
    except damage as error:
        raise InputError(f"{path} is not a Parquet file: {_one_line(error)}") from None

    def load(name: str) -> tuple[Corpus, ...]:
        try:
            cells: list[Any] = file.read([name]).column(name).to_pylist()
        except damage as error:
            raise InputError(f"{path}: column {name!r} cannot be read: {_one_line(error)}") from None
        return streams_of_cells(path, name, cells)

    return Table(path, tuple(file.schema_arrow.names), load, first_line=None)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
