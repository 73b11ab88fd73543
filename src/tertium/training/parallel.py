"""Parallel texts, from files."""

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.data.testset import Files, check_lengths
from tertium.errors import InputError
from tertium.training.batches import Pair


@dataclass(frozen=True)
class ParallelText:
    """Sentences and their translations, line by line."""

    source: list[str]
    target: list[str]

    def __len__(self) -> int:
        return len(self.source)


def read_parallel(sources: Sequence[str], targets: Sequence[str]) -> ParallelText:
    """Read files spelled `PATH` or `PATH:COLUMN`; the i-th source belongs to the i-th target.

    A pair with an empty side teaches nothing and is left out.
    """
    if len(sources) != len(targets) or not sources:
        raise InputError(f"there are {len(sources)} source files and {len(targets)} target files: each needs the other")
    files = Files()
    texts: list[tuple[str, str]] = []
    for source, target in zip(sources, targets, strict=True):
        streams = [files.streams(source, "source")[0], files.streams(target, "reference")[0]]
        check_lengths(streams)
        texts += zip(*(stream.texts() for stream in streams), strict=True)
    kept = [(one.strip(), other.strip()) for one, other in texts if one.strip() and other.strip()]
    if not kept:
        raise InputError(f"{sources[0]} and {targets[0]} have no pair of sentences")
    return ParallelText([one for one, _ in kept], [other for _, other in kept])


def fitting(pairs: Sequence[Pair], longest: int) -> list[Pair]:
    """The pairs of at most so many tokens on each side."""
    return [pair for pair in pairs if max(len(pair[0]), len(pair[1])) <= longest]
