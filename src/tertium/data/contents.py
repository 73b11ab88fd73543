"""The bytes of a file: a memory map where it is plain, else (`.gz`, `.xz`, `.bz2`, `.zst`) decompressed into memory.

`-` is standard input. Pipes and such (`<(...)` of a shell) cannot be mapped and are read.
"""

import importlib
import mmap
import os
import stat
import sys
from pathlib import Path
from typing import Any

from tertium.errors import InputError, MissingExtra, MissingFile

COMPRESSED = (".gz", ".xz", ".bz2", ".zst")

Bytes = bytes | mmap.mmap


def contents(path: str) -> Bytes:
    """The bytes of a file, decompressed; a memory map where that is possible."""
    if path == "-":
        if sys.stdin is None:
            raise MissingFile("standard input is closed: name a file")
        data: Bytes = sys.stdin.buffer.read()
    else:
        data = _of_file(path)
        suffix = Path(path).suffix.lower()
        if suffix in COMPRESSED:
            data = _decompressed(path, data, suffix)
    if not data:
        raise InputError(f"{name_of(path)} is empty: it needs one segment a line")
    return data


def mappable(path: str) -> bool:
    """Whether a path is of plain text in a file that can be mapped: no pipe, not compressed, not empty."""
    if path == "-" or Path(path).suffix.lower() in COMPRESSED:
        return False
    try:
        status = os.stat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size > 0


def name_of(path: str) -> str:
    """What to call a file in a message."""
    return "standard input" if path == "-" else path


def _of_file(path: str) -> Bytes:
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size:
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return file.read()
    except FileNotFoundError:
        raise MissingFile(f"there is no file {path}") from None
    except IsADirectoryError:
        raise MissingFile(f"{path} is a folder, not a file") from None
    except PermissionError:
        raise MissingFile(f"{path} cannot be read: permission denied") from None
    except OSError as error:
        raise MissingFile(f"{path} cannot be read: {error.strerror}") from None


def _decompressed(path: str, data: Bytes, suffix: str) -> bytes:
    """Every decompressor raises its own errors; to the user they are one: the file is damaged."""
    if suffix == ".zst":
        return _of_zstandard(path, data)
    if suffix == ".gz":
        import gzip
        import zlib

        decompress, damage = gzip.decompress, (OSError, EOFError, zlib.error)
    elif suffix == ".xz":
        import lzma

        decompress, damage = lzma.decompress, (lzma.LZMAError, EOFError)  # type: ignore[assignment]
    else:
        import bz2

        decompress, damage = bz2.decompress, (OSError, ValueError)  # type: ignore[assignment]
    try:
        return decompress(data)
    except damage as error:
        raise InputError(f"{path} is not a whole {suffix} file: {error}") from None


def _of_zstandard(path: str, data: Bytes) -> bytes:
    try:
        zstandard: Any = importlib.import_module("zstandard")
    except ImportError:
        raise MissingExtra(f"reading {path}", "zstandard", "zstd") from None
    pieces: list[bytes] = []
    rest = bytes(data)
    try:
        while rest:  # one frame after another
            frame = zstandard.ZstdDecompressor().decompressobj()
            pieces.append(frame.decompress(rest))
            if not frame.eof:
                raise InputError(f"{path} is not a whole .zst file: it ends in the middle of a frame")
            rest = frame.unused_data
    except zstandard.ZstdError as error:
        raise InputError(f"{path} is not a whole .zst file: {error}") from None
    return b"".join(pieces)
