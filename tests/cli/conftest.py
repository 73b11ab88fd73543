"""Running the command line: in this process, where only text and codes matter."""

from pathlib import Path

import pytest

from commandline import Run, Tertium
from tertium.cli.main import run
from tertium.data import sample


@pytest.fixture
def tertium(capsys: pytest.CaptureFixture[str]) -> Tertium:
    """`tertium("score", "ref.txt", "-i", "hyp.txt")`."""

    def call(*arguments: str) -> Run:
        code = run(arguments)
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return call


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sample's files, which is the current one."""
    monkeypatch.chdir(tmp_path)
    sample.write(Path())
    return tmp_path
