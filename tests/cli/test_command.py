"""The way from words to commands: several values after a flag, help, examples that run."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commandline import Tertium
from tertium.cli.command import COMMANDS, spread

FLAGS = frozenset(["-i", "-m"])


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("ref -i a b -m bleu chrf", "ref -i a -i b -m bleu -m chrf"),
        ("ref -i a -b -m bleu", "ref -i a -b -m bleu"),
        ("-i a -i b c", "-i a -i b -i c"),
        ("ref -w 2 -i - x", "ref -w 2 -i - -i x"),
        ("-i a -- -m b c", "-i a -- -m b c"),
        ("ref -m -b", "ref -m -b"),
    ],
)
def test_values_after_one_flag(given: str, wanted: str) -> None:
    """Each value gets the flag before it, until the next flag; nothing after `--` changes."""
    assert spread(given.split(), FLAGS) == wanted.split()


@given(st.lists(st.sampled_from(["-i", "-m", "-b", "-", "--", "x", "y"])))
def test_spreading_twice_is_spreading_once(arguments: list[str]) -> None:
    """What is spread already stays as it is, and no word is lost or moved."""
    once = spread(arguments, FLAGS)
    assert spread(once, FLAGS) == once
    words = [word for word in arguments if word not in FLAGS]
    assert [word for word in once if word not in FLAGS] == words


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_the_help_run(name: str, here: Path, tertium: Tertium) -> None:
    """Every line of every command's example is run, one after another, and succeeds."""
    text = tertium(name, "--help").out
    examples = [line.strip() for line in text.partition("Example:\n")[2].splitlines() if line.strip()]
    assert examples, f"tertium {name} --help has no example"
    assert any(line.startswith(f"tertium {name} ") or line == f"tertium {name}" for line in examples)
    for line in examples:
        program, *arguments = shlex.split(line)
        assert program == "tertium"
        run = tertium(*arguments)
        assert (run.code, run.err) == (0, ""), line
        assert run.out


def test_help_lists_every_command(tertium: Tertium) -> None:
    """Also where nothing was asked for; then it is an error, as it is for other programs."""
    listed = tertium("--help")
    assert listed.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in listed.out
    assert tertium().code == 2
