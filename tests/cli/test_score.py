"""`tertium score`: sacreBLEU's habits, many systems and metrics, groups, segments, formats."""

import io
import json
from pathlib import Path

import pytest
import sacrebleu

import realdata
from commandline import Tertium
from tertium import compare

SYSTEMS = ("Amsel.txt", "Drossel.txt", "Fink.txt")


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").split("\n")[:-1]


def test_scores_are_those_of_sacrebleu(here: Path, tertium: Tertium) -> None:
    """Two references, three systems, three metrics at once: sacreBLEU's scores of the same files, all digits."""
    run = tertium("score", "refA.txt", "refB.txt", "-i", *SYSTEMS, "-m", "bleu", "chrf", "chrf:words=2")
    assert (run.code, run.err) == (0, "")
    assert run.rows[0] == ["system", "bleu", "chrf", "chrf:words=2"]
    references = [lines("refA.txt"), lines("refB.txt")]
    for name, row in zip(SYSTEMS, run.rows[1:], strict=True):
        peers = [
            sacrebleu.corpus_bleu(lines(name), references).score,
            sacrebleu.corpus_chrf(lines(name), references).score,
            sacrebleu.corpus_chrf(lines(name), references, word_order=2).score,
        ]
        assert row[0] == name
        assert [float(cell) for cell in row[1:]] == pytest.approx(peers, abs=1e-9)


