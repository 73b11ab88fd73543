"""A file that is written record by record over hours, and goes on where an interruption left it.

Records go to FILE.part, each whole before the next; FILE.part.json says what made them. FILE itself appears when all
is done. Records of another making are never mixed in.

A record is a line; or, where lines are numbered (`7<TAB>...`), all lines of one number. Then the last record of a
FILE.part may lack some of its lines, and is made again.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tertium.errors import InputError


class ResumableFile:
    """The file under its name-to-be; `records` of it are there already.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "out.txt"
    >>> with ResumableFile(path, {"model": "m"}) as file:
    ...     file.write(["one"])
    ...     file.finish()
    >>> path.read_text()
    'one\\n'
    """

    def __init__(self, path: str | Path, making: dict[str, Any], *, numbered: bool = False) -> None:
        self.path = Path(path)
        self.part = self.path.with_name(self.path.name + ".part")
        self.making = self.path.with_name(self.path.name + ".part.json")
        if self.path.exists():
            raise InputError(f"{self.path} is there already: name another file, or delete it")
        self.records = 0
        if self.part.exists() and self.making.exists():
            self._check(making)
            self.records = self._whole_records(numbered)
        try:
            self.making.write_text(json.dumps(making, indent=1) + "\n", encoding="utf-8")
            mode = "a" if self.records else "w"
            self._file: IO[str] = open(self.part, mode, encoding="utf-8", newline="\n")  # noqa: SIM115 (closed by exit)
        except OSError as error:
            raise InputError(f"{self.path} cannot be written: {error.strerror}") from None

    def write(self, lines: Sequence[str]) -> None:
        """Add a record; it is in the file when this returns."""
        self._file.write("".join(f"{line}\n" for line in lines))
        self._file.flush()
        self.records += 1

    def finish(self) -> None:
        """All records are there: the file gets its name."""
        self._file.close()
        self.part.replace(self.path)
        self.making.unlink()

    def __enter__(self) -> "ResumableFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()

    def _check(self, making: dict[str, Any]) -> None:
        try:
            before = json.loads(self.making.read_text(encoding="utf-8"))
        except ValueError:
            before = {}
        for name, value in making.items():
            if before.get(name) != value:
                raise InputError(
                    f"{self.part} was begun with {name} {before.get(name)!r}, not {value!r}: name another file, or "
                    "delete it to start anew"
                )

    def _whole_records(self, numbered: bool) -> int:
        """How many records are whole; the rest is cut off."""
        lines = self.part.read_bytes().split(b"\n")[:-1]  # what follows the last line break is no whole line
        records = len(lines)
        if numbered and lines:
            last = lines[-1].split(b"\t")[0]
            lines = lines[: next(place for place, line in enumerate(lines) if line.split(b"\t")[0] == last)]
            records = int(last) - 1
        with open(self.part, "r+b") as file:
            file.truncate(sum(len(line) + 1 for line in lines))
        return records
