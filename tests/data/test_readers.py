"""The readers: what each format's columns are, and what is said about files that do not fit."""

import bz2
import gzip
import json
import lzma
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.data.table import Stream
from tertium.data.testset import Files, split_spelling
from tertium.errors import InputError, MissingExtra, MissingFile
from tertium.native import corpus_of_column


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def segments(stream: Stream) -> list[str | None]:
    return [stream.segments[i] for i in range(len(stream.segments))]


def read(spelling: str, role: str = "reference", format: str | None = None) -> dict[str, list[str | None]]:
    return {stream.name: segments(stream) for stream in Files(format).streams(spelling, role)}


def test_a_plain_line_ends_at_a_newline_only(here: Path) -> None:
    """U+2028, U+0085, form feed and carriage return, where `str.splitlines` cuts, stay in a segment, as does a BOM."""
    (here / "hyp.txt").write_bytes("\ufeffa\u2028b\nc\x85d\x0ce\r\n\nlast".encode())
    assert read("hyp.txt") == {"hyp.txt": ["\ufeffa\u2028b", "c\x85d\x0ce\r", "", "last"]}


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)]
)
def test_compressed_files_are_decompressed(here: Path, suffix: str, compress: Callable[[bytes], bytes]) -> None:
    """A file's text is the same whatever it is packed in; two packed parts one after another are both read."""
    (here / f"hyp.txt{suffix}").write_bytes(compress(b"one\n") + compress("zwölf\n".encode()))
    assert read(f"hyp.txt{suffix}") == {f"hyp.txt{suffix}": ["one", "zwölf"]}


def test_zstandard_files_are_decompressed(here: Path) -> None:
    """All frames of a .zst file are read."""
    zstandard = pytest.importorskip("zstandard")
    (here / "a.tsv.zst").write_bytes(zstandard.compress(b"ref\none\n") + zstandard.compress(b"two\n"))
    assert read("a.tsv.zst:ref") == {"ref": ["one", "two"]}


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".bz2"])
def test_a_damaged_file_is_named(here: Path, suffix: str) -> None:
    """Text with a compressed file's suffix is refused as such, not as a traceback of the decompressor."""
    (here / f"hyp{suffix}").write_bytes(b"plain text\n")
    with pytest.raises(InputError, match=rf"hyp\{suffix} is not a whole \{suffix} file"):
        read(f"hyp{suffix}")


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".bz2", ".zst"])
def test_a_cut_off_file_is_refused(here: Path, suffix: str) -> None:
    """Half a packed file does not give half the segments."""
    text = "".join(f"line {i}\n" for i in range(50_000)).encode()
    if suffix == ".zst":
        packed: bytes = pytest.importorskip("zstandard").compress(text)
    else:
        packed = {".gz": gzip, ".xz": lzma, ".bz2": bz2}[suffix].compress(text)
    (here / f"hyp{suffix}").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match=rf"hyp\{suffix} is not a whole \{suffix} file"):
        read(f"hyp{suffix}")


def test_a_pipe_can_be_read(here: Path) -> None:
    """`<(command)` of a shell is a pipe, which has no size and cannot be mapped."""
    os.mkfifo("pipe")
    writer = threading.Thread(target=lambda: (here / "pipe").write_bytes(b"a\nb\n"))
    writer.start()
    assert read("pipe") == {"pipe": ["a", "b"]}
    writer.join()


def test_bytes_that_are_not_utf8_are_placed(here: Path) -> None:
    """The message has file and line, as compilers write it, in every text format, compressed or not."""
    (here / "hyp.txt").write_bytes(b"fine\nna\xefve\n")
    with pytest.raises(InputError, match=r"hyp\.txt:2: not UTF-8 \(byte 3"):
        read("hyp.txt")
    (here / "hyp.txt.gz").write_bytes(gzip.compress(b"fine\nna\xefve\n"))
    with pytest.raises(InputError, match=r"hyp\.txt\.gz:2: not UTF-8"):
        read("hyp.txt.gz")
    (here / "hyp.tsv").write_bytes(b"ref\thyp\na\tb\nc\t\xff\n")
    with pytest.raises(InputError, match=r"hyp\.tsv:3: not UTF-8 \(byte 3"):
        read("hyp.tsv:hyp")
    (here / "hyp.jsonl").write_bytes(b'{"hyp": "\xff"}\n')
    with pytest.raises(InputError, match=r"hyp\.jsonl:1: not UTF-8"):
        read("hyp.jsonl:hyp")


