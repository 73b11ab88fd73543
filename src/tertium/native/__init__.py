"""The typed face of the C++ core.

`Corpus` holds the segments of one file or list as UTF-8 spans; every kernel takes corpora and returns float64 arrays of
shape (systems, segments, columns). The kernels' slow readable twins are in `tertium.native.reference`: they are the
specification, and the tests demand equal integers.

`threads=0` means one for each core. The result is the same for every number of threads.
"""

import operator
import os
from collections.abc import Callable, Sequence
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, MissingFile, OptionError
from tertium.native import _core
from tertium.native._core import Corpus

__all__ = [
    "Corpus",
    "Rows",
    "bleu_statistics",
    "cer_statistics",
    "chrf_statistics",
    "corpus",
    "corpus_of_bytes",
    "corpus_of_column",
    "corpus_of_file",
    "lowercase",
    "nist_statistics",
    "overlap_statistics",
    "ter_statistics",
    "tokenize",
    "tokenize_tercom",
    "wer_statistics",
]

Rows = NDArray[np.float64]
Segments = Corpus | Sequence[str] | Sequence[str | None] | Sequence[Sequence[str]] | Sequence[Sequence[str] | None]


def corpus(segments: Segments, what: str | Callable[[int], str] = "hypotheses") -> Corpus:
    """The corpus of a list of texts, or of a list of token lists. `None` is a missing segment.

    `what` is what messages call the list, or a function that names the place of a segment.

    >>> len(corpus(["a b", "c"]))
    2
    >>> corpus([["a", "b"], ["c"]]).tokenised
    True
    """
    if isinstance(segments, Corpus):
        return segments
    if isinstance(segments, (str, bytes)) or not isinstance(segments, Sequence):
        kind = type(segments).__name__
        iterable = not isinstance(segments, (str, bytes)) and hasattr(segments, "__iter__")
        advice = "pass list(...) of it" if iterable else "wrap a single text in a list"
        raise InputError(f"{what} must be a list of texts or of token lists, not {kind}: {advice}")
    place = (lambda index: f"{what}[{index}]") if isinstance(what, str) else what
    first = next((segment for segment in segments if segment is not None), "")
    tokenised = isinstance(first, (list, tuple))
    try:
        return _core.corpus_of_tokens(segments) if tokenised else _core.corpus_of_texts(segments)
    except ValueError:  # a NUL, or a lone surrogate, whose UnicodeEncodeError is one
        raise InputError(_no_text_message(segments, place)) from None
    except TypeError as error:
        index, _, kind = str(error).partition(":")
        if not index.isdigit():
            raise
        wanted = "a list of tokens (str)" if tokenised else "str"
        raise InputError(f"{place(int(index))} is of type {kind}, not {wanted} like the first one") from None


def _no_text_message(segments: Sequence[Any], place: Callable[[int], str]) -> str:
    for index, segment in enumerate(segments):
        text = segment if isinstance(segment, str) else " ".join(segment or ())
        for position, character in enumerate(text):
            if character == "\0":
                return (
                    f"{place(index)} has a NUL (U+0000) at character {position}: it is not text; remove it, or "
                    "read the file in its own encoding, such as UTF-16"
                )
            if "\ud800" <= character <= "\udfff":
                return (
                    f"{place(index)} has a lone surrogate U+{ord(character):04X} at character {position}: it is not "
                    "text; read the file as UTF-8, or pass errors='replace' when decoding"
                )
    return "a text has a NUL or a lone surrogate"


