"""`tertium compare`: the numbers of `tertium.compare`, in every format."""

import json

import pytest

import tertium as library
from commandline import Tertium
from tertium.data import sample
from tertium.stats.comparison import COLUMNS

FILES = ("refA.txt", "refB.txt", "-i", "Drossel.txt", "Amsel.txt", "Fink.txt")


@pytest.mark.usefixtures("here")
def test_the_numbers_are_those_of_the_library(tertium: Tertium) -> None:
    """All columns of its records, all digits, best system first; the baseline is the first system."""
    run = tertium("compare", *FILES, "-m", "bleu", "chrf", "-n", "200", "--seed", "7")
    assert (run.code, run.err) == (0, "")
    header, *rows = run.rows
    assert header == list(COLUMNS)
    test_set = sample.test_set()
    systems = {f"{name}.txt": test_set.systems[name] for name in ("Drossel", "Amsel", "Fink")}
    references = library.References.from_streams(list(test_set.references.values()))
    records = library.compare(systems, references, ["bleu", "chrf"], samples=200, seed=7).records()
    assert [row[:2] for row in rows] == [
        [metric, f"{name}.txt"] for metric in ("bleu", "chrf") for name in ("Amsel", "Drossel", "Fink")
    ]
    expected = {
        (record["metric"], record["system"]): ["" if value is None else str(value) for value in record.values()]
        for record in records
    }
    for row in rows:
        assert row == expected[row[0], row[1]]


@pytest.mark.usefixtures("here")
def test_the_baseline_and_the_test_can_be_chosen(tertium: Tertium) -> None:
    """The baseline has no difference and no p-value; the signature names the test and its trials."""
    run = tertium(
        "compare", *FILES, "--baseline", "Fink.txt", "--test", "randomisation", "-n", "500", "-f", "table", "-w", "2"
    )
    table, _, notes = run.out.partition("\n\n")
    worst = table.splitlines()[-1].split()
    assert worst[:2] == ["bleu", "Fink.txt"]
    assert len(worst) == 6  # metric, system, score, low, high, cluster: no difference, p and p_holm
    assert "test=randomisation|samples=500" in notes
    assert "against Fink.txt" in notes


@pytest.mark.usefixtures("here")
def test_whole_documents_can_be_drawn(tertium: Tertium) -> None:
    """With four documents there are four groups, and the signature says so."""
    run = tertium("compare", "sample.tsv", "-i", "sample.tsv", "--by", "doc", "-f", "table", "-n", "50")
    assert "groups=4" in run.out


@pytest.mark.usefixtures("here")
def test_json_is_the_records(tertium: Tertium) -> None:
    """What does not apply is null."""
    records = json.loads(tertium("compare", *FILES, "-n", "50", "-f", "json").out)
    assert [list(record) for record in records] == [list(COLUMNS)] * 3
    (baseline,) = [record for record in records if record["system"] == "Drossel.txt"]
    assert baseline["p"] is None
    assert baseline["difference"] is None


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("refA.txt -i Fink.txt", "comparing needs two systems or more"),
        ("refA.txt", "comparing needs two systems or more"),
        (
            "refA.txt -i Fink.txt Amsel.txt --baseline Finke",
            "unknown system for a baseline 'Finke'; did you mean Fink.txt",
        ),
        ("refA.txt -i Fink.txt Amsel.txt --test botstrap", "unknown test 'botstrap'; did you mean bootstrap"),
        ("refA.txt -i Fink.txt Amsel.txt --interval bcaa", "unknown interval 'bcaa'; did you mean bca?"),
        ("refA.txt -i Fink.txt Amsel.txt --confidence 95", "95"),
        ("refA.txt -i Fink.txt Amsel.txt --confidence much", "'much'"),
        ("refA.txt -i Fink.txt Amsel.txt -n 0", "0 is not"),
    ],
)
def test_mistakes_are_one_line(tertium: Tertium, arguments: str, message: str) -> None:
    """Also those that only the statistics can see."""
    run = tertium("compare", *arguments.split())
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert message in run.err


def test_the_demo_shows_intervals_and_significance(tertium: Tertium) -> None:
    """Each metric has its ranking with intervals; Amsel, which translates best, is first, by TER with the least."""
    run = tertium("demo")
    assert (run.code, run.err) == (0, "")
    rows = [line.split() for line in run.out.splitlines() if line.startswith(("bleu ", "chrf ", "ter "))]
    assert [row[1] for row in rows] == ["Amsel", "Drossel", "Fink"] * 3
    for row in rows:
        score, low, high = map(float, row[2:5])
        assert low < score < high
    assert tertium("demo", "-f", "json").out.startswith("[")


def test_the_demo_says_where_it_cannot_write(tertium: Tertium) -> None:
    """A folder that cannot be made is the user's to mend."""
    run = tertium("demo", "--write", "/dev/null/sample")
    assert run.code == 2
    assert "/dev/null/sample cannot be written" in run.err
