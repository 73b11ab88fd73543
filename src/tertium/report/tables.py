r"""Records in, text out: every table that the command line prints is laid out here.

    table     aligned columns and a rule under the heading, for eyes; notes below
    markdown  a pipe table that also lines up as plain text
    latex     a tabular with booktabs' rules; notes as comments
    tsv       a header line and a line a record, all digits, no notes: for programs
    json      a list of objects, all digits

Drawn formats round to `decimals` (or to a column's own, as p-values need more, and none of them to 0); TSV rounds only
where that is asked for, JSON never. Widths are those of a terminal: a Chinese character takes two cells, a combining
accent none.
"""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import UnknownName

FORMATS = ("json", "latex", "markdown", "table", "tsv")
DRAWN = ("latex", "markdown", "table")  # for eyes: rounded, with notes

Cell = str | int | float | None


@dataclass(frozen=True)
class Column:
    """One column: its name in every format, and what holds where it is drawn."""

    name: str
    decimals: int | None = None  # of a number; None: as asked for
    widest: int | None = None  # in cells of a terminal; longer texts are cut in `table`
    never_zero: bool = False  # a number too small for the decimals is "<0.0001": a probability that small is not 0


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns, notes for the reader, and fuller records for JSON where there are such."""

    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]
    notes: tuple[str, ...] = ()
    records: Any = None


def render(table: Table, format: str, decimals: int | None = None) -> str:
    r"""The text of a table in one of the formats, without a newline at its end.

    >>> print(render(Table((Column("system"), Column("bleu")), [["一号", 33.25], ["Zoë", 7.5]]), "table"))
    system  bleu
    ────────────
    一号    33.2
    Zoë      7.5
    """
    if format not in FORMATS:
        raise UnknownName("output format", format, FORMATS)
    if format == "json":
        return _json(table)
    if format == "tsv":
        return _tsv(table, decimals)
    drawn, numeric = drawn_cells(table, decimals), numeric_columns(table)
    draw = {"table": _table, "markdown": _markdown, "latex": _latex}[format]
    return draw(table, drawn, numeric)


def _too_small(cell: Cell, column: Column) -> str:
    """What stands for a number that would be rounded to 0 where that would mislead; nothing for all others."""
    if not (column.never_zero and column.decimals and isinstance(cell, float)):
        return ""
    least = 10.0**-column.decimals
    return f"<{least:.{column.decimals}f}" if 0 < cell < least / 2 else ""


def drawn_cells(table: Table, decimals: int | None = None) -> list[list[str]]:
    """The cells as they are drawn for eyes: rounded, each on one line."""
    return [
        [
            _too_small(cell, column) or _drawn(cell, 1 if decimals is None else decimals, column)
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]


def numeric_columns(table: Table) -> list[bool]:
    """Which columns hold numbers, and stand right."""
    return [
        any(isinstance(row[j], (int, float)) for row in table.rows)
        and all(row[j] is None or isinstance(row[j], (int, float)) for row in table.rows)
        for j in range(len(table.columns))
    ]


def _drawn(cell: Cell, decimals: int, column: Column) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        if math.isnan(cell):
            return "–"
        return f"{cell:.{decimals if column.decimals is None else column.decimals}f}"
    return one_line(str(cell))


def one_line(text: str) -> str:
    r"""A text that stays in its cell: tabs, line breaks and other control characters become spaces.

    >>> one_line("a\tb\u2028c")
    'a b c'
    """
    if text.isprintable():
        return text
    return "".join(" " if unicodedata.category(character) in ("Cc", "Zl", "Zp") else character for character in text)


def _padded(text: str, width: int, right: bool) -> str:
    from rich.cells import cell_len  # knows how wide every character is on a terminal

    space = " " * (width - cell_len(text))
    return space + text if right else text + space


def _widths(heading: Sequence[str], rows: Sequence[Sequence[str]], least: int = 0) -> list[int]:
    from rich.cells import cell_len

    return [max([least, cell_len(name), *(cell_len(row[j]) for row in rows)]) for j, name in enumerate(heading)]


def _cut(text: str, column: Column) -> str:
    from rich.cells import cell_len, set_cell_size

    if column.widest is None or cell_len(text) <= column.widest:
        return text
    return set_cell_size(text, column.widest - 1).rstrip() + "…"


def _table(table: Table, drawn: list[list[str]], numeric: list[bool]) -> str:
    heading = [one_line(column.name) for column in table.columns]
    drawn = [[_cut(text, column) for text, column in zip(row, table.columns, strict=True)] for row in drawn]
    widths = _widths(heading, drawn)
    lines = [
        "  ".join(_padded(text, width, right) for text, width, right in zip(row, widths, numeric, strict=True)).rstrip()
        for row in (heading, *drawn)
    ]
    lines.insert(1, "─" * (sum(widths) + 2 * (len(widths) - 1)))
    return "\n".join([*lines, *([""] if table.notes else []), *table.notes])


def _markdown(table: Table, drawn: list[list[str]], numeric: list[bool]) -> str:
    heading = [one_line(column.name).replace("|", r"\|") for column in table.columns]
    rows = [[cell.replace("|", r"\|") for cell in row] for row in drawn]
    widths = _widths(heading, rows, least=3)
    rule = ["-" * (width - 1) + (":" if right else "-") for width, right in zip(widths, numeric, strict=True)]
    cells = [
        [_padded(text, width, right) for text, width, right in zip(row, widths, numeric, strict=True)]
        for row in (heading, rule, *rows)
    ]
    notes = [f"\n{note}" for note in table.notes]
    return "\n".join([*(f"| {' | '.join(row)} |" for row in cells), *notes])


LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{special: f"\\{special}" for special in "&%$#_{}"},
}


def latex_text(text: str) -> str:
    r"""Text with LaTeX's special characters escaped.

    >>> latex_text("50% of A_1 & B")
    '50\\% of A\\_1 \\& B'
    """
    return "".join(LATEX.get(character, character) for character in text)


def _latex(table: Table, drawn: list[list[str]], numeric: list[bool]) -> str:
    heading = [latex_text(one_line(column.name)) for column in table.columns]
    rows = [[latex_text(cell) for cell in row] for row in drawn]
    widths = _widths(heading, rows)
    body = [
        " & ".join(_padded(text, width, right) for text, width, right in zip(row, widths, numeric, strict=True))
        + r" \\"
        for row in (heading, *rows)
    ]
    return "\n".join(
        [
            *(f"% {note}" for note in table.notes),
            rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in numeric)}}}",
            r"\toprule",
            body[0],
            r"\midrule",
            *body[1:],
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _tsv(table: Table, decimals: int | None) -> str:
    def text(cell: Cell, column: Column) -> str:
        if isinstance(cell, float):
            return repr(cell) if decimals is None else _drawn(cell, decimals, column)
        return "" if cell is None else one_line(str(cell))

    heading = [one_line(column.name) for column in table.columns]
    rows = [[text(cell, column) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]
    return "\n".join("\t".join(row) for row in (heading, *rows))


def _json(table: Table) -> str:
    import json  # not needed by any other format

    records = table.records
    if records is None:
        names = [column.name for column in table.columns]
        records = [dict(zip(names, row, strict=True)) for row in table.rows]
    return json.dumps(_plain(records), ensure_ascii=False, indent=1)


def _plain(value: Any) -> Any:
    """A value that JSON has: NaN and infinity, which it has not, become null; tuples and arrays become lists."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return value
