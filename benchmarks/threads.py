"""Two threads against one: wall-clock time on 100,000 different segments."""

import os
from collections.abc import Iterator

import wmt22
from measure import Row, times, wall

import tertium

BAR = 1.6


def rows(full: bool) -> Iterator[Row]:
    hypotheses, reference = wmt22.extended(100_000)
    note = "" if len(os.sched_getaffinity(0)) > 1 else "this machine has one core"
    for name in ("bleu", "chrf"):
        one, two = best_of_both(name, hypotheses, reference)
        yield times(f"corpus {name}, 100k segments, 2 threads", "1 thread", two, one, BAR, note=note)


def best_of_both(name: str, hypotheses: list[str], reference: list[str]) -> tuple[float, float]:
    """Seconds with one thread and with two, in turns."""
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(5):
        for threads in best:
            best[threads] = min(
                best[threads],
                wall(lambda threads=threads: tertium.score(name, hypotheses, reference, threads=threads), repeat=1),  # type: ignore[misc]
            )
    return best[1], best[2]
