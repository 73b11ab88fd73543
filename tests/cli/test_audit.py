"""`tertium audit` and `tertium score-translation`: the library's numbers, in every format; mistakes in one line."""

import json
from pathlib import Path

import pytest

from commandline import Tertium
from models.small import TEXTS, trained
from tertium.decoding.audit import audit
from tertium.decoding.beam import Beam
from tertium.decoding.findings import conclude
from tertium.decoding.forced import score_texts
from tertium.decoding.length import Length
from tertium.decoding.search import Limits
from tertium.models.trained import TrainedModel

NETWORK = "transformer:layers=1,width=16,heads=2,hidden=16,dropout=0"
GIVEN = ["a cat", "the dog", "the mouse", "no dog", "a mat"]
COMMON = ("m", "ref.txt", "--source", "in.txt", "--max-length", "8")


@pytest.fixture
def model(here: Path) -> TrainedModel:
    """A small model in the current folder, beside five texts and their translations."""
    made = trained(NETWORK)
    made.save(here / "m")
    (here / "in.txt").write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")
    (here / "ref.txt").write_text("".join(f"{text}\n" for text in GIVEN), encoding="utf-8")
    return TrainedModel.load(here / "m")


def test_the_audit_is_that_of_the_library(model: TrainedModel, tertium: Tertium) -> None:
    """JSON has every number of `conclude(audit(...))`, with the options given."""
    run = tertium("audit", *COMMON, "--search", "beam:width=2,alpha=1", "--sweep", "1", "2", "-f", "json", "-n", "200")
    assert (run.code, run.err) == (0, "")
    found = json.loads(run.out)
    references = [[text] for text in GIVEN]
    expected = audit(model, TEXTS, references, Beam(width=2, alpha=1.0), limits=Limits(absolute=8), widths=[1, 2])
    assert [each["verdict"] for each in found["sentences"]] == [case.verdict for case in expected.cases]
    assert [each["margin"] for each in found["sentences"]] == pytest.approx([case.margin for case in expected.cases])
    assert found["search"] == repr(Beam(width=2, alpha=1.0))
    assert [each["metrics"] for each in found["sweep"]] == [each.metrics for each in expected.sweep]
    assert [each["rule"] for each in found["advice"]] == [each.rule for each in conclude(expected).advice]
    assert found["resampling"]["samples"] == 200


def test_tables_stand_under_their_names(model: TrainedModel, tertium: Tertium) -> None:
    """Those that there are; the advice comes last."""
    run = tertium("audit", *COMMON, "--sweep", "1", "2", "--exact", "--seconds", "0.2", "-f", "table")
    assert (run.code, run.err) == (0, "")
    places = [
        run.out.index(name) for name in ("Who is at fault\n", "Exact search\n", "Beam sweep\n", "Examples\n", "\n- ")
    ]
    assert places == sorted(places)
    shorter = tertium("audit", *COMMON, "-f", "table").out
    assert "Exact search\n" not in shorter
    assert "Beam sweep\n" not in shorter


def test_tsv_is_one_table(model: TrainedModel, tertium: Tertium) -> None:
    """Who is at fault, or the one asked for."""
    assert tertium("audit", *COMMON).rows[0][:3] == ["source tokens", "sentences", "matches"]
    rows = tertium("audit", *COMMON, "--show", "sentences").rows
    assert rows[0][:3] == ["line", "source tokens", "verdict"]
    assert [row[0] for row in rows[1:]] == ["1", "2", "3", "4", "5"]
    assert len(tertium("audit", *COMMON, "--show", "sentences", "--first", "2").rows) == 3