@pytest.mark.parametrize("name", ["a.txt", "a.tsv", "a.jsonl", "a.parquet", "a.xml"])
def test_an_empty_file_is_refused(here: Path, name: str) -> None:
    """Nothing to score is an error that names the file."""
    (here / name).touch()
    with pytest.raises(InputError, match=f"{name} is empty"):
        read(name)


def test_a_file_that_is_not_there_is_named(here: Path) -> None:
    """Also where a column is spelled with it, and where the path is a folder."""
    with pytest.raises(MissingFile, match=r"there is no file no\.tsv:ref"):
        read("no.tsv:ref")
    (here / "folder").mkdir()
    with pytest.raises(MissingFile, match="folder"):
        read("folder")


def test_the_path_ends_where_a_file_is(here: Path) -> None:
    """Colons may stand in columns and in file names; the longest reading as a file name comes first."""
    (here / "a.tsv").touch()
    (here / "b:c").touch()
    assert split_spelling("a.tsv") == ("a.tsv", None)
    assert split_spelling("a.tsv:sys:Online-A") == ("a.tsv", "sys:Online-A")
    assert split_spelling("b:c") == ("b:c", None)
    assert split_spelling("b:c:d:e") == ("b:c", "d:e")
    assert split_spelling("-:hyp") == ("-", "hyp")


TSV = 'doc\tsrc\tref:refA\tref:refB\tsys:Online-A\tsys:X\n1\ts1\t"a\tb\tc\\t\td\n1\ts2\t\tB\tC\tD\r\n'


def test_tsv_columns_are_found_by_role_name_and_pattern(here: Path) -> None:
    """A bare file means its columns of the role; quotes, escapes and an empty cell are text as they stand."""
    (here / "t.tsv").write_bytes(TSV.encode())
    assert read("t.tsv", "reference") == {"refA": ['"a', ""], "refB": ["b", "B"]}
    assert read("t.tsv", "system") == {"Online-A": ["c\\t", "C"], "X": ["d", "D\r"]}
    assert read("t.tsv:sys:X", "system") == {"X": ["d", "D\r"]}
    assert list(read("t.tsv:sys:*", "system")) == ["Online-A", "X"]
    assert read("t.tsv:src", "reference") == {"src": ["s1", "s2"]}


def test_tsv_columns_by_number_are_of_a_file_without_header(here: Path) -> None:
    """`file.tsv:2` is the second column of every line, as `cut -f 2` has it."""
    (here / "t.tsv").write_text("a\tb\nc\td\n")
    assert read("t.tsv:2") == {"2": ["b", "d"]}
    assert Files().streams("t.tsv:2", "reference")[0].place(1) == "t.tsv:2"
    with pytest.raises(InputError, match="has no column '3'; its columns: 1, 2"):
        read("t.tsv:3")
    (here / "perfect.tsv").write_text("a b\ta b\nc\td\n")  # the first translation is its reference, not a second name
    assert read("perfect.tsv:1") == {"1": ["a b", "c"]}
    assert read("perfect.tsv:2") == {"2": ["a b", "d"]}


def test_tsv_mistakes_are_placed(here: Path) -> None:
    """A missing column lists those there are; a line with another number of cells is named; so are twin columns."""
    (here / "t.tsv").write_text("ref\thyp\na\tb\nc\n")
    with pytest.raises(InputError, match=r"t\.tsv has no column 'reff'; its columns: ref, hyp"):
        read("t.tsv:reff")
    with pytest.raises(InputError, match=r"t\.tsv:3: 1 cells instead of the first line's 2"):
        read("t.tsv:hyp")
    (here / "twins.tsv").write_text("ref\tref\na\tb\n")
    with pytest.raises(InputError, match=r"twins\.tsv:1: two columns are called 'ref'"):
        read("twins.tsv:ref")
    (here / "none.tsv").write_text("a\tb\n1\t2\n")
    with pytest.raises(InputError, match=r"no column whose name says system; choose one as none\.tsv:COLUMN of: a, b"):
        read("none.tsv", "system")


def test_a_byte_order_mark_is_no_part_of_a_column_name(here: Path) -> None:
    """Spreadsheets write one before the header."""
    (here / "t.tsv").write_bytes("\ufeffref\thyp\r\na\tb\r\n".encode())
    assert list(read("t.tsv:ref")) == ["ref"]
    assert list(read("t.tsv:hyp")) == ["hyp"]


