"""Any program as an engine: a text a line on its standard input, a translation a line on its standard output.

The program is started once for every so many lines, without a shell (`bash -c "..."` is a command, too). Lines end with
a line feed and nothing else: other characters that some take for line ends (U+2028, a carriage return) go through as
they are. That there are as many lines out as in is checked. A program that runs too long is ended together with
whatever it has started, and so it is when we are interrupted.
"""

import os
import shlex
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.errors import InputError, MissingFile, OptionError, TertiumError
from tertium.models.engine import worded


@dataclass(frozen=True)
class Command:
    """A program that translates line by line.

    >>> Command("tr a-z A-Z").translate(["a cat", "", "and a dog"])
    ['A CAT', '', 'AND A DOG']
    """

    command: str
    lines: int = 1000  # at most so many a run
    timeout: float | None = None  # seconds that a run may take; None: any time

    def __post_init__(self) -> None:
        try:
            arguments = shlex.split(self.command)
        except ValueError as error:
            raise OptionError(f"{self._named} cannot be read: {error}") from None
        if not arguments:
            raise OptionError("there is no command: write command:PROGRAM ARGUMENTS")
        if self.lines < 1 or (self.timeout is not None and self.timeout <= 0):
            raise OptionError(f"{self._named}: lines={self.lines} must be 1 or more, timeout={self.timeout} above 0")

    @property
    def _named(self) -> str:
        return f"command {self.command!r}"

    def translate(self, texts: Sequence[str]) -> list[str]:
        """The translation of each text; texts without words are not sent and come back as they are."""
        translations = list(texts)
        places = worded(texts)
        for first in range(0, len(places), self.lines):
            some = places[first : first + self.lines]
            for place, line in zip(some, self._run([_line(texts[place], place) for place in some]), strict=True):
                translations[place] = line
        return translations

    def _run(self, lines: Sequence[bytes]) -> list[str]:
        """One run of the program."""
        out, complaint, code = self._outcome(b"".join(lines))
        said = f": {complaint}" if complaint else ""
        if code:
            ended = f"was ended by signal {-code}" if code < 0 else f"failed with exit code {code}"
            raise TertiumError(f"{self._named} {ended}{said}")
        found = out.removesuffix(b"\n").split(b"\n") if out else []
        if len(found) != len(lines):
            raise TertiumError(f"{self._named} gave {len(found)} lines for {len(lines)} texts{said}")
        return [self._text(line, number) for number, line in enumerate(found, 1)]

    def _outcome(self, given: bytes) -> tuple[bytes, str, int]:
        """What the program prints, its complaints in one line, and its exit code."""
        pipe = subprocess.PIPE
        program = shlex.split(self.command)
        try:
            process = subprocess.Popen(program, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        except FileNotFoundError:
            raise MissingFile(f"{self._named}: there is no program {program[0]!r} on this machine") from None
        except OSError as error:
            raise TertiumError(f"{self._named} cannot be run: {error.strerror}") from None
        try:
            out, complaints = process.communicate(given, self.timeout)
        except subprocess.TimeoutExpired:
            _end(process)
            raise TertiumError(f"{self._named} took longer than {self.timeout:g} seconds and was ended") from None
        except BaseException:
            _end(process)
            raise
        return out, _in_one_line(complaints), process.returncode

    def _text(self, line: bytes, number: int) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{self._named}: line {number} of its output is not UTF-8") from None


def _line(text: str, place: int) -> bytes:
    """A text as a line."""
    if "\n" in text:
        raise InputError(f"text {place + 1} has a line feed in it; a command is given a line a text: take it out")
    try:
        return f"{text}\n".encode()
    except UnicodeEncodeError:
        raise InputError(f"text {place + 1} has half a character (a surrogate): it cannot be written") from None


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a program and all that it started: its process group is its own."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _in_one_line(complaints: bytes) -> str:
    """The first line, where some say what is wrong, and the last, where others do."""
    lines = [line.strip() for line in complaints.decode("utf-8", "replace").splitlines() if line.strip()]
    return " ... ".join(line[:200] for line in (lines if len(lines) < 3 else (lines[0], lines[-1])))
