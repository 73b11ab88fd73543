"""The audit's tables, records and page show the numbers that were counted."""

import json
from dataclasses import replace

import pytest

from decoding.test_audit_shares import many
from tertium.decoding.findings import Findings, conclude, examples
from tertium.report import audit_tables
from tertium.report.audit_page import audit_page
from tertium.report.tables import FORMATS, render


@pytest.fixture(scope="module")
def findings() -> Findings:
    """An audit of toys with everything in it, and a text that must be escaped."""
    found = many()
    shown = examples(found, 1)["search"][0]
    cases = [replace(case, output="<b>&amp;") if case is shown else case for case in found.cases]
    sweep = tuple(replace(width, metrics={"bleu": 10.0 * width.width}) for width in found.sweep)
    return conclude(replace(found, cases=tuple(cases), sweep=sweep))


def cells(table, heading):
    at = [column.name for column in table.columns].index(heading)
    return [row[at] for row in table.rows]


def test_faults_add_up(findings: Findings) -> None:
    """Matches, search and model make all sentences; shares are of the errors, in per cent."""
    table = audit_tables.table_of_faults(findings)
    for row in table.rows:
        _, sentences, matches, search, model, share, low, high, rest, _ = row
        assert matches + search + model == sentences
        assert share == pytest.approx(100 * search / (search + model))
        assert low <= share <= high
        assert share + rest == pytest.approx(100)
    assert cells(table, "sentences")[0] == 30
    assert "length:normalise=power,alpha=1,count_end=yes" in table.notes[0]


def test_exact_and_sweep_show_the_facts(findings: Findings) -> None:
    """A line for each question, a line for each width."""
    exact = audit_tables.table_of_exact(findings)
    assert cells(exact, "sentences")[:2] == [findings.exact.missed.count, findings.exact.unknown.count]
    sweep = audit_tables.table_of_sweep(findings)
    assert cells(sweep, "width") == [1, 2, 4]
    assert cells(sweep, "bleu") == [10.0, 20.0, 40.0]
    assert cells(sweep, "missed %") == [100 * each.missed.value for each in findings.sweep]


def test_examples_and_sentences(findings: Findings) -> None:
    """Examples show what was better; every sentence has its line."""
    table = audit_tables.table_of_examples(findings, 2)
    assert cells(table, "kind").count("search") == 2
    for kind, line, margin, _, output, instead in table.rows:
        case = findings.audit.cases[line - 1]
        assert (margin, output) == (case.margin, case.output)
        if kind == "search":
            assert instead in case.references
        if kind == "missed":
            assert instead == case.best_text
    sentences = audit_tables.table_of_sentences(findings)
    assert cells(sentences, "verdict") == [case.verdict for case in findings.audit.cases]
    assert cells(sentences, "mode proven") == ["yes"] * 30


@pytest.mark.parametrize("format", FORMATS)
def test_every_table_has_every_format(findings: Findings, format: str) -> None:
    """Nothing in them that a format cannot hold."""
    for name in ("faults", "exact", "sweep", "examples", "sentences"):
        assert render(getattr(audit_tables, f"table_of_{name}")(findings), format)


def test_json_has_all_of_it(findings: Findings) -> None:
    """Advice, shares with counts and intervals, every sentence with its texts."""
    records = json.loads(render(audit_tables.table_of_faults(findings), "json"))
    assert records["faults"][0]["search"]["count"] == findings.faults[0].search.count
    assert records["faults"][0]["search"]["value"] == findings.faults[0].search.value
    assert records["exact"]["gap"]["value"] == findings.exact.gap.value
    assert [each["width"] for each in records["sweep"]] == [1, 2, 4]
    assert [each["rule"] for each in records["advice"]] == [each.rule for each in findings.advice]
    assert len(records["sentences"]) == 30
    assert "<b>&amp;" in [each["output"] for each in records["sentences"]]
    assert records["sentences"][1]["best"]["proven"] is True


def test_what_was_left_out_is_said(findings: Findings) -> None:
    """How many, and why."""
    from tertium.decoding.audit import Skipped

    audit = replace(findings.audit, skipped=(Skipped(3, "the source is empty"), Skipped(7, "the source is empty")))
    notes = audit_tables.table_of_faults(replace(findings, audit=audit)).notes
    assert "2 sentences were left out, the source is empty: 2." in notes


def test_the_page_has_every_part_and_no_foreign_markup(findings: Findings) -> None:
    """Advice, tables, pictures, examples; texts escaped."""
    page = audit_page(findings, "A <title>")
    for heading in ("What to do next", "Who is at fault", "Exact search", "Beam sweep", "Examples"):
        assert f"<h2>{heading}</h2>" in page
    assert page.count("<svg") == 4  # bleu, score, search errors, seconds
    assert "&lt;b&gt;&amp;amp;" in page
    assert "<b>&" not in page
    assert "<title>A &lt;title&gt;</title>" in page