def corpus_of_file(path: str | Path) -> Corpus:
    """The lines of a UTF-8 text file as a memory map: 16 bytes of memory a line, whatever their length.

    A line ends at a newline and nowhere else. The file must not be shortened by others while the corpus is in use.
    """
    if "\0" in str(path):
        raise MissingFile(f"there is no file {str(path)!r}")
    try:
        name = os.fsencode(path)  # a name need not be UTF-8
    except UnicodeEncodeError:
        raise MissingFile(f"there is no file {str(path)!r}") from None
    try:
        return _core.corpus_of_path(name)
    except OSError as error:
        raise MissingFile(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise _not_text(str(path), error) from None


def corpus_of_bytes(data: bytes | mmap, name: str) -> Corpus:
    r"""The lines of a file in memory, which stays alive with the corpus. `name` is for messages.

    >>> corpus_of_bytes(b"one\ntwo\xff\n", "hyp.txt")
    Traceback (most recent call last):
    tertium.errors.InputError: hyp.txt:2: not UTF-8 (byte 4 of the line): convert the file to UTF-8
    """
    try:
        return _core.corpus_of_buffer(data)
    except ValueError as error:
        raise _not_text(name, error) from None


def corpus_of_column(data: bytes | mmap, name: str, column: int, *, width: int, skipped: int = 0) -> Corpus:
    """One column (from 0) of the tab-separated lines after the first `skipped`, each of which has `width` cells."""
    try:
        return _core.corpora_of_columns(data, [column], width, skipped)[0]
    except _core.WrongCells as error:
        line, _, cells = str(error).partition(":")
        raise InputError(f"{name}:{line}: {cells} cells instead of the first line's {width}") from None
    except ValueError as error:
        raise _not_text(name, error) from None


def _not_text(name: str, place: Exception) -> InputError:
    line, byte, what = str(place).split(":")
    if what == "NUL":
        return InputError(
            f"{name}:{line}: a NUL (byte {byte} of the line), which no text has: is the file UTF-16? Convert it to "
            "UTF-8"
        )
    return InputError(f"{name}:{line}: not UTF-8 (byte {byte} of the line): convert the file to UTF-8")


def checked_threads(threads: int) -> int:
    """The number of threads, if it is one; the core takes no more than it has use for.

    >>> checked_threads(10**12)
    4294967295
    """
    try:
        number = operator.index(threads)
    except TypeError:
        raise OptionError(f"threads is {threads!r}; it must be a whole number, 0 for one thread a core") from None
    if number < 0:
        raise OptionError(f"threads is {number}; it must be 0 (one for each core) or more")
    return min(number, 2**32 - 1)


def tokenize(texts: Segments, tokenizer: str, *, lowercase: bool = False) -> list[list[str]]:
    """The tokens of each text by a native tokenizer; a text is lower-cased before it is cut.

    >>> tokenize(["Hello, world!"], "13a")
    [['Hello', ',', 'world', '!']]
    """
    return _core.tokenize(corpus(texts, "texts"), tokenizer, lowercase)


def _raw(texts: Corpus) -> Corpus:
    if texts.tokenised:
        raise InputError("the texts are token lists: pass texts")
    return texts


def lowercase(texts: Segments) -> list[str]:
    """The texts in lower case, as Python's `str.lower` has it.

    >>> lowercase(["ΟΔΟΣ İ"])
    ['οδος i̇']
    """
    return _core.lowercase(_raw(corpus(texts, "texts")))


def bleu_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    *,
    tokenizer: str = "13a",
    lowercase: bool = False,
    order: int = 4,
    length: str = "closest",
    threads: int = 0,
) -> Rows:
    """Lengths, clipped matches and totals of each segment of each system; columns as in `tertium.metrics.bleu`."""
    return _core.bleu_statistics(systems, references, tokenizer, lowercase, order, length, checked_threads(threads))


def chrf_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    *,
    characters: int = 6,
    words: int = 0,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    threads: int = 0,
) -> Rows:
    """N-grams of hypothesis and reference and their clipped matches; columns as in `tertium.metrics.chrf`."""
    return _core.chrf_statistics(
        systems,
        references,
        characters,
        words,
        beta,
        lowercase,
        whitespace,
        eps_smoothing,
        checked_threads(threads),
    )


def overlap_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    *,
    tokenizer: str,
    lowercase: bool = False,
    rule: str = "ngrams",
    shortest: int = 1,
    longest: int = 1,
    threads: int = 0,
) -> Rows:
    """What each hypothesis shares with each of its references, (systems, segments, references, 4).

    The four are the parts of the hypothesis and of the reference that match, and all parts of either; -1 where a
    reference is missing. `rule` says what a part is: `ngrams` of `shortest` to `longest` tokens, clipped;
    `occurrences` and `anywhere`, tokens that stand in that reference, or in any, however often; `subsequence`, tokens
    in common order.
    """
    return _core.overlap_statistics(
        systems, references, tokenizer, lowercase, rule, shortest, longest, checked_threads(threads)
    )


def nist_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    *,
    tokenizer: str,
    lowercase: bool = False,
    order: int = 5,
    threads: int = 0,
) -> Rows:
    """Lengths, information matched and n-grams of each order; columns as in `tertium.metrics.nist`."""
    return _core.nist_statistics(systems, references, tokenizer, lowercase, order, checked_threads(threads))


def ter_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    threads: int = 0,
) -> Rows:
    """Edits of the nearest reference and average reference length; columns as in `tertium.metrics.ter`."""
    return _core.ter_statistics(
        systems, references, normalized, no_punct, asian_support, case_sensitive, checked_threads(threads)
    )


def wer_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    *,
    tokenizer: str = "none",
    lowercase: bool = False,
    threads: int = 0,
) -> Rows:
    """Word edits of the nearest reference, its length, and the kinds of edits; columns as in `tertium.metrics.wer`."""
    return _core.wer_statistics(systems, references, tokenizer, lowercase, checked_threads(threads))


def cer_statistics(
    systems: Sequence[Corpus],
    references: Sequence[Corpus],
    *,
    lowercase: bool = False,
    whitespace: bool = True,
    threads: int = 0,
) -> Rows:
    """Character edits of the nearest reference, its length, and the kinds of edits, as in `tertium.metrics.wer`."""
    return _core.cer_statistics(systems, references, lowercase, whitespace, checked_threads(threads))


def tokenize_tercom(
    texts: Segments, *, normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool
) -> list[list[str]]:
    """The tokens of each text by tercom's tokenizer (`tertium.text.tercom`)."""
    return _core.tokenize_tercom(_raw(corpus(texts, "texts")), normalized, no_punct, asian_support, case_sensitive)
