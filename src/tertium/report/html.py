"""HTML that escapes by itself: elements are built by functions, texts are escaped unless they are `Markup` already.

A page is one file: styles are within it, pictures are SVG within it, nothing is loaded from elsewhere.
"""

from html import escape

from tertium.report.tables import Table, drawn_cells, numeric_columns, one_line

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 70rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5rem 0; }
th, td { padding: .2rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #888; } .number { text-align: right; white-space: nowrap; }
.note { color: #555; font-size: .9rem; overflow-wrap: anywhere; } .charts { display: flex; flex-wrap: wrap; gap: 1rem; }
.scroll { overflow-x: auto; } svg text { font: 12px system-ui, sans-serif; fill: #333; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } th, td { border-color: #444; }
  .note { color: #aaa; } svg text { fill: #ccc; } }
"""


class Markup(str):
    """Text that is HTML already."""


def tag(name: str, *content: object, **attributes: object) -> Markup:
    """An element: what is no `Markup` is escaped; `class_` is `class`, `stroke_width` is `stroke-width`.

    >>> tag("p", "1 < 2 ", tag("b", "&"), class_="note")
    '<p class="note">1 &lt; 2 <b>&amp;</b></p>'
    """
    said = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    return Markup(f"<{name}{said}>{joined(*content)}</{name}>")


def joined(*content: object) -> Markup:
    """Pieces side by side, each escaped unless it is `Markup`."""
    return Markup("".join(each if isinstance(each, Markup) else escape(str(each)) for each in content))


def table_of(table: Table, decimals: int | None = None) -> Markup:
    """A table with its notes below."""
    classes = [{"class_": "number"} if number else {} for number in numeric_columns(table)]
    heading = [tag("th", one_line(column.name), **said) for column, said in zip(table.columns, classes, strict=True)]
    rows = [
        tag("tr", *(tag("td", cell, **said) for cell, said in zip(row, classes, strict=True)))
        for row in drawn_cells(table, decimals)
    ]
    drawn = tag("table", tag("thead", tag("tr", *heading)), tag("tbody", *rows))
    return joined(tag("div", drawn, class_="scroll"), *(tag("p", note, class_="note") for note in table.notes))


def page(title: str, *body: object) -> str:
    """A whole page.

    >>> page("A & B", tag("p", "text")).startswith("<!DOCTYPE html>")
    True
    """
    head = joined(
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        tag("title", title),
        tag("style", Markup(STYLE)),
    )
    whole = tag("html", tag("head", head), tag("body", tag("h1", title), *body), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"