def test_the_format_can_be_said(here: Path) -> None:
    """A format of one's own choice overrides the suffix; plain text has no columns and says so."""
    (here / "t.txt").write_text("ref\thyp\na\tb\n")
    with pytest.raises(InputError, match=r"t\.txt is read as plain text, which has no column 'ref'"):
        read("t.txt:ref")
    assert read("t.txt:ref", format="tsv") == {"ref": ["a"]}


def test_jsonl_fields_are_texts_or_lists_of_them(here: Path) -> None:
    """A list gives several references; null and an absent field are missing segments; whole numbers are labels."""
    rows = [{"doc": 7, "refs": ["a", "b"], "hyp": "x\ty"}, {"doc": 8, "refs": ["c"], "hyp": "z", "ref": "r"}]
    (here / "t.jsonl").write_text("\ufeff" + "".join(json.dumps(row) + "\n" for row in rows))
    assert read("t.jsonl:refs") == {"refs[0]": ["a", "c"], "refs[1]": ["b", None]}
    assert read("t.jsonl", "system") == {"hyp": ["x\ty", "z"]}
    assert read("t.jsonl:ref") == {"ref": [None, "r"]}
    assert read("t.jsonl", "doc") == {"doc": ["7", "8"]}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"hyp": }', r"t\.jsonl:2: not JSON at character 9"),
        ("[1]", r"t\.jsonl:2: a JSON object is needed, not list"),
        ('{"hyp": 1.5}', r"t\.jsonl:2: 'hyp' holds float, not text"),
        ('{"hyp": "\\ud800"}', r"t\.jsonl:2: 'hyp' has a lone surrogate U\+D800"),
        ("", r"t\.jsonl:2: not JSON at character 1"),
        pytest.param('{"hyp": ' + "1" * 5000 + "}", r"t\.jsonl:2: a number has thousands of digits", id="long number"),
        pytest.param('{"hyp": ' + "[" * 10**5 + "]" * 10**5 + "}", r"t\.jsonl:2: .* too deeply", id="deep"),
    ],
)
def test_jsonl_mistakes_are_placed(here: Path, line: str, message: str) -> None:
    """What is wrong in a line is said with the file and the line."""
    (here / "t.jsonl").write_text('{"hyp": "a"}\n' + line + "\n")
    with pytest.raises(InputError, match=message):
        read("t.jsonl:hyp")


def test_parquet_columns_are_texts_or_lists_of_them(here: Path) -> None:
    """The same conventions as JSON lines."""
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    parquet.write_table(pyarrow.table({"refs": [["a", "b"], ["c"]], "hyp": ["x", "y"]}), "t.parquet")
    assert read("t.parquet", "reference") == {"refs[0]": ["a", "c"], "refs[1]": ["b", None]}
    assert read("t.parquet:hyp") == {"hyp": ["x", "y"]}
    with pytest.raises(InputError, match="its columns: refs, hyp"):
        read("t.parquet:sys")
    for damaged in (b"text", b"PAR1" + bytes(20) + b"PAR1"):
        (here / "bad.parquet").write_bytes(damaged)
        with pytest.raises(InputError, match=r"bad\.parquet is not a Parquet file"):
            read("bad.parquet")
    whole = (here / "t.parquet").read_bytes()
    (here / "bad.parquet").write_bytes(whole[:4] + bytes(60) + whole[64:])  # the pages of the first column are lost
    with pytest.raises(InputError, match=r"bad\.parquet: column 'refs' cannot be read"):
        read("bad.parquet:refs")


@pytest.mark.parametrize(
    ("name", "package", "hint"), [("t.parquet", "pyarrow", "parquet"), ("t.txt.zst", "zstandard", "zstd")]
)
def test_a_missing_extra_says_what_to_install(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str, package: str, hint: str
) -> None:
    """An optional package that is not there is named with the command that installs it."""
    (here / name).write_text("something")
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(MissingExtra, match=rf"reading {name} needs {package}: pip install 'tertium\[{hint}\]'"):
        read(name)


CELLS = st.text(st.characters(exclude_characters="\0\t\n", exclude_categories=["Cs"]), max_size=8)


@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1)))
def test_columns_are_what_split_gives(rows: list[list[str]]) -> None:
    """Cells of the core are those of `line.split(tab)`, whatever Unicode stands in them."""
    data = "".join("\t".join(row) + "\n" for row in rows).encode()
    for j in range(len(rows[0])):
        column = corpus_of_column(data, "file", j, width=len(rows[0]))
        assert [column[i] for i in range(len(column))] == [row[j] for row in rows]
