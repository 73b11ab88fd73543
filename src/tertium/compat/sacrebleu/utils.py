"""Odds and ends that code imports from sacreBLEU's module of this name."""

import gzip
import hashlib
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

from tertium.errors import InputError, MissingFile

SACREBLEU_DIR = os.environ.get("SACREBLEU", str(Path("~").expanduser() / ".sacrebleu"))
LOG_OF_ZERO = -9999999999  # small enough that its exponential is 0


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open a plain file or a .gz one as text; lines end at a newline only."""
    opener: Any = gzip.open if file.endswith(".gz") else open
    stream: IO[Any] = opener(file, mode=mode, encoding=encoding, newline="\n")
    return stream


def my_log(num: float) -> float:
    """The logarithm, and a very small number for that of 0.

    >>> my_log(0.0)
    -9999999999
    """
    return LOG_OF_ZERO if num == 0.0 else math.log(num)


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Any:
    """Lists of numbers added item by item; a single one is handed back itself.

    >>> sum_of_lists([[1, 2], [3, 4]])
    [4, 6]
    """
    return lists[0] if len(lists) == 1 else [sum(column) for column in zip(*lists, strict=True)]


def args_to_dict(args: Any, prefix: str, strip_prefix: bool = False) -> dict[str, Any]:
    """The arguments of an argparse namespace whose names begin with `prefix_`."""
    start = f"{prefix}_"
    return {k[len(start) :] if strip_prefix else k: v for k, v in vars(args).items() if k.startswith(start)}


def sanity_check_lengths(system: Sequence[str], refs: Sequence[Sequence[str]], test_set: str | None = None) -> None:
    """Refuse references of another length than the system's output."""
    for r, stream in enumerate(refs):
        if len(stream) != len(system):
            raise InputError(f"reference {r} has {len(stream)} segments, the system has {len(system)}")


def get_md5sum(dest_path: str) -> Any:
    """The MD5 sum of a file, as a hash object."""
    with open(dest_path, "rb") as file:
        return hashlib.file_digest(file, "md5")


class TestSets(dict[str, Any]):
    """The built-in test sets: none. Asking for one says so."""

    __test__ = False  # not a test case, whatever its name says

    def __missing__(self, name: str) -> NoReturn:
        _no_test_set(name)


def _no_test_set(name: str) -> NoReturn:
    raise MissingFile(
        f"test set {name!r}: Tertium has no built-in test sets and downloads none; write its files with "
        f"`sacrebleu -t {name} -l PAIR --echo src` (and `ref`) and read those"
    )


def get_source_file(test_set: str, langpair: str) -> str:
    """Where the source of a test set is: nowhere here, and the error says what to do."""
    _no_test_set(test_set)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """Where the references of a test set are: nowhere here, and the error says what to do."""
    _no_test_set(test_set)


def get_files(test_set: str, langpair: str) -> list[str]:
    """Where the files of a test set are: nowhere here, and the error says what to do."""
    _no_test_set(test_set)


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Nothing is downloaded; the error says what to do."""
    _no_test_set(test_set)


def print_test_set(
    test_set: str, langpair: str, requested_fields: Sequence[str], origlang: Any = None, subset: Any = None
) -> None:
    """There is nothing to print; the error says what to do."""
    _no_test_set(test_set)


def download_file(
    source_path: str, dest_path: str, extract_to: str | None = None, expected_md5: str | None = None
) -> None:
    """Nothing is downloaded unless the file is there already."""
    if not os.path.exists(dest_path):
        raise MissingFile(f"Tertium downloads nothing: fetch {source_path} and save it as {dest_path}")


def get_available_testsets() -> list[str]:
    """The names of the built-in test sets: none."""
    return []


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The names of the built-in test sets of a language pair: none."""
    return []


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a built-in test set: none."""
    return []


DATASETS: Mapping[str, Any] = TestSets()
