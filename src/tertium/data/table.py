"""A file of segments as named columns: what every reader returns, whatever the format.

A plain file has one column without a name; a TSV file has those of its header, a JSONL file its fields, WMT XML `src`,
`ref:A`, `sys:Online-B` and so on. Columns are read when they are asked for. A column has one stream of segments, or
several where its cells are lists of texts (several references in one field).

Some names say what a column is for, and such a column is found without being asked for by name:

    source     src, source
    reference  ref, refs, reference, references, target, and all that begin with `ref:` or `ref_`
    system     hyp, hypothesis, sys, system, mt, prediction, and all that begin with `sys:`, `hyp:`, `sys_` or `hyp_`
    doc        doc, docid, doc_id, document
    domain     domain
"""

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tertium.errors import InputError
from tertium.native import Corpus

ROLES = {
    "source": (("src", "source"), ()),
    "reference": (("ref", "refs", "reference", "references", "target"), ("ref:", "ref_")),
    "system": (
        ("hyp", "hypothesis", "sys", "system", "mt", "prediction"),
        ("sys:", "hyp:", "sys_", "hyp_"),
    ),
    "doc": (("doc", "docid", "doc_id", "document"), ()),
    "domain": (("domain",), ()),
}


@dataclass(frozen=True)
class Stream:
    """One run of segments and where it comes from.

    `name` is what to call it in a table of results, `origin` is how to spell it on the command line.
    """

    name: str
    origin: str
    segments: Corpus
    path: str
    first_line: int | None  # the line of the first segment; None where segments are not lines

    def place(self, segment: int) -> str:
        """Where a segment stands: `hyp.txt:812`."""
        if self.first_line is None:
            return f"segment {segment + 1} of {self.origin}"
        return f"{self.path}:{self.first_line + segment}"

    def texts(self) -> list[str]:
        """All segments as Python strings, an empty one where a segment is missing."""
        return [self.segments[i] or "" for i in range(len(self.segments))]


@dataclass(frozen=True)
class Table:
    """The columns of one file."""

    path: str
    names: tuple[str, ...]  # of the columns; empty for a plain file, which has one column without a name
    load: Callable[[str], tuple[Corpus, ...]]
    first_line: int | None = 1
    headless: "Table | None" = None  # the same file read as one without a header line, where the format has any

    def column(self, name: str) -> list[Stream]:
        """The streams of one column, or of all columns that a pattern such as `sys:*` matches."""
        found = [name] if name in self.names else [each for each in self.names if fnmatchcase(each, name)]
        if not found:
            known = ", ".join(self.names) or "it is plain text"
            raise InputError(f"{self.path} has no column {name!r}; its columns: {known}")
        return [stream for each in found for stream in self._streams(each)]

    def of_role(self, role: str) -> list[Stream]:
        """The streams of all columns whose name says that they are of this role."""
        exact, prefixes = ROLES[role]
        found = [each for each in self.names if each.lower() in exact or each.lower().startswith(prefixes)]
        return [stream for each in found for stream in self._streams(each)]

    def whole(self) -> Stream:
        """The one stream of a plain file."""
        return Stream(_file_name(self.path), self.path, self.load("")[0], self.path, self.first_line)

    def _streams(self, column: str) -> list[Stream]:
        corpora = self.load(column)
        origin = f"{self.path}:{column}"
        return [
            Stream(_short(column) + (f"[{r}]" if len(corpora) > 1 else ""), origin, each, self.path, self.first_line)
            for r, each in enumerate(corpora)
        ]


def _short(column: str) -> str:
    """The name without what only says the role: `sys:Online-A` is Online-A."""
    for prefix in ("sys:", "hyp:", "ref:"):
        if column.startswith(prefix) and len(column) > len(prefix):
            return column.removeprefix(prefix)
    return column


def _file_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2] or path
