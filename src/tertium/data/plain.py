r"""Plain text: a segment a line, UTF-8. A line ends at "\n" and nowhere else.

A "\r" and a byte order mark stay in the text, as with sacreBLEU.
The lines are spans of the file itself (a memory map) and never become Python strings.
"""

from tertium.data.contents import contents, mappable, name_of
from tertium.data.table import Table
from tertium.native import corpus_of_bytes, corpus_of_file


def read(path: str) -> Table:
    """The one column of a plain file."""
    lines = corpus_of_file(path) if mappable(path) else corpus_of_bytes(contents(path), name_of(path))
    return Table(path, (), lambda _: (lines,))
