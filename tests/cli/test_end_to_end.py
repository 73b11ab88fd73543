"""From parallel text to an audited system in one go: train, translate, score, ask for scores, audit."""

import json
from pathlib import Path

from commandline import Tertium
from tertium.data.sample import numbers


def test_a_model_is_trained_translates_is_scored_and_audited(here: Path, tertium: Tertium) -> None:
    """Each command takes what the one before left; the numbers agree with each other."""
    numbers.write(here)
    settings = ["training.steps=60", "validation.every=30", "training.tokens=512"]
    shape = "model.network=transformer:layers=1,width=32,heads=2,hidden=64,dropout=0"
    trained = tertium("train", "numbers.toml", "-o", "m", "--set", *settings, shape)
    assert (trained.code, trained.err) == (0, "")
    assert trained.out.splitlines()[-1].startswith("m: chrf ")

    test = "numbers.test.tsv"
    lines = Path(test).read_text(encoding="utf-8").split("\n")[1:21]
    Path("source.txt").write_text("".join(line.split("\t")[0] + "\n" for line in lines), encoding="utf-8")
    Path("reference.txt").write_text("".join(line.split("\t")[1] + "\n" for line in lines), encoding="utf-8")
    assert tertium("translate", "m", "source.txt", "-o", "output.txt", "--search", "beam:width=2").code == 0
    assert len(Path("output.txt").read_text(encoding="utf-8").splitlines()) == 20

    score = float(tertium("score", "reference.txt", "-i", "output.txt", "-m", "chrf", "-b").out)
    assert 0 < score <= 100

    found = tertium("translate", "m", "source.txt", "--search", "beam:width=2", "--scores").rows
    forced = tertium("score-translation", "m", "source.txt", "output.txt", "-f", "json")
    assert forced.code == 0
    (row,) = json.loads(forced.out)
    assert row["segments"] == 20
    assert row["log P"] < 0
    assert [row[2] for row in found] == Path("output.txt").read_text(encoding="utf-8").splitlines()

    audit = tertium(
        "audit", "m", "reference.txt", "--source", "source.txt", "--search", "beam:width=2", "--exact",
        "--seconds", "0.2", "--sweep", "1", "2", "--html", "audit.html", "-f", "json",
    )  # fmt: skip
    assert (audit.code, audit.err) == (0, "")
    assert json.loads(audit.out)
    assert Path("audit.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
