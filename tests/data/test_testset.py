"""Test sets from several files: lengths, gaps, names, labels; and one from the real data."""

from pathlib import Path

import pytest

import realdata
from tertium import References, score_systems
from tertium.data import sample
from tertium.data.testset import read_test_set
from tertium.errors import InputError


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": 3, "long": 4, "short": 2, "hyp": 3}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{name} {i}\n" for i in range(lines)))
    return tmp_path


def test_files_of_different_length_are_named_with_the_first_line_that_has_no_partner(here: Path) -> None:
    """The odd one out is named, whichever side is longer; a TSV's header line counts as a line, not as a segment."""
    with pytest.raises(InputError) as long:
        read_test_set(["ref.txt"], ["hyp.txt", "long.txt"])
    assert str(long.value) == "long.txt has 4 segments but ref.txt has 3 segments: nothing pairs with long.txt:4"
    with pytest.raises(InputError, match=r"short\.txt has 2 segments .* nothing pairs with ref\.txt:3"):
        read_test_set(["ref.txt"], ["short.txt"])
    (here / "t.tsv").write_text("ref\na\nb\nc\nd\n")
    with pytest.raises(InputError, match=r"nothing pairs with t\.tsv:5"):
        read_test_set(["t.tsv"], ["hyp.txt"])


def test_a_header_alone_is_no_test_set(here: Path) -> None:
    """There must be something to score."""
    (here / "t.tsv").write_text("ref\thyp\n")
    with pytest.raises(InputError, match=r"t\.tsv:ref has no segments"):
        read_test_set(["t.tsv"], ["t.tsv"])


def test_a_missing_hypothesis_is_refused_and_a_missing_reference_is_not(here: Path) -> None:
    """A segment needs one reference, not one from everyone; null in a system's field is a gap that is named."""
    (here / "t.jsonl").write_text('{"hyp": "a", "refs": ["b", "c"]}\n{"hyp": "d", "refs": ["e"]}\n')
    test_set = read_test_set(["t.jsonl"], ["t.jsonl"])
    assert References.from_streams(list(test_set.references.values())).count == (1, 2)
    (here / "t.jsonl").write_text('{"hyp": "a", "ref": "b"}\n{"hyp": null, "ref": null}\n')
    with pytest.raises(InputError, match=r"t\.jsonl:2: hyp has no translation here"):
        read_test_set(["short.txt"], ["t.jsonl"])
    with pytest.raises(InputError, match=r"t\.jsonl:2: there is no reference for this segment"):
        read_test_set(["t.jsonl"], ["short.txt"])


def test_systems_with_the_same_file_name_are_told_apart_by_their_paths(here: Path) -> None:
    """a/hyp.txt and b/hyp.txt keep their folders; the same file twice is a slip."""
    for folder in "ab":
        (here / folder).mkdir()
        (here / folder / "hyp.txt").write_text("x\ny\nz\n")
    assert list(read_test_set(["ref.txt"], ["a/hyp.txt", "b/hyp.txt"]).systems) == ["a/hyp.txt", "b/hyp.txt"]
    with pytest.raises(InputError, match=r"hyp\.txt is given twice"):
        read_test_set(["ref.txt"], ["hyp.txt", "hyp.txt"])


def test_labels_come_from_a_column_or_a_file(here: Path) -> None:
    """`doc` looks for a column in the files at hand; anything else is a file of labels of the same length."""
    (here / "t.tsv").write_text("ref\tdocid\na\tx\nb\tx\nc\ty\n")
    (here / "topics.txt").write_text("p\nq\np\n")
    assert read_test_set(["t.tsv"], ["hyp.txt"], documents="doc").documents == ("x", "x", "y")
    assert read_test_set(["ref.txt"], ["hyp.txt"], documents="topics.txt").documents == ("p", "q", "p")
    with pytest.raises(InputError, match="no file given has a column 'domain'"):
        read_test_set(["t.tsv"], ["hyp.txt"], domains="domain")
    with pytest.raises(InputError, match=r"long\.txt has 4 segments"):
        read_test_set(["ref.txt"], ["hyp.txt"], documents="long.txt")


def test_the_sample_can_be_written_as_files(tmp_path: Path) -> None:
    """Read back from its plain files, the sample is the sample."""
    written = sample.write(tmp_path / "new")
    assert {path.name for path in written} >= {"sample.tsv", "refA.txt", "refB.txt", "Amsel.txt", "docs.txt"}
    references = [str(tmp_path / "new" / f"ref{name}.txt") for name in "AB"]
    systems = [str(tmp_path / "new" / f"{name}.txt") for name in ("Amsel", "Drossel", "Fink")]
    plain = read_test_set(references, systems, documents=str(tmp_path / "new" / "docs.txt"))
    table = sample.test_set()
    assert plain.documents == table.documents
    for one, other in zip(plain.systems.values(), table.systems.values(), strict=True):
        assert [one[i] for i in range(len(one))] == [other[i] for i in range(len(other))]


@pytest.mark.data
def test_the_columns_of_wmt22_score_as_its_lists_do() -> None:
    """Every system of de-en, read as columns of the packed table, has the rows of the same texts as Python lists."""
    lists = realdata.wmt("wmt22/de-en")
    path = str(realdata.FOLDER / "wmt22/de-en.text.tsv.gz")
    test_set = read_test_set([path], [path], source=path, documents="doc", domains="domain")
    assert list(test_set.systems) == list(lists.systems)
    assert list(test_set.documents or ()) == lists.documents
    assert list(test_set.domains or ()) == lists.domains
    of_files = score_systems(["bleu"], test_set.systems, References.from_streams(list(test_set.references.values())))
    of_lists = score_systems(["bleu"], lists.systems, References.from_streams(list(lists.references.values())))
    for name, (result,) in of_lists.items():
        assert (of_files[name][0].rows == result.rows).all()
