"""HTML and SVG: everything that a text says is escaped, everything that is built is well formed."""

import itertools
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.report.html import Markup, joined, page, table_of, tag
from tertium.report.line_chart import Line, line_chart, ticks
from tertium.report.tables import Column, Table

printable = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=20)


@given(printable, printable)
def test_texts_and_attributes_come_back_as_they_were(text, attribute):
    """Whatever they hold: a parser reads the same text, and no element more."""
    element = ElementTree.fromstring(tag("p", text, tag("b", "x"), title=attribute))
    assert (element.text or "", element.attrib["title"]) == (text, attribute)
    assert [child.tag for child in element] == ["b"]


def test_markup_is_not_escaped_twice():
    """Elements within elements stay elements; plain text beside them does not become one."""
    assert tag("p", tag("b", "<i>"), "<i>") == "<p><b>&lt;i&gt;</b>&lt;i&gt;</p>"
    assert joined(Markup("<br>"), "<br>") == "<br>&lt;br&gt;"
    assert tag("i", class_="a", stroke_width=2) == '<i class="a" stroke-width="2"></i>'


def test_a_table_has_its_cells_and_notes():
    """Numbers stand right and are rounded, texts are escaped."""
    table = Table((Column("<system>"), Column("bleu")), [["a&b", 33.26], ["c", None]], notes=("1 < 2",))
    element = ElementTree.fromstring(tag("div", table_of(table)))
    cells = [[cell.text or "" for cell in row] for row in element.iter("tr")]
    assert cells == [["<system>", "bleu"], ["a&b", "33.3"], ["c", ""]]
    assert [cell.attrib.get("class") for cell in element.iter("td")] == [None, "number"] * 2
    assert [note.text for note in element.iter("p")] == ["1 < 2"]


def test_a_page_loads_nothing_from_elsewhere():
    """One file: no links, no scripts, no addresses but the name of SVG's language."""
    text = page("A & B", line_chart([Line("x", [(1, 2), (2, 3)])], "a", "b"))
    assert text.startswith("<!DOCTYPE html>\n<html")
    assert "<title>A &amp; B</title>" in text
    assert "<script" not in text
    assert "<link" not in text
    assert text.replace('xmlns="http://www.w3.org/2000/svg"', "").count("http") == 0


def places(chart, name="circle"):
    root = ElementTree.fromstring(chart)
    return [
        (float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in root.iter(f"{{http://www.w3.org/2000/svg}}{name}")
    ]


def test_points_stand_where_their_numbers_say():
    """Twice the width is as far on a logarithmic axis, twice the value as far up; all within the picture."""
    dots = places(line_chart([Line("x", [(1, 10), (2, 20), (4, 40), (8, 30)])], "width", "score", logarithmic=True))
    across = [second[0] - first[0] for first, second in itertools.pairwise(dots)]
    assert across == pytest.approx([across[0]] * 3, abs=0.11)
    assert dots[0][1] - dots[2][1] == pytest.approx(3 * (dots[0][1] - dots[1][1]), abs=0.4)
    linear = places(line_chart([Line("x", [(0, 0), (10, 0), (30, 1)])], "step", "loss"))
    assert linear[2][0] - linear[0][0] == pytest.approx(3 * (linear[1][0] - linear[0][0]), abs=0.4)
    assert all(0 <= x <= 420 and 0 <= y <= 260 for x, y in dots + linear)


def test_what_is_not_finite_is_left_out():
    """A missing score makes a gap, nothing at all an error."""
    assert len(places(line_chart([Line("x", [(1, 2), (2, float("nan")), (3, 4)])], "a", "b"))) == 2
    with pytest.raises(InputError, match="at least one point"):
        line_chart([Line("x", [(1, float("nan"))])], "a", "b")
    with pytest.raises(InputError, match="logarithmic axis has no place for 0"):
        line_chart([Line("x", [(0, 1)])], "a", "b", logarithmic=True)


@given(st.floats(-1e6, 1e6), st.just(0.0) | st.floats(1e-3, 1e6))
def test_ticks_are_round_and_reach_around(low, more):
    """From the lowest value or below to the highest or above, evenly, at most eight of them."""
    high = low + more
    found = ticks(low, high)
    steps = [second - first for first, second in itertools.pairwise(found)]
    assert 2 <= len(found) <= 8
    assert steps == pytest.approx([steps[0]] * len(steps), rel=1e-6)
    slack = 1e-6 * max(1.0, abs(low), abs(high))
    assert found[0] <= low + slack
    assert found[-1] >= high - slack
