"""Bad input: one clear line on standard error, nothing on standard output, exit code 2."""

import sys
from pathlib import Path

import pytest

from commandline import Tertium


def spoil(here: Path) -> None:
    (here / "short.txt").write_text("one line\n")
    (here / "latin.txt").write_bytes("".join(f"ligne {i}\n" for i in range(11)).encode() + "déjà\n".encode("latin-1"))
    (here / "wide.txt").write_bytes((here / "Fink.txt").read_text(encoding="utf-8").encode("utf-16-le"))
    (here / "nul.tsv").write_bytes(b"hyp\tref\na\tb\nc\0\td\n")
    (here / "nul.jsonl").write_text('{"hyp": "a", "ref": "b"}\n{"hyp": "\\u0000", "ref": "b"}\n')
    (here / "empty.txt").touch()
    (here / "plain.tsv").write_text("a\tb\n1\t2\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("score refA.txt -i short.txt", "short.txt has 1 segments but refA.txt has 18 segments: "),
        ("score refA.txt -i short.txt", "nothing pairs with refA.txt:2"),
        ("score refA.txt -i latin.txt", "latin.txt:12: not UTF-8"),
        (
            "score refA.txt -i wide.txt",
            "wide.txt:1: a NUL (byte 2 of the line), which no text has",
        ),
        ("score nul.tsv -i nul.tsv", "nul.tsv:3: a NUL (byte 2 of the line)"),
        ("score nul.jsonl -i nul.jsonl", "nul.jsonl:2: 'hyp' has a NUL (U+0000) at character 0"),
        ("score refA.txt -i nowhere.txt", "there is no file nowhere.txt"),
        ("score refA.txt -i empty.txt", "empty.txt is empty"),
        ("score refA.txt -i Fink.txt -m blue", "unknown metric 'blue'; did you mean bleu"),
        ("score refA.txt -i Fink.txt -m chrf:word=2", "unknown option of chrf 'word'; did you mean words"),
        ("score refA.txt -i Fink.txt -m bleu bleu", "metric bleu is given twice"),
        ("score refA.txt -i Fink.txt -tok 31a", "unknown tokenizer '31a'; did you mean 13a"),
        (
            "score refA.txt -i sample.tsv:sys:Finke",
            "sample.tsv has no column 'sys:Finke'; its columns: doc, domain",
        ),
        ("score plain.tsv -i Fink.txt", "plain.tsv has no column whose name says reference"),
        ("score refA.txt:2 -i Fink.txt", "refA.txt is read as plain text, which has no column '2'"),
        ("score refA.txt -i Fink.txt --format jsn", "unknown output format 'jsn'; did you mean json?"),
        ("score refA.txt -i Fink.txt --input-format cvs", "unknown format 'cvs'"),
        ("score refA.txt -i Fink.txt --by doc", "no file given has a column 'doc'"),
        ("score refA.txt -i Fink.txt --by docs.txt --per-segment", "exclude each other"),
        ("score refA.txt -i Fink.txt -w many", "'many' is not"),
        ("score refA.txt -i Fink.txt -w 99", "99 is not"),
        ("score refA.txt -i Fink.txt --thread 2", "--threads"),
        ("score", "missing argument"),
        ("scoer refA.txt", "unknown command 'scoer'; did you mean score"),
    ],
)
def test_a_mistake_is_one_line(here: Path, tertium: Tertium, arguments: str, message: str) -> None:
    """What is wrong, where, and what to do; no traceback, no usage text around it."""
    spoil(here)
    run = tertium(*arguments.split())
    assert run.code == 2
    assert run.out == ""
    assert run.err.startswith("tertium: ")
    assert message in run.err
    assert run.err.count("\n") == 1


def test_a_missing_extra_is_one_line(here: Path, tertium: Tertium, monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install is said, for a format as for a tokenizer."""
    (here / "hyp.parquet").write_text("something")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    run = tertium("score", "refA.txt", "-i", "hyp.parquet")
    assert (run.code, run.out) == (2, "")
    assert run.err == "tertium: reading hyp.parquet needs pyarrow: pip install 'tertium[parquet]'\n"
