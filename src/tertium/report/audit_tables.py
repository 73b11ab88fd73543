"""Tables of a search audit: who is at fault, what exact search adds, the beam sweep, examples, all sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.report.audit_records import records
from tertium.report.tables import Cell, Column, Table

if TYPE_CHECKING:  # they need torch, which is loaded only where an audit is made
    from tertium.decoding.audit import Case
    from tertium.decoding.audit_shares import Mean, Share
    from tertium.decoding.findings import Findings

WIDEST = 48  # cells of a text in a drawn table
EXAMPLES = 3  # of each kind


def table_of_faults(findings: "Findings") -> Table:
    """Who is at fault, in all sentences and by length; shares in per cent of the errors."""
    shares = ("search %", "low", "high", "model %", "raw search %")
    rows: list[list[Cell]] = [
        [
            each.group,
            each.sentences,
            each.matches.count,
            each.search.count,
            each.model.count,
            *(100 * value for value in (each.search.value, each.search.low, each.search.high, each.model.value)),
            100 * each.raw_search.value,
        ]
        for each in findings.faults
    ]
    audit = findings.audit
    notes = [
        f"Search at fault: a reference scores above the output under {_objective(findings)}; raw: under log P. Matches "
        f"are no errors. low and high bound the {findings.resampling.confidence:.0%} interval.",
        *([f"{len(audit.skipped)} sentences were left out, {_reasons(findings)}."] if audit.skipped else []),
        _signature(findings),
    ]
    heading = ("source tokens", "sentences", "matches", "search", "model", *shares)
    return Table(tuple(map(Column, heading)), rows, notes=tuple(notes), records=records(findings))


def table_of_exact(findings: "Findings") -> Table:
    """What exact search found, a line for each question."""
    facts = findings.exact
    assert facts is not None
    rows: list[list[Cell]] = [
        _share_row("a better sequence is known: true search error", facts.missed),
        _share_row("none is known, none is ruled out", facts.unknown),
        _mean_row("score of the best known above the output", facts.gap),
        _mean_row("score that any could have above the output", facts.gap_bound),
        _share_row("the mode, the most probable sequence, is known", facts.mode_known),
        _share_row("of those: it is empty", facts.empty),
        _share_row("of those: less than half the shortest reference", facts.short),
        _mean_row("log P of the mode above the output", facts.mode_gap),
    ]
    note = (
        f"Median of a sentence: proven up to {facts.reached:.0%} of the length limit, {facts.expansions:,.0f} prefixes "
        f"looked at, {facts.seconds:.2f} CPU seconds. {findings.audit.exact}"
    )
    decimals = ("what", None), ("sentences", None), ("of", None), ("value", 3), ("low", 3), ("high", 3)
    return Table(tuple(Column(name, digits) for name, digits in decimals), rows, notes=(note,))


def _share_row(what: str, share: "Share") -> list[Cell]:
    return [what, share.count, share.of, share.value, share.low, share.high]


def _mean_row(what: str, mean: "Mean") -> list[Cell]:
    return [what, None, mean.of, mean.value, mean.low, mean.high]


def table_of_sweep(findings: "Findings") -> Table:
    """A line for each width."""
    names = list(findings.sweep[0].metrics) if findings.sweep else []
    rows: list[list[Cell]] = [
        [
            each.width,
            *each.metrics.values(),
            each.score,
            each.log_prob,
            each.tokens,
            *(100 * value for value in (each.search.value, each.missed.value, each.missed.low, each.missed.high)),
            each.seconds,
        ]
        for each in findings.sweep
    ]
    columns = [Column("width"), *map(Column, names), Column("score", 4), Column("log P", 3), Column("tokens")]
    columns += map(Column, ("search %", "missed %", "low", "high", "seconds"))
    note = (
        "search: of the errors, a reference scores above the output. missed: of all sentences, a known sequence does, "
        "be it a reference, of another width, or what exact search found. Means of a sentence; CPU seconds of all."
    )
    return Table(tuple(columns), rows, notes=(note,))


def table_of_examples(findings: "Findings", count: int = EXAMPLES) -> Table:
    """The sentences that say most: `count` of each kind."""
    from tertium.decoding.findings import examples

    rows: list[list[Cell]] = []
    for kind, cases in examples(findings.audit, count).items():
        for case in cases:
            rows.append([kind, case.line, case.margin, case.raw_margin, case.output, best_text(case, kind)])
    columns = ("kind", None), ("line", None), ("margin", 3), ("raw margin", 3), ("output", None), ("instead", None)
    note = (
        "margin: by how much the best reference scores above the output. instead: that reference, what exact search "
        "found, or the mode."
    )
    return Table(
        tuple(Column(name, digits, WIDEST if digits is None else None) for name, digits in columns), rows, notes=(note,)
    )


def best_text(case: "Case", kind: str) -> str:
    """What an example shows instead of the output."""
    if kind == "short mode":
        return case.mode_text or "(empty)"
    return case.best_text if kind == "missed" else case.references[case.given.index(case.reference)]


def table_of_sentences(findings: "Findings") -> Table:
    """A line for each sentence: verdicts and scores."""
    names = ("line", "source tokens", "verdict", "raw verdict", "score", "log P", "margin", "raw margin")
    more = ("best score", "best proven", "mode log P", "mode tokens", "mode proven")
    rows: list[list[Cell]] = []
    for case in findings.audit.cases:
        row: list[Cell] = [case.line, case.source_tokens, case.verdict, case.raw_verdict]
        row += [case.found.score, case.found.log_prob, case.margin, case.raw_margin]
        if case.best and case.mode:
            row += [case.best.score, _yes(case.best.proven)]
            row += [case.mode.log_prob, len(case.mode.tokens), _yes(case.mode.proven)]
        rows.append(row)
    columns = names + more if findings.audit.exact else names
    return Table(tuple(Column(name, None if "tokens" in name else 3) for name in columns), rows)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _objective(findings: "Findings") -> str:
    length = findings.audit.length
    return "log P" if length.normalise == "none" else f"log P divided for length, {length!r}"


def _reasons(findings: "Findings") -> str:
    reasons: Sequence[str] = [each.why for each in findings.audit.skipped]
    counts = {why: reasons.count(why) for why in reasons}
    return "; ".join(f"{why}: {count}" for why, count in counts.items())


def _signature(findings: "Findings") -> str:
    from tertium import __version__

    audit, how = findings.audit, findings.resampling
    facts = f"samples={how.samples}|confidence={how.confidence!r}|seed={how.seed}"
    return f"audit|{audit.search}|{audit.limits!r}|{facts}|tertium={__version__}"