def test_standard_input_is_scored_where_no_file_is_given(
    here: Path, tertium: Tertium, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`cat hyp | tertium score ref`, and a dash for it among files."""
    for arguments in ([], ["-i", "-", "Amsel.txt"]):
        stdin = io.TextIOWrapper(io.BytesIO(Path("Fink.txt").read_bytes()))
        monkeypatch.setattr("sys.stdin", stdin)
        piped = tertium("score", "refA.txt", *arguments)
        assert piped.rows[1][0] == "-"
        assert piped.rows[1][1:] == tertium("score", "refA.txt", "-i", "Fink.txt").rows[1][1:]


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["-tok", "none"], {"tokenize": "none"}),
        (["--tokenize", "none"], {"tokenize": "none"}),
        (["-lc"], {"lowercase": True}),
        (["-s", "floor"], {"smooth_method": "floor"}),
        (["-s", "add-k", "-sv", "2"], {"smooth_method": "add-k", "smooth_value": 2}),
        (["-s", "none", "-lc", "-tok", "none"], {"smooth_method": "none", "lowercase": True, "tokenize": "none"}),
    ],
)
def test_the_flags_of_sacrebleu_mean_what_they_mean_there(
    here: Path, tertium: Tertium, flags: list[str], options: dict[str, object]
) -> None:
    """The same flags, the same score; `-b -w 4` prints the number alone."""
    run = tertium("score", "refA.txt", "-i", "Fink.txt", "-m", "bleu", *flags, "-b", "-w", "4")
    peer = sacrebleu.corpus_bleu(lines("Fink.txt"), [lines("refA.txt")], **options).score
    assert run.out == f"{peer:.4f}\n"


def test_flags_for_bleu_do_not_touch_other_metrics(here: Path, tertium: Tertium) -> None:
    """`-lc` is BLEU's, as in sacreBLEU; what a spelling says itself comes first; without BLEU the flag is refused."""
    both = tertium("score", "refA.txt", "-i", "Fink.txt", "-m", "bleu:lowercase=no", "chrf", "-lc", "-f", "json")
    signatures = [record["signature"] for record in json.loads(both.out)]
    assert "lowercase=no" in signatures[0]
    assert "lowercase=no" in signatures[1]
    refused = tertium("score", "refA.txt", "-i", "Fink.txt", "-m", "chrf", "-lc")
    assert refused.code == 2
    assert "-lc is an option of bleu" in refused.err
    assert "chrf:option=value" in refused.err


def test_per_segment_scores_are_sentence_scores(here: Path, tertium: Tertium) -> None:
    """A line for each segment, BLEU with the effective order, as sacreBLEU's `-sl` has it; segments count from 1."""
    run = tertium("score", "refA.txt", "-i", "Amsel.txt", "Fink.txt", "-m", "bleu", "chrf", "--per-segment")
    assert run.rows[0] == ["system", "segment", "bleu", "chrf"]
    assert [row[:2] for row in run.rows[1:]] == [[n, str(i)] for n in ("Amsel.txt", "Fink.txt") for i in range(1, 19)]
    for row, hypothesis, reference in zip(run.rows[1:19], lines("Amsel.txt"), lines("refA.txt"), strict=True):
        peers = [
            sacrebleu.sentence_bleu(hypothesis, [reference]).score,
            sacrebleu.sentence_chrf(hypothesis, [reference]).score,
        ]
        assert [float(cell) for cell in row[2:]] == pytest.approx(peers, abs=1e-9)


def test_groups_are_scored_as_corpora_of_their_own(here: Path, tertium: Tertium) -> None:
    """By domain of a column, by documents of a column, by labels of a file: each group has the score of its lines."""
    by_domain = tertium("score", "sample.tsv:ref:A", "-i", "sample.tsv:sys:Fink", "--by", "domain")
    assert by_domain.rows[0] == ["system", "domain", "segments", "bleu"]
    assert [row[1:3] for row in by_domain.rows[1:]] == [
        ["news", "5"],
        ["conversation", "5"],
        ["manual", "4"],
        ["literary", "4"],
    ]
    by_file = tertium("score", "refA.txt", "-i", "Fink.txt", "--by", "docs.txt")
    by_column = tertium("score", "sample.tsv:ref:A", "-i", "Fink.txt", "--by", "doc")
    assert by_file.rows[1:] == by_column.rows[1:]
    hypotheses, references = lines("Fink.txt"), lines("refA.txt")
    expected = sacrebleu.corpus_bleu(hypotheses[5:10], [references[5:10]]).score
    assert float(by_domain.rows[2][3]) == pytest.approx(expected, abs=1e-9)
    assert float(by_file.rows[2][3]) == pytest.approx(expected, abs=1e-9)


def test_a_table_with_columns_is_enough(here: Path, tertium: Tertium) -> None:
    """References and systems are found in one file by the names of its columns."""
    whole = tertium("score", "sample.tsv", "-i", "sample.tsv", "-m", "chrf")
    files = tertium("score", "refA.txt", "refB.txt", "-i", *SYSTEMS, "-m", "chrf")
    assert [row[0] for row in whole.rows[1:]] == ["Amsel", "Drossel", "Fink"]
    assert [row[1] for row in whole.rows] == [row[1] for row in files.rows]


def test_json_has_scores_signatures_and_details(here: Path, tertium: Tertium) -> None:
    """One record a system and metric; sacreBLEU's signature is null where sacreBLEU has no such metric."""
    run = tertium("score", "refA.txt", "refB.txt", "-i", "Amsel.txt", "-m", "bleu", "gleu", "--format", "json")
    bleu, gleu = json.loads(run.out)
    assert (bleu["system"], bleu["metric"], gleu["metric"]) == ("Amsel.txt", "bleu", "gleu")
    assert bleu["sacrebleu"] == "nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    assert gleu["sacrebleu"] is None
    assert bleu["signature"].startswith("bleu:order=4,")
    assert bleu["details"]


def test_a_drawn_table_says_what_was_measured(here: Path, tertium: Tertium) -> None:
    """One decimal, as sacreBLEU; below it the signatures, to be quoted."""
    run = tertium("score", "refA.txt", "-i", "Amsel.txt", "--format", "table")
    table, _, notes = run.out.partition("\n\n")
    score = sacrebleu.corpus_bleu(lines("Amsel.txt"), [lines("refA.txt")]).score
    assert table.splitlines()[-1].split() == ["Amsel.txt", f"{score:.1f}"]
    assert "bleu:order=4,tokenize=13a" in notes
    assert "nrefs:1|case:mixed" in notes


def test_intervals_are_those_of_the_library(here: Path, tertium: Tertium) -> None:
    """`-ci`: the bootstrap interval of each system by each metric, one system or many."""
    run = tertium("score", "refA.txt", "-i", "Fink.txt", "-m", "bleu", "chrf", "-ci")
    assert run.rows[0] == ["system", "bleu", "bleu low", "bleu high", "chrf", "chrf low", "chrf high"]
    records = compare({"Fink": lines("Fink.txt")}, lines("refA.txt"), ["bleu", "chrf"]).records()
    expected = [record[field] for record in records for field in ("score", "low", "high")]
    assert [float(cell) for cell in run.rows[1][1:]] == expected
    assert len(tertium("score", "refA.txt", "-i", "Fink.txt", "-ci", "-b").rows[0]) == 3


@pytest.mark.data
def test_a_wmt_table_is_scored_as_published(tertium: Tertium) -> None:
    """WMT22 de-en's systems from the packed table: the BLEU and chrF that the organisers published."""
    path = str(realdata.FOLDER / "wmt22/de-en.text.tsv.gz")
    run = tertium("score", f"{path}:ref:refA", "-i", f"{path}:sys:*", "-m", "bleu", "chrf")
    header, rows = realdata.read_table("wmt22/automatic-scores.tsv")
    records = [dict(zip(header, row, strict=True)) for row in rows]
    published = {
        (record["system"], record["metric"]): record["score"]
        for record in records
        if record["pair"] == "de-en" and record["metric"] in ("bleu-A", "chrf-A")
    }
    compared = 0
    for system, bleu, chrf in run.rows[1:]:
        for metric, ours in (("bleu-A", bleu), ("chrf-A", chrf)):
            if (system, metric) in published:
                assert float(ours) == pytest.approx(float(published[system, metric]), abs=1e-9)
                compared += 1
    assert compared >= 10
