"""JSON lines: an object a line, a segment each. A field has a text, or a list of texts (several references), or null.

A field that a line does not have, or null, is a missing segment, which only references may have.
"""

import json
from itertools import zip_longest
from typing import Any

from tertium.data.contents import contents, name_of
from tertium.data.table import Table
from tertium.errors import InputError
from tertium.native import Corpus, corpus, corpus_of_bytes


def read(path: str) -> Table:
    """The fields of a JSONL file, in the order in which they first appear."""
    lines = corpus_of_bytes(contents(path), name_of(path))
    objects = [_object(f"{name_of(path)}:{i + 1}", lines[i], first=i == 0) for i in range(len(lines))]
    names = tuple(dict.fromkeys(name for each in objects for name in each))
    return Table(path, names, lambda name: streams_of_cells(path, name, [each.get(name) for each in objects]))


def _object(place: str, line: str, *, first: bool) -> dict[str, Any]:
    if first:
        line = line.removeprefix("\ufeff")
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{place}: not JSON at character {error.pos + 1}: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{place}: lists or objects stand inside each other too deeply") from None
    except ValueError:  # Python's guard against numbers that take minutes to convert
        raise InputError(f"{place}: a number has thousands of digits: put texts in quotes") from None
    if not isinstance(value, dict):
        raise InputError(f"{place}: a JSON object is needed, not {type(value).__name__}")
    return value


def streams_of_cells(path: str, name: str, cells: list[Any]) -> tuple[Corpus, ...]:
    """The streams of one column whose cells are texts, lists of texts, or None."""
    places = [f"{name_of(path)}:{i + 1}: {name!r}" for i in range(len(cells))]
    lists = [
        [_text(places[i], text) for text in (cell if isinstance(cell, list) else [cell])]
        for i, cell in enumerate(cells)
    ]
    return tuple(corpus(list(stream), places.__getitem__) for stream in zip_longest(*lists))


def _text(place: str, value: Any) -> str | None:
    """A cell as text; an identifier may be a whole number."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{place} holds {type(value).__name__}, not text")
