"""How the benchmarks measure, and the table they print.

Speed is CPU time, the best of several runs, ours and the peer's taken in turns in the same process: another program on
the machine then disturbs both alike. A peer's caches are emptied before each of its runs (sacreBLEU remembers
the tokens of every line it has seen, which would make its second run another measurement than a user's first).

A benchmark file has a function `rows(full)` that yields `Row`s. Each row has a bar and says whether it was met.
"""

import gc
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, against whom, and the bar it must meet.

    `ratio` is what the bar is about: `at_least` bars want it high (theirs over ours), others want it low.
    """

    what: str
    peer: str
    ours: float
    theirs: float | None
    ratio: float
    bar: float | None
    at_least: bool = True
    unit: str = "s"
    note: str = ""

    @property
    def ok(self) -> bool:
        if self.bar is None:
            return True
        return self.ratio >= self.bar if self.at_least else self.ratio <= self.bar

    def cells(self) -> tuple[str, ...]:
        sign = "x" if self.theirs is not None else f" {self.unit}"
        bound = "" if self.bar is None else f"{'>=' if self.at_least else '<='} {self.bar:g}{sign}"
        ratio = f"{self.ratio:.3g}{sign}" if self.ratio < 100 else f"{self.ratio:.0f}{sign}"
        verdict = "" if self.bar is None else ("ok" if self.ok else "MISSED")
        theirs = "" if self.theirs is None else quantity(self.theirs, self.unit)
        return self.what, self.peer, quantity(self.ours, self.unit), theirs, ratio, bound, verdict, self.note


def quantity(value: float, unit: str) -> str:
    """A time or a size in the unit that reads best."""
    if unit != "s":
        return f"{value:.0f} {unit}"
    return f"{value * 1000:.2f} ms" if value < 1 else f"{value:.2f} s"


def cpu(
    function: Callable[[], Any], *, repeat: int = 5, seconds: float = 3.0, before: Callable[[], Any] = gc.collect
) -> float:
    """CPU seconds of a call, the best of `repeat` runs (fewer when `seconds` are over, at least one)."""
    return _best(function, time.process_time, repeat, seconds, before)


def wall(function: Callable[[], Any], *, repeat: int = 5, seconds: float = 10.0) -> float:
    """Wall-clock seconds of a call, the best of several: for threads and start-up, where CPU time says little."""
    return _best(function, time.perf_counter, repeat, seconds, gc.collect)


def _best(
    function: Callable[[], Any], clock: Callable[[], float], repeat: int, seconds: float, before: Callable[[], Any]
) -> float:
    best = float("inf")
    end = time.perf_counter() + seconds
    for turn in range(repeat):
        if turn and time.perf_counter() > end:
            break
        before()
        start = clock()
        function()
        best = min(best, clock() - start)
    return best


def faster(
    what: str,
    peer: str,
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    at_least: float | None,
    *,
    rounds: int = 3,
    seconds: float = 20.0,
    note: str = "",
) -> Row:
    """How many times less CPU time we take than a peer does for the same job."""
    our_best = their_best = float("inf")
    end = time.perf_counter() + seconds
    for turn in range(rounds):
        if turn and time.perf_counter() > end:
            break
        our_best = min(our_best, cpu(ours, repeat=25, seconds=1.0))
        their_best = min(their_best, cpu(theirs, repeat=25, seconds=1.0, before=forget_peers))
    our_best = min(our_best, cpu(ours, repeat=25, seconds=1.0))
    return Row(what, peer, our_best, their_best, their_best / our_best, at_least, note=note)


def times(
    what: str, peer: str, ours: float, theirs: float, at_least: float | None, *, unit: str = "s", note: str = ""
) -> Row:
    """A row from two values measured elsewhere: `theirs / ours` must be at least the bar."""
    return Row(what, peer, ours, theirs, theirs / ours, at_least, unit=unit, note=note)


def share(
    what: str, peer: str, ours: float, theirs: float, at_most: float | None, *, unit: str = "s", note: str = ""
) -> Row:
    """A row that wants our share `ours / theirs` to be at most the bar."""
    return Row(what, peer, ours, theirs, ours / theirs, at_most, at_least=False, unit=unit, note=note)


def within(what: str, value: float, at_most: float, unit: str, *, note: str = "") -> Row:
    """A row about an amount of our own that must not be exceeded."""
    return Row(what, "", value, None, value, at_most, at_least=False, unit=unit, note=note)


def forget_peers() -> None:
    """Empty the caches that peers keep on classes and modules, and collect garbage."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in ("sacrebleu", "nltk", "torchmetrics"):
            continue
        for owner in [module, *(value for value in vars(module).values() if isinstance(value, type))]:
            for value in list(vars(owner).values()):
                if isinstance(value, CACHED):  # not `hasattr`: NLTK has attributes that look for corpora when asked
                    value.cache_clear()
    gc.collect()


def peak_over_base(setup: str, work: str) -> tuple[float, float]:
    """Peak memory (MB) that `work` needs over the peak of `setup`, and its CPU seconds.

    Both are Python source, run in a fresh process. The peak is the kernel's (`VmHWM`), so nothing is missed between
    samples; `ru_maxrss` will not do: it starts with the memory of the process that started this one.
    """
    code = f"""
import time
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
{setup}
base, start = peak(), time.process_time()
{work}
print("measured", peak() - base, time.process_time() - start)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr)
    _, megabytes, seconds = run.stdout.splitlines()[-1].split()
    return float(megabytes), float(seconds)


def cpu_of_process(command: list[str], *, repeat: int = 10) -> float:
    """User and system CPU seconds of a command, the best of several runs."""
    best = float("inf")
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return best


CACHED = type(lru_cache(len))
HEADER = ("what", "peer", "ours", "theirs", "ratio", "bar", "", "")


def print_table(title: str, rows: Iterable[Row]) -> bool:
    """Print rows as they come; true where every bar was met."""
    widths = (46, 18, 11, 11, 9, 11, 6, 0)
    print(f"\n{title}\n{'=' * len(title)}")
    print("  ".join(cell.ljust(width) for cell, width in zip(HEADER, widths, strict=True)).rstrip())
    fine = True
    for row in rows:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row.cells(), widths, strict=True)).rstrip(), flush=True
        )
        fine &= row.ok
    return fine
