"""A search audit as records: everything that was counted, and every sentence, for JSON."""

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # they need torch, which is loaded only where an audit is made
    from tertium.decoding.audit import Case
    from tertium.decoding.findings import Findings


def records(findings: "Findings") -> dict[str, Any]:
    """All of it."""
    audit = findings.audit
    return {
        "search": audit.search,
        "objective": repr(audit.length),
        "limits": repr(audit.limits),
        "exact_search": audit.exact,
        "resampling": asdict(findings.resampling),
        "advice": [asdict(each) for each in findings.advice],
        "faults": [_facts(each) for each in findings.faults],
        "exact": None if findings.exact is None else _facts(findings.exact),
        "sweep": [_facts(each) for each in findings.sweep],
        "skipped": [asdict(each) for each in audit.skipped],
        "sentences": [sentence(case) for case in audit.cases],
    }


def _facts(facts: Any) -> dict[str, Any]:
    """The fields as they are; shares and means with their value first."""
    from tertium.decoding.audit_shares import Mean, Share

    out: dict[str, Any] = {}
    for field in fields(facts):
        value = getattr(facts, field.name)
        out[field.name] = {"value": value.value, **asdict(value)} if isinstance(value, (Share, Mean)) else value
    return out


def sentence(case: "Case") -> dict[str, Any]:
    """One sentence: texts, verdicts, scores."""
    record: dict[str, Any] = {
        "line": case.line,
        "source": case.source,
        "output": case.output,
        "references": list(case.references),
        "source_tokens": case.source_tokens,
        "verdict": case.verdict,
        "raw_verdict": case.raw_verdict,
        "score": case.found.score,
        "log_prob": case.found.log_prob,
        "tokens": len(case.found.tokens),
        "reference_scores": [each.score for each in case.given],
        "reference_log_probs": [each.log_prob for each in case.given],
        "margin": case.margin,
        "raw_margin": case.raw_margin,
    }
    if case.best and case.mode:
        for name, found, text in (("best", case.best, case.best_text), ("mode", case.mode, case.mode_text)):
            record[name] = {
                "text": text,
                "score": found.score,
                "log_prob": found.log_prob,
                "tokens": len(found.tokens),
                "proven": found.proven,
                "bound": found.bound,
                "proven_to": found.proven_to,
                "expansions": found.expansions,
                "seconds": found.seconds,
            }
    return record
