"""`tertium translate`: order, formats, streams, files that are gone on with, mistakes in one line."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import Tertium
from models.small import TEXTS, trained

NETWORK = "transformer:layers=1,width=16,heads=2,hidden=16,dropout=0"
SEARCHES = ("greedy", "beam:width=2", "sample:seed=3", "exact", "mbr:candidates=sample:count=4")


@pytest.fixture
def model(here: Path) -> str:
    """A small model in the current folder, beside texts to translate."""
    trained(NETWORK).save(here / "m")
    (here / "in.txt").write_text("".join(f"{text}\n" for text in [*TEXTS, ""]), encoding="utf-8")
    return "m"


def test_a_line_comes_out_for_each_that_came_in(model: str, tertium: Tertium) -> None:
    """In order; an empty line stays empty."""
    run = tertium("translate", model, "in.txt")
    assert (run.code, run.err) == (0, "")
    lines = run.out.split("\n")[:-1]
    assert len(lines) == len(TEXTS) + 1
    assert lines[-1] == ""
    alone = Path("one.txt")
    for text, line in zip(TEXTS, lines, strict=False):
        alone.write_text(text + "\n", encoding="utf-8")
        assert tertium("translate", model, "one.txt").out == line + "\n"


def test_standard_input_is_read_as_a_file_is(model: str, tertium: Tertium, monkeypatch: pytest.MonkeyPatch) -> None:
    """Line breaks of other kinds stay in their line."""
    data = Path("in.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert tertium("translate", model).out == tertium("translate", model, "in.txt").out


def test_scores_and_n_best_are_columns(model: str, tertium: Tertium) -> None:
    """The number of the text, the score, the translation; best first."""
    rows = tertium("translate", model, "in.txt", "--n-best", "3").rows
    first = [row for row in rows if row[0] == "1"]
    assert len(first) == 3
    assert [float(row[1]) for row in first] == sorted((float(row[1]) for row in first), reverse=True)
    plain = tertium("translate", model, "in.txt").out.split("\n")
    assert first[0][2] == plain[0]
    assert [row[2] for row in tertium("translate", model, "in.txt", "--scores").rows] == plain[:-1]


def test_json_lines_say_all(model: str, tertium: Tertium) -> None:
    """An object a text."""
    lines = tertium("translate", model, "in.txt", "-f", "jsonl", "--n-best", "2").out.splitlines()
    found = [json.loads(line) for line in lines]
    assert [each["number"] for each in found] == list(range(1, len(TEXTS) + 2))
    assert [each["source"] for each in found] == [*TEXTS, ""]
    assert all(len(each["translations"]) == 2 for each in found[:-1])


@pytest.mark.parametrize(
    "search", ["greedy", "beam:width=2", "sample:seed=3", "exact", "mbr:candidates=sample:count=4"]
)
def test_every_search_translates(model: str, tertium: Tertium, search: str) -> None:
    """And gives the same again."""
    once = tertium("translate", model, "in.txt", "--search", search, "--max-length", "5")
    assert (once.code, once.err) == (0, "")
    assert tertium("translate", model, "in.txt", "--search", search, "--max-length", "5").out == once.out


@pytest.mark.parametrize("options", [[], ["--n-best", "2"], ["-f", "jsonl"], ["--search", "sample:seed=1"]])
def test_an_interrupted_file_is_gone_on_with(model: str, tertium: Tertium, options: list[str]) -> None:
    """It is the file that one run would have written."""
    tertium("translate", model, "in.txt", "-o", "whole.txt", *options)
    assert tertium("translate", model, "in.txt", "-o", "out.txt", *options).code == 0
    whole = Path("whole.txt").read_bytes()
    assert Path("out.txt").read_bytes() == whole
    Path("out.txt").unlink()
    from tertium.data.resumable import ResumableFile

    for cut in (0, len(whole) // 2, len(whole) - 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ResumableFile, "finish", lambda self: None)  # the power goes out
            tertium("translate", model, "in.txt", "-o", "out.txt", *options)
        Path("out.txt.part").write_bytes(whole[:cut])
        run = tertium("translate", model, "in.txt", "-o", "out.txt", *options)
        assert run.code == 0
        assert Path("out.txt").read_bytes() == whole
        Path("out.txt").unlink()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "in.txt"], "nowhere"),
        (["m", "nowhere.txt"], "nowhere.txt"),
        (["m", "in.txt", "--search", "bean"], "did you mean beam"),
        (["m", "in.txt", "--overlong", "cut"], "'cut'"),
        (["m", "in.txt", "-f", "text", "--scores"], "choose tsv or jsonl"),
        (["m", "in.txt", "-f", "xml"], "unknown output format 'xml'"),
        (["m", "in.txt", "--search", "greedy", "--n-best", "2"], "greedy search gives one translation"),
        (["m", "in.txt", "--precision", "half"], "half"),
        (["m", "in.txt", "--n-best", "0"], "at least 1"),
    ],
)
def test_a_mistake_is_one_line(model: str, tertium: Tertium, arguments: list[str], message: str) -> None:
    """On standard error, with exit code 2, and nothing else is printed."""
    run = tertium("translate", *arguments)
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1
    assert message in run.err


def test_damaged_models_are_refused(model: str, tertium: Tertium) -> None:
    """A part that is missing is named, and weights that are no numbers."""
    import torch
    from safetensors.torch import load_file, save_file

    weights = load_file("m/model.safetensors")
    name = next(iter(weights))
    save_file(weights | {name: torch.full_like(weights[name], float("nan"))}, "m/model.safetensors")
    assert "not finite" in tertium("translate", model, "in.txt").err
    Path("m/model.safetensors").unlink()
    assert "m/model.safetensors" in tertium("translate", model, "in.txt").err


def test_a_text_that_is_too_long_is_named(model: str, tertium: Tertium) -> None:
    """Or split, where that is asked for."""
    short = trained(NETWORK)
    short.longest_source = 20
    short.save("short")
    Path("long.txt").write_text("a cat\n" + "the cat sat on the mat. " * 9 + "\n")
    run = tertium("translate", "short", "long.txt")
    assert (run.code, run.out) == (2, "")
    assert "text 2 has" in run.err
    assert len(tertium("translate", "short", "long.txt", "--overlong", "split").out.splitlines()) == 2


def test_bytes_that_are_no_text_are_named_by_line(model: str) -> None:
    """Of standard input too."""
    command = [sys.executable, "-m", "tertium", "translate", model]
    run = subprocess.run(command, input=b"a cat\n\xff\xfe\n", capture_output=True, check=False)
    assert run.returncode == 2
    assert b"standard input:2 is not UTF-8" in run.stderr


def test_engines_translate_too(here: Path, tertium: Tertium) -> None:
    """A command, line by line."""
    Path("in.txt").write_text("a cat\n\nthe dog\n")
    assert tertium("translate", "command:tr a-z A-Z", "in.txt").out == "A CAT\n\nTHE DOG\n"
