"""README and docs/ show real output: every example on them is run and compared."""

from pathlib import Path

import pytest

import tertium.data.sample
from pages import blocks, commands, failures

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_example_of_the_page_gives_what_it_shows(page: Path, tmp_path: Path) -> None:
    """Each command and each line of Python on the page prints what the page says."""
    tertium.data.sample.write(tmp_path)
    problems = failures(page, tmp_path)
    assert not problems, "\n".join(problems)


def test_a_wrong_example_is_found(tmp_path: Path) -> None:
    """The check can fail: wrong output of Python and of a command, and a wrong exit code."""
    page = tmp_path / "page.md"
    page.write_text(
        "```python\n>>> 1 + 1\n3\n```\n```console\n$ echo a\nb\n$ false\n```\n"
        "<!-- not run: wrong -->\n```python\n1 / 0\n```\n",
        encoding="utf-8",
    )
    assert len(failures(page, tmp_path)) == 3


def test_blocks_are_run_where_what_they_need_is_installed() -> None:
    """A block after a needs comment is run where the program is, and only shown elsewhere."""
    page = "<!-- needs: {} -->\n```console\n$ a\n```\n"
    assert len(list(blocks(page.format("sh")))) == 1
    assert not list(blocks(page.format("no-such-program")))


def test_blocks_and_commands_are_read_as_shown() -> None:
    """A console block's commands are the lines after `$`, continued at a backslash; the rest is output."""
    page = "text\n```console\n$ a \\\n  b\nout\n$ c\n```\n```json\n{}\n```\n"
    (block,) = blocks(page)
    assert (block.kind, block.line) == ("console", 3)
    assert list(commands(block.text)) == [("a   b", "out\n"), ("c", "")]
