"""Runs the examples of a Markdown page: what a page shows is what happens.

Two kinds of fenced block are run, in the order of the page, in one folder that holds the bundled sample as files:

- `python`: as a doctest where it has `>>>`, else as a script; the page's blocks share their names;
- `console`: each line that starts with `$` is a command, what follows is its whole output. `...` stands for anything,
  as in a doctest; `[exit 2]` as the last line is the exit code, where it is not 0.

A fenced block of another kind, or after the comment `<!-- not run: why -->`, is only shown. One after the comment
`<!-- needs: program -->` is run where the program is installed.
"""

import contextlib
import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"<!-- not run: .+ -->\s*$")
NEEDS = re.compile(r"<!-- needs: (\S+) -->\s*$")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    kind: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page that are to be run."""
    for found in FENCE.finditer(page):
        kind, text = found.groups()
        needed = NEEDS.search(page[: found.start()])
        if NOT_RUN.search(page[: found.start()]) or (needed and shutil.which(needed[1]) is None):
            continue
        if kind in ("python", "console"):
            yield Block(kind, text, page.count("\n", 0, found.start(2)) + 1)


def failures(page: Path, folder: Path) -> list[str]:
    """What the page says that is not so; empty where all is as it says."""
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong = []
    for block in blocks(page.read_text(encoding="utf-8")):
        where = f"{page.name}:{block.line}"
        with contextlib.chdir(folder):
            if block.kind == "console":
                wrong += [f"{where}: {problem}" for problem in console(block.text, folder)]
            else:
                wrong += [f"{where}: {problem}" for problem in python(block.text, names, where)]
    return wrong


def python(text: str, names: dict[str, Any], where: str) -> list[str]:
    """Run a block of Python in the page's names."""
    if ">>>" not in text:
        exec(compile(text, where, "exec"), names)
        return []
    test = doctest.DocTestParser().get_doctest(text, names, where, where, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    report: list[str] = []
    runner.run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    return ["".join(report)] if runner.failures else []


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block and the output that each shows."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = f"{command[:-1]}{more}"
        yield command, output


def console(text: str, folder: Path) -> Iterator[str]:
    """Run a console block's commands."""
    for command, shown in commands(text):
        got = output_of(command, folder)
        if not doctest.OutputChecker().check_output(shown, got, doctest.ELLIPSIS) and shown.rstrip() != got.rstrip():
            yield f"$ {command}\nthe page shows:\n{shown}\nbut it prints:\n{got}"


def output_of(command: str, folder: Path) -> str:
    """What a command prints on both streams, as a reader of a terminal of 100 columns without colours sees it."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "PYTHONIOENCODING": "utf-8",
    }
    run = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    lines = [line.rstrip() for line in run.stdout.decode("utf-8").split("\n")]
    text = "\n".join(lines).strip("\n") + "\n" if any(lines) else ""
    return text + (f"[exit {run.returncode}]\n" if run.returncode else "")
