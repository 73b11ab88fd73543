"""A file written over several runs is the file of one run, wherever the earlier ones were cut off."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.data.resumable import ResumableFile
from tertium.errors import InputError

RECORDS = [["1\ta", "1\tb"], ["2\tc"], ["3\td", "3\te", "3\tf"], ["4\tg"]]
PLAIN = [["a"], [""], ["ü"], ["d"]]


def run(path: Path, records: list[list[str]], numbered: bool) -> None:
    """Write what the file lacks."""
    with ResumableFile(path, {"model": "m"}, numbered=numbered) as file:
        for record in records[file.records :]:
            file.write(record)
        file.finish()


@pytest.mark.parametrize(("records", "numbered"), [(RECORDS, True), (PLAIN, False)])
@given(cut=st.integers(0, 40))
def test_a_file_cut_off_anywhere_is_finished(
    tmp_path_factory: pytest.TempPathFactory, records: list[list[str]], numbered: bool, cut: int
) -> None:
    """After any number of bytes, in the middle of a line or of a record."""
    whole = "".join(f"{line}\n" for record in records for line in record).encode()
    path = tmp_path_factory.mktemp("cut") / "out.txt"
    with ResumableFile(path, {"model": "m"}, numbered=numbered) as file:
        file.part.write_bytes(whole[:cut])
    run(path, records, numbered)
    assert path.read_bytes() == whole
    assert [each.name for each in path.parent.iterdir()] == ["out.txt"]


def test_what_is_written_survives_a_crash(tmp_path: Path) -> None:
    """Whole records stay; the file has no name yet."""
    with contextlib.suppress(RuntimeError), ResumableFile(tmp_path / "out.txt", {}) as file:
        file.write(["one"])
        raise RuntimeError("the power is gone")
    assert not (tmp_path / "out.txt").exists()
    with ResumableFile(tmp_path / "out.txt", {}) as file:
        assert file.records == 1


def test_lines_of_another_making_are_not_mixed_in(tmp_path: Path) -> None:
    """The difference is named, and what is there stays."""
    with ResumableFile(tmp_path / "out.txt", {"model": "m", "search": "beam"}) as file:
        file.write(["one"])
    with pytest.raises(InputError, match=r"out\.txt\.part was begun with search 'beam', not 'greedy'"):
        ResumableFile(tmp_path / "out.txt", {"model": "m", "search": "greedy"})
    assert (tmp_path / "out.txt.part").read_text() == "one\n"


def test_a_finished_file_is_not_overwritten(tmp_path: Path) -> None:
    """It is an error that says so."""
    (tmp_path / "out.txt").write_text("precious\n")
    with pytest.raises(InputError, match=r"out\.txt is there already"):
        ResumableFile(tmp_path / "out.txt", {})
    assert (tmp_path / "out.txt").read_text() == "precious\n"


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """With the reason."""
    with pytest.raises(InputError, match=r"out\.txt cannot be written: No such file or directory"):
        ResumableFile(tmp_path / "nowhere" / "out.txt", {})
