"""`tertium explain` and `tertium tokenize`: what a score is made of."""

import io
import json

import pytest

from commandline import Tertium

THE_CAT = ("--text", "the cat is on the mat", "there is a cat on the mat", "-i", "the cat the cat on the mat")


def test_the_cat_of_the_textbooks(tertium: Tertium) -> None:
    """By hand: of 7 words the third "the" and the second "cat" are clipped, so p1 = 5/7; p2 = 4/6: "the cat" once,
    "cat on", "on the", "the mat"; p3 = 2/5: "cat on the", "on the mat"; p4 = 1/4: "cat on the mat"."""
    run = tertium("explain", *THE_CAT)
    assert run.rows[0][:3] == ["order", "matches", "of"]
    assert [[float(cell) for cell in row[1:3]] for row in run.rows[1:]] == [[5, 7], [4, 6], [2, 5], [1, 4]]


def test_each_ngram_names_the_reference_that_allowed_it(tertium: Tertium) -> None:
    """ "the cat" is credited once thanks to the first reference, "cat on" thanks to the second; "cat the" never."""
    run = tertium("explain", *THE_CAT, "--show", "ngrams")
    table = {row[1]: row[2:] for row in run.rows[1:]}
    assert table["the cat"] == ["2", "1", "1"]
    assert table["cat on"] == ["1", "1", "2"]
    assert table["cat the"] == ["1", "0", ""]
    drawn = tertium("explain", *THE_CAT, "--show", "ngrams", "-f", "table").out
    assert drawn.endswith(
        "hypothesis: the cat the cat on the mat\n"
        "reference 1: the cat is on the mat\nreference 2: there is a cat on the mat\n"
    )


@pytest.mark.usefixtures("here")
def test_the_worst_segments_come_first(tertium: Tertium) -> None:
    """A segment's contribution is the score less the score without it; the most harmful stands on top."""
    run = tertium("explain", "refA.txt", "-i", "Drossel.txt", "--show", "segments", "--top", "0", "-m", "chrf")
    contributions = [float(row[3]) for row in run.rows[1:]]
    assert len(contributions) == 18
    assert contributions == sorted(contributions)
    score = float(tertium("score", "refA.txt", "-i", "Drossel.txt", "-m", "chrf").rows[1][1])
    for row in run.rows[1:]:
        assert float(row[2]) + float(row[3]) == pytest.approx(score, abs=1e-9)
    assert len(tertium("explain", "refA.txt", "-i", "Drossel.txt", "--show", "segments", "--top", "3").rows) == 4


@pytest.mark.usefixtures("here")
def test_json_has_the_score_and_the_penalty(tertium: Tertium) -> None:
    """The orders and what stands below them in a drawn table."""
    found = json.loads(tertium("explain", "refA.txt", "-i", "Drossel.txt", "-f", "json").out)
    assert len(found["orders"]) == 4
    assert found["score"] <= found["score_without_penalty"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("refA.txt -i Fink.txt --show order", "unknown view 'order'; did you mean orders?"),
        ("refA.txt -i Fink.txt --segment 19", "there is no segment 19: there are 18"),
        ("refA.txt -i Fink.txt --show ngrams", "there are 18 segments: choose one with --segment"),
        ("refA.txt -i Fink.txt --show orders --segment 1", "--segment chooses the segment of --show ngrams"),
        ("refA.txt -i sample.tsv", "sample.tsv has 3 systems: choose one, sample.tsv:COLUMN"),
        ("refA.txt -i Fink.txt -m chrf --segment 1", "chrf has no table of n-grams"),
        ("--text word", "--text needs a hypothesis"),
    ],
)
def test_mistakes_are_one_line(tertium: Tertium, arguments: str, message: str) -> None:
    """What was asked for and cannot be shown."""
    run = tertium("explain", *arguments.split())
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert message in run.err


@pytest.mark.usefixtures("here")
def test_tokens_stand_between_spaces(tertium: Tertium, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each segment, from a file, a column or standard input."""
    first = 'Fink.txt: "Security goes before", said'
    run = tertium("tokenize", "Fink.txt", "-tok", "13a")
    assert run.out.splitlines()[2] == '" Security goes before " , said mayor Ilse Fire on Friday .'
    column = tertium("tokenize", "sample.tsv:sys:Fink", "-lc")
    assert column.out.splitlines()[2] == '" security goes before " , said mayor ilse fire on friday .'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{first}\n\nÉT\n".encode())))
    assert tertium("tokenize", "-tok", "char", "-lc").out.splitlines()[1:] == ["", "é t"]
