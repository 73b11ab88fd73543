"""Tables as text: every format, odd characters, odd numbers."""

import csv
import io
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tertium.errors import UnknownName
from tertium.report.tables import FORMATS, Column, Table, render

TABLE = Table(
    (Column("system"), Column("bleu"), Column("p", decimals=3)),
    [["50%_A & B|C", 33.26, None], ["系统", 7.0, 0.0125]],
    notes=("a note",),
)


def test_a_drawn_table_aligns_and_rounds() -> None:
    """Texts stand left, numbers right, a missing one is blank; a column may have decimals of its own."""
    assert render(TABLE, "table").split("\n") == [
        "system       bleu      p",
        "────────────────────────",
        "50%_A & B|C  33.3",
        "系统          7.0  0.013" if f"{0.0125:.3f}" == "0.013" else "系统          7.0  0.012",
        "",
        "a note",
    ]
    assert "33.2600" in render(TABLE, "table", 4)


def test_markdown_is_a_pipe_table_that_lines_up() -> None:
    """A pipe inside a cell is escaped, numbers are aligned right."""
    assert render(TABLE, "markdown").split("\n") == [
        "| system       | bleu |     p |",
        "| ------------ | ---: | ----: |",
        r"| 50%_A & B\|C | 33.3 |       |",
        f"| 系统         |  7.0 | {0.0125:.3f} |",
        "",
        "a note",
    ]


def test_latex_escapes_its_special_characters() -> None:
    """The rows can be pasted into a paper."""
    text = render(TABLE, "latex")
    assert r"50\%\_A \& B|C & 33.3 &" in text
    assert text.startswith("% a note\n\\begin{tabular}{lrr}\n\\toprule\n")
    assert text.endswith("\\bottomrule\n\\end{tabular}")
    assert render(Table((Column("a"),), [["\\~^#${}<>"]]), "latex").split("\n")[4] == (
        r"\textbackslash{}\textasciitilde{}\textasciicircum{}\#\$\{\}\textless{}\textgreater{} \\"
    )


def test_a_small_probability_is_not_drawn_as_zero() -> None:
    """Half a unit of the last decimal still rounds up to it; what is smaller is said to be so; 0 itself is 0."""
    values = [0.00012, 0.00006, 0.00004, 1e-300, 0.0]
    column = Column("p", decimals=4, never_zero=True)
    table = Table((column,), [[value] for value in values])
    assert render(table, "table").split("\n")[2:] == [" 0.0001", " 0.0001", "<0.0001", "<0.0001", " 0.0000"]
    assert r"\textless{}0.0001 \\" in render(table, "latex")
    assert [float(line) for line in render(table, "tsv").split("\n")[1:]] == values
    assert render(table, "tsv", 2).split("\n")[3] == "0.0000"  # a number, for programs


def test_tsv_has_all_digits_unless_decimals_are_asked_for() -> None:
    """A program reads back the very number; a tab inside a text cannot shift the columns."""
    third = Table((Column("a\tb"), Column("x")), [["c\td\n\u2028", 1 / 3]])
    assert render(third, "tsv") == f"a b\tx\nc d  \t{1 / 3!r}"
    assert render(third, "tsv", 2).endswith("\t0.33")


def test_json_has_all_digits_and_no_nan() -> None:
    """JSON has neither NaN nor infinity: they are null; other scripts' letters are written as they are."""
    table = Table((Column("系"), Column("x")), [["ä", 1 / 3], ["b", math.nan], ["c", math.inf], ["d", None]])
    text = render(table, "json", 1)
    assert [row["x"] for row in json.loads(text)] == [1 / 3, None, None, None]
    assert '"系": "ä"' in text
    assert json.loads(render(Table((), [], records={"rich": [1]}), "json")) == {"rich": [1]}


def test_an_unknown_format_names_its_neighbours() -> None:
    """A slip of the finger is answered with what was probably meant."""
    with pytest.raises(UnknownName, match="unknown output format 'jsn'; did you mean json"):
        render(TABLE, "jsn")


def test_wide_and_combining_characters_line_up() -> None:
    """Chinese takes two cells a character, a combining accent none: the next column begins at the same cell."""
    rows = [[text, 1.0] for text in ("ab", "中文", "e\u0301a\u0300", "한국", "ｗ", "🙂")]
    lines = render(Table((Column("x"), Column("y")), rows), "table").split("\n")
    assert {cell_len(line) for line in [lines[0], *lines[2:]]} == {cell_len(lines[1])}


def test_a_long_text_is_cut_where_a_column_says_so() -> None:
    """On a terminal only; elsewhere the text is whole. Cutting does not halve a wide character."""
    table = Table((Column("x", widest=6),), [["abcdefgh"], ["中文中文"], ["short"]])
    assert render(table, "table").split("\n")[2:] == ["abcde…", "中文…", "short"]
    assert render(table, "tsv").split("\n")[1:] == ["abcdefgh", "中文中文", "short"]


@given(st.lists(st.tuples(st.text(max_size=12), st.floats(allow_nan=True)), min_size=1, max_size=5))
def test_no_text_breaks_a_format(rows: list[tuple[str, float]]) -> None:
    """Whatever stands in a cell: as many lines as there should be, as many columns, JSON that reads back."""
    table = Table((Column("text"), Column("number")), [list(row) for row in rows])
    lengths = {name: len(render(table, name).split("\n")) for name in FORMATS if name != "json"}
    assert lengths == {"table": len(rows) + 2, "markdown": len(rows) + 2, "latex": len(rows) + 6, "tsv": len(rows) + 1}
    reader = csv.reader(io.StringIO(render(table, "tsv"), newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    assert {len(row) for row in reader} == {2}
    if all(text.isprintable() for text, _ in rows):
        assert [row["text"] for row in json.loads(render(table, "json"))] == [text for text, _ in rows]
