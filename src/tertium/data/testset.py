"""A test set: what is translated, by whom, and what it should have been.

Files are spelled `PATH` or `PATH:COLUMN`. The path ends at the first colon before which there is such a file, so that
columns may have colons themselves (`de-en.tsv:sys:Online-A`), and a file whose name has a colon is found too. A column
may be a pattern (`de-en.tsv:sys:*`). `PATH` alone of a format with columns means all columns of the role at hand, see
`tertium.data.table`.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tertium import registry
from tertium.data.contents import COMPRESSED, name_of
from tertium.data.table import Stream, Table
from tertium.errors import InputError, MissingFile
from tertium.native import Corpus

SUFFIXES = {
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".xml": "xml",
    ".parquet": "parquet",
}


@dataclass(frozen=True)
class TestSet:
    """Segments side by side: references, systems' outputs, and, where known, source, documents and domains.

    >>> import tertium.data.sample
    >>> sample = tertium.data.sample.test_set()
    >>> len(sample), list(sample.systems)
    (18, ['Amsel', 'Drossel', 'Fink'])
    """

    references: Mapping[str, Corpus]
    systems: Mapping[str, Corpus]
    source: Corpus | None = None
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None

    __test__: ClassVar[bool] = False  # not a test, whatever pytest thinks of the name

    def __len__(self) -> int:
        return len(next(iter({**self.references, **self.systems}.values())))


def format_of(path: str) -> str:
    """The format that a file's suffix says, a compression's suffix aside.

    >>> format_of("wmt22.tsv.gz"), format_of("hyp.de")
    ('tsv', 'plain')
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    while suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    return SUFFIXES.get(suffixes[-1], "plain") if suffixes else "plain"


def split_spelling(spelling: str) -> tuple[str, str | None]:
    """Path and column of `PATH` or `PATH:COLUMN`, cut where a file exists."""
    if spelling == "-" or os.path.exists(spelling):
        return spelling, None
    for at, character in enumerate(spelling):
        if character == ":" and (spelling[:at] == "-" or os.path.exists(spelling[:at])):
            return spelling[:at], spelling[at + 1 :]
    raise MissingFile(f"there is no file {spelling}")


class Files:
    """Reads files, each once; `format` overrides what their suffixes say."""

    def __init__(self, format: str | None = None) -> None:
        self.format = format
        self._tables: dict[str, Table] = {}

    def table(self, path: str) -> Table:
        """The columns of a file."""
        if path not in self._tables:
            self._tables[path] = registry.load("format", self.format or format_of(path))(path)
        return self._tables[path]

    def streams(self, spelling: str, role: str) -> list[Stream]:
        """The streams that a spelling names, taken for a role: source, reference, system, doc or domain."""
        path, column = split_spelling(spelling)
        table = self.table(path)
        if not table.names:
            if column is None:
                return [table.whole()]
            raise InputError(
                f"{path} is read as plain text, which has no column {column!r}: say its format, such as tsv or jsonl"
            )
        if column is not None:
            if column.isdigit() and column not in table.names and table.headless:
                table = table.headless
            return table.column(column)
        if len(table.names) == 1:
            return table.column(table.names[0])
        found = table.of_role(role)
        if found:
            return found
        raise InputError(
            f"{path} has no column whose name says {role}; choose one as {path}:COLUMN of: {', '.join(table.names)}"
        )

    def labels(self, spelling: str, beside: Sequence[str]) -> Stream:
        """The group of each segment: `doc` or `domain` of the first file beside that has it, or any file of labels."""
        if spelling in ("doc", "domain"):
            for path in dict.fromkeys(split_spelling(each)[0] for each in beside):
                found = self.table(path).of_role(spelling)
                if found:
                    return found[0]
            if not os.path.exists(spelling):
                raise InputError(f"no file given has a column {spelling!r}: say where it is, FILE or FILE:COLUMN")
        return self.streams(spelling, spelling)[0]


def read_test_set(
    references: Sequence[str],
    systems: Sequence[str],
    *,
    source: str | None = None,
    documents: str | None = None,
    domains: str | None = None,
    format: str | None = None,
) -> TestSet:
    """The test set of files that are spelled `PATH` or `PATH:COLUMN`; all must have the same number of segments."""
    files = Files(format)
    reference_streams = [each for spelling in references for each in files.streams(spelling, "reference")]
    system_streams = [each for spelling in systems for each in files.streams(spelling, "system")]
    source_stream = files.streams(source, "source")[0] if source else None
    beside = [*references, *systems]
    document_stream = files.labels(documents, beside) if documents else None
    domain_stream = files.labels(domains, beside) if domains else None
    others = [each for each in (source_stream, document_stream, domain_stream) if each]
    check_lengths([*reference_streams, *system_streams, *others])
    for stream in system_streams:
        _check_complete(stream)
    _check_references(reference_streams)
    return TestSet(
        references=_named(reference_streams),
        systems=_named(system_streams),
        source=source_stream.segments if source_stream else None,
        documents=tuple(document_stream.texts()) if document_stream else None,
        domains=tuple(domain_stream.texts()) if domain_stream else None,
    )


def check_lengths(streams: Sequence[Stream]) -> None:
    """Refuse streams without segments, or of different length; say where the first without a partner stands."""
    lengths = [len(stream.segments) for stream in streams]
    if 0 in lengths:
        raise InputError(f"{name_of(streams[lengths.index(0)].origin)} has no segments")
    if len(set(lengths)) <= 1:
        return
    usual = Counter(lengths).most_common(1)[0][0] if len(streams) > 2 else lengths[0]
    odd = next(stream for stream in streams if len(stream.segments) != usual)
    other = next(stream for stream in streams if len(stream.segments) == usual)
    shorter, longer = sorted((odd, other), key=lambda stream: len(stream.segments))
    sizes = [f"{name_of(each.origin)} has {len(each.segments)} segments" for each in (odd, other)]
    raise InputError(f"{' but '.join(sizes)}: nothing pairs with {longer.place(len(shorter.segments))}")


def _check_complete(stream: Stream) -> None:
    """A system must have translated everything."""
    missing = stream.segments.missing
    if missing:
        raise InputError(f"{stream.place(missing[0])}: {stream.name} has no translation here")


def _check_references(streams: Sequence[Stream]) -> None:
    """Every segment must have a reference, though not from everyone."""
    gaps = Counter(segment for stream in streams for segment in stream.segments.missing)
    bare = [segment for segment, count in gaps.items() if count == len(streams)]
    if bare:
        raise InputError(f"{streams[0].place(min(bare))}: there is no reference for this segment")


def _named(streams: Sequence[Stream]) -> dict[str, Corpus]:
    """Streams by name; where two share one, by where they come from."""
    counts = Counter(stream.name for stream in streams)
    named: dict[str, Corpus] = {}
    for stream in streams:
        name = stream.name if counts[stream.name] == 1 else stream.origin
        if name in named:
            raise InputError(f"{name} is given twice: leave one out")
        named[name] = stream.segments
    return named
