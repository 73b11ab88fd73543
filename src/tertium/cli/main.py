"""`tertium`: the way in. Errors that a user can mend are one line on standard error and exit code 2.

Ctrl-C ends with 130 and a closed pipe with 141, as a shell reports processes that such signals end; both quietly.
"""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from tertium import __version__
from tertium.cli import output
from tertium.cli.command import LazyGroup
from tertium.cli.output import BROKEN_PIPE, INTERRUPTED
from tertium.errors import TertiumError

MISUSE = 2


def _version(wanted: bool) -> None:
    if wanted:
        print(f"tertium {__version__}")
        raise typer.Exit()


def _group(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Measure machine translation, trust the measure, see why."""


def application() -> Any:
    """The command that holds all commands."""
    app = typer.Typer(
        cls=LazyGroup,
        add_completion=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_group)
    return typer.main.get_command(app)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code. The program's name alone shows the help, and is a misuse."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if not words:
        run(["--help"])
        return MISUSE
    try:
        if sys.stdout is None:
            raise TertiumError("standard output is closed: there is nowhere to print to")
        code = application().main(args=words, prog_name="tertium", standalone_mode=False)
        output.flush()
        return code if isinstance(code, int) else 0
    except TertiumError as error:
        return _refuse(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # whoever read has enough
        return BROKEN_PIPE
    except Exception as error:
        if not hasattr(error, "format_message"):  # what typer raises for a command line that cannot be parsed
            raise
        return _refuse(_misuse(error))


def _misuse(error: Any) -> str:
    message = str(error.format_message()).strip().rstrip(".")
    context = getattr(error, "ctx", None)
    where = context.command_path if context else "tertium"
    return f"{message[:1].lower()}{message[1:]}; see {where} --help"


def _refuse(message: str) -> int:
    """One line, whatever the message quotes."""
    print(f"tertium: {' '.join(message.splitlines())}", file=sys.stderr)
    return MISUSE


def main() -> None:
    """The console script: ends with the code of `run`.

    Start and end are kept short. numpy's BLAS would start a thread for each core, though nothing here multiplies large
    matrices; and a process that has printed all it has to say need not take down its modules one by one, nor wait for a
    thread that computes what Ctrl-C made useless.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = run()
    sys.stderr.flush()
    os._exit(code)
