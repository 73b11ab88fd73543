"""WMT's XML: dataset, (collection), doc, then `src`, `ref` (translator) and `hyp` (system), each p and seg.

Columns: `src`, `ref:A` for translator A (`ref` where none is named), `sys:Online-B` for a system, `doc`, `domain` and
`collection` where they are given. The segments are those of `src` in the order of the file, or of the first reference
or system where a document has no source. A reference that skips one is missing there; a system that does is an error.
Documents of a test suite are left out, as sacreBLEU does. Line breaks and indentation around a text are not part of it.

Entities that the file itself defines are refused and external ones never fetched: a test set needs neither.
"""

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from tertium.data.contents import Bytes, contents
from tertium.data.table import Table
from tertium.errors import InputError
from tertium.native import Corpus, corpus


@dataclass
class Document:
    """One document as it is read: the attributes, and for each column segment id -> text."""

    labels: dict[str, str]
    columns: dict[str, dict[str, str]] = field(default_factory=dict)

    def order(self) -> list[str]:
        """The ids of its segments."""
        return list(self.columns.get("src") or next(iter(self.columns.values()), {}))


def read(path: str) -> Table:
    """The columns of a WMT XML file."""
    documents = _Reader(path).documents(contents(path))
    if not any(document.order() for document in documents):
        raise InputError(f"{path} has no <doc> with segments: is it WMT XML (dataset/collection/doc/src/p/seg)?")
    labels = [
        each for each in ("doc", "domain", "collection") if any(document.labels.get(each) for document in documents)
    ]
    texts = dict.fromkeys(name for document in documents for name in document.columns)
    names = sorted(texts, key=lambda name: {"src": 0, "ref": 1}.get(name[:3], 2))

    def load(name: str) -> tuple[Corpus, ...]:
        if name in labels:
            cells = [document.labels.get(name, "") for document in documents for _ in document.order()]
            return (corpus(cells, f"{path}:{name}"),)
        return (corpus(_column(path, name, documents), f"{path}:{name}"),)

    return Table(path, (*names, *labels), load, first_line=None)


def _column(path: str, name: str, documents: list[Document]) -> list[str | None]:
    cells: list[str | None] = []
    for document in documents:
        texts = document.columns.get(name, {})
        for segment in document.order():
            if name.startswith("sys:") and segment not in texts:
                identifier = document.labels.get("doc", "")
                raise InputError(f"{path}: {name} has no segment {segment} of document {identifier!r}")
            cells.append(texts.get(segment))
    return cells


class _Reader:
    """The parser's state while it walks through a file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[Document] = []
        self.collection = ""
        self.document: Document | None = None
        self.texts: dict[str, str] | None = None  # of the src, ref or hyp that is open
        self.segment: str | None = None  # the id of the seg that is open
        self.pieces: list[str] = []

    def documents(self, data: Bytes) -> list[Document]:
        parser = self.parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        try:
            parser.Parse(bytes(data), True)
        except expat.ExpatError as error:
            reason = expat.errors.messages[error.code]
            raise InputError(f"{self.path}:{error.lineno}: not well-formed XML: {reason}") from None
        except (LookupError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{self.path}: its encoding cannot be read ({error}): convert the file to UTF-8") from None
        return self.found

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "collection":
            self.collection = attributes.get("id", "")
        elif tag == "doc":
            labels = {
                "doc": attributes.get("id", ""),
                "domain": attributes.get("domain", ""),
                "collection": self.collection,
            }
            self.document = Document(labels)
            if "testsuite" not in attributes:
                self.found.append(self.document)
        elif self.document is not None and tag in ("src", "ref", "hyp"):
            self.texts = self.document.columns.setdefault(self._name(tag, attributes), {})
        elif tag == "seg" and self.texts is not None:
            self.segment, self.pieces = attributes.get("id", str(len(self.texts) + 1)), []
            if self.segment in self.texts:
                raise self._error(f"segment id {self.segment} stands twice in one text")

    def _name(self, tag: str, attributes: dict[str, str]) -> str:
        if tag == "hyp":
            if not attributes.get("system"):
                raise self._error("a <hyp> names no system")
            return f"sys:{attributes['system']}"
        translator = attributes.get("translator") if tag == "ref" else None
        return f"ref:{translator}" if translator else tag

    def _end(self, tag: str) -> None:
        if tag == "seg" and self.segment is not None and self.texts is not None:
            self.texts[self.segment] = re.sub(r"\s*\n\s*", " ", "".join(self.pieces).strip())
            self.segment = None
        elif tag in ("src", "ref", "hyp"):
            self.texts = None
        elif tag == "doc":
            self.document = None

    def _characters(self, text: str) -> None:
        if self.segment is not None:
            self.pieces.append(text)

    def _entity(self, name: str, *_: object) -> None:
        raise self._error(f"defines the entity {name!r}, which a test set does not need: write the text itself")

    def _error(self, message: str) -> InputError:
        return InputError(f"{self.path}:{self.parser.CurrentLineNumber}: {message}")