def test_the_page_is_one_file(model: TrainedModel, tertium: Tertium) -> None:
    """Beside what is printed."""
    run = tertium("audit", *COMMON, "--sweep", "1", "2", "--html", "audit.html")
    assert (run.code, run.err) == (0, "")
    page = Path("audit.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "<h2>Beam sweep</h2>" in page


def test_translations_may_be_given(model: TrainedModel, tertium: Tertium) -> None:
    """The references themselves are matches, all of them."""
    run = tertium("audit", *COMMON, "-i", "ref.txt", "--show", "sentences")
    assert {row[2] for row in run.rows[1:]} == {"match"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["m", "ref.txt"], "missing option '--source'"),
        (["nowhere", "ref.txt", "--source", "in.txt"], "nowhere"),
        (["m", "ref.txt", "--source", "in.txt", "--search", "bean"], "did you mean beam"),
        (["m", "ref.txt", "--source", "in.txt", "--search", "mbr"], "maximises no score of the model"),
        (["m", "ref.txt", "--source", "in.txt", "--sweep", "1", "two"], "--sweep has 'two'"),
        (["m", "ref.txt", "--source", "in.txt", "--show", "exact"], "--show exact needs --exact"),
        (["m", "ref.txt", "--source", "in.txt", "--show", "all"], "unknown table of an audit 'all'"),
        (["m", "ref.txt", "--source", "in.txt", "--show", "faults", "examples"], "tsv is one table"),
        (["m", "ref.txt", "--source", "in.txt", "--html", "no/where.html"], "no/where.html cannot be written"),
        (["m", "refA.txt", "--source", "in.txt"], "18 segments"),
        (["command:cat", "ref.txt", "--source", "in.txt"], "decodes by itself"),
    ],
)
def test_a_mistake_is_one_line(model: TrainedModel, tertium: Tertium, arguments: list[str], message: str) -> None:
    """On standard error, with exit code 2, and nothing else is printed."""
    run = tertium("audit", *arguments)
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1
    assert message in run.err


class TestScoreTranslation:
    """`tertium score-translation`."""

    def test_the_numbers_are_those_of_the_library(self, model: TrainedModel, tertium: Tertium) -> None:
        """By segment: tokens, log P, log P of a token, perplexity and the score under the objective given."""
        run = tertium("score-translation", "m", "in.txt", "ref.txt", "-sl", "--alpha", "1")
        assert (run.code, run.err) == (0, "")
        assert run.rows[0] == ["system", "segment", "tokens", "log P", "per token", "perplexity", "score"]
        for row, each in zip(run.rows[1:], score_texts(model, TEXTS, GIVEN, Length(alpha=1.0)), strict=True):
            assert int(row[2]) == len(each.tokens)
            mean = each.log_prob / len(each.tokens)
            assert float(row[3]) == pytest.approx(each.log_prob, abs=1e-4)
            assert float(row[4]) == pytest.approx(mean, abs=1e-4)
            assert float(row[6]) == pytest.approx(mean, abs=1e-4)  # divided by all tokens at alpha 1

    def test_systems_side_by_side(self, model: TrainedModel, tertium: Tertium) -> None:
        """A line each: means of a segment, perplexity over all tokens."""
        run = tertium("score-translation", "m", "in.txt", "ref.txt", "in.txt", "--normalise", "none")
        assert [row[0] for row in run.rows] == ["system", "ref.txt", "in.txt"]
        found = score_texts(model, TEXTS, GIVEN)
        assert int(run.rows[1][2]) == sum(len(each.tokens) for each in found)
        assert float(run.rows[1][3]) == pytest.approx(sum(each.log_prob for each in found) / 5, abs=1e-4)
        assert run.rows[1][3] == run.rows[1][6]

    def test_token_by_token(self, model: TrainedModel, tertium: Tertium) -> None:
        """Each with its text and its log probability; they sum to the segment's."""
        rows = tertium("score-translation", "m", "in.txt", "ref.txt", "--per-token").rows
        first = [row for row in rows[1:] if row[1] == "1"]
        (expected,) = score_texts(model, TEXTS[:1], GIVEN[:1])
        assert [int(row[3]) for row in first] == list(expected.tokens)
        assert [float(row[5]) for row in first] == pytest.approx(list(expected.token_log_probs), abs=1e-4)
        assert first[-1][4] == "(end)"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["m", "in.txt", "refA.txt"], "18 segments"),
            (["m", "in.txt", "ref.txt", "--normalise", "powr"], "did you mean power"),
            (["m", "in.txt", "ref.txt", "-sl", "--per-token"], "exclude each other"),
            (["command:cat", "in.txt", "ref.txt"], "decodes by itself"),
            (["m", "in.txt"], "missing argument"),
        ],
    )
    def test_a_mistake_is_one_line(
        self, model: TrainedModel, tertium: Tertium, arguments: list[str], message: str
    ) -> None:
        """On standard error, with exit code 2."""
        run = tertium("score-translation", *arguments)
        assert (run.code, run.out) == (2, "")
        assert run.err.count("\n") == 1
        assert message in run.err
