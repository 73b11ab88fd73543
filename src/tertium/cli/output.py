"""How a command prints: a table in the format asked for, to standard output, as UTF-8."""

import sys

import typer

from tertium.errors import TertiumError, UnknownName
from tertium.report.tables import FORMATS, Table, render

# How a shell reports a process that Ctrl-C ended, and one that wrote to a closed pipe.
INTERRUPTED = 130
BROKEN_PIPE = 141


def check_format(format: str | None) -> None:
    """Refuse an unknown format before the work, not after it."""
    if format is not None and format not in FORMATS:
        raise UnknownName("output format", format, FORMATS)


def chosen(format: str | None) -> str:
    """The format asked for; else one for eyes on a terminal and one for programs in a pipe."""
    return format or ("table" if sys.stdout.isatty() else "tsv")


def show(table: Table, format: str | None, decimals: int | None = None) -> None:
    """Print a table in the format asked for."""
    say(render(table, chosen(format), decimals))


def show_numbers(table: Table, scores: int, decimals: int | None) -> None:
    """Print the scores alone, which are the last cells of each row."""
    for row in table.rows:
        say("\t".join(f"{cell:.{1 if decimals is None else decimals}f}" for cell in row[-scores:]))


def say(text: str) -> None:
    """Print a text; a character that the terminal's encoding lacks is written as an escape.

    Once whoever read the output has closed it, there is nothing left to do.
    """
    try:
        try:
            print(text)
        except UnicodeEncodeError:
            encoding = sys.stdout.encoding or "ascii"
            print(text.encode(encoding, "backslashreplace").decode(encoding))
    except BrokenPipeError:
        raise typer.Exit(BROKEN_PIPE) from None
    except OSError as error:
        raise _unwritten(error) from None


def flush() -> None:
    """Write what is still held back; a full disk is heard of only then."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritten(error) from None


def _unwritten(error: OSError) -> TertiumError:
    return TertiumError(f"standard output cannot be written: {error.strerror}")
