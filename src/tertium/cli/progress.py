"""Long work: shown after two seconds where standard error is a terminal, and interrupted at once by Ctrl-C.

The work runs in a thread of its own, the main thread waits. So a signal is heard while the native core computes, and
the bar moves. Nothing is imported or drawn for work that is done before.
"""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

PATIENCE = 2.0  # seconds

Result = TypeVar("Result")
Item = TypeVar("Item")


class Steps(Sequence[Item]):
    """The items that the work goes through one after another; each counts as done when the next is asked for."""

    def __init__(self, what: str, items: Sequence[Item]) -> None:
        self.what = what
        self.items = items
        self.done = 0

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def advance(self) -> None:
        """One more is done, for work that counts by itself."""
        self.done += 1

    def __iter__(self) -> Iterator[Item]:
        for item in self.items:
            yield item
            self.done += 1


def attend(work: Callable[[], Result], steps: Steps[Any]) -> Result:
    """The result of `work`, with a bar on standard error if it takes long."""
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # handed over to the waiting thread, which raises it
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if thread.is_alive():
        if sys.stderr.isatty():
            _draw(thread, steps)
        thread.join()
    if failure:
        raise failure[0]
    return outcome[0]


def _draw(thread: threading.Thread, steps: Steps[Any]) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(steps.what, total=len(steps) if len(steps) > 1 else None)  # one step: only the clock moves
        while thread.is_alive():
            bar.update(task, completed=steps.done)
            thread.join(0.1)
