"""What an audit says when all is counted: the numbers, and the advice that follows from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tertium.decoding.advice import Advice, advise
from tertium.decoding.audit import MODEL, SEARCH, Audit, Case
from tertium.decoding.audit_shares import (
    DEFAULT_RESAMPLING,
    EDGES,
    ExactFacts,
    Faults,
    Resampling,
    WidthFacts,
    exact_facts,
    faults,
    sweep_facts,
)


@dataclass(frozen=True)
class Findings:
    """An audit and its numbers."""

    audit: Audit
    resampling: Resampling
    faults: tuple[Faults, ...]  # of all sentences, then by length
    exact: ExactFacts | None
    sweep: tuple[WidthFacts, ...]
    advice: tuple[Advice, ...]


def conclude(audit: Audit, how: Resampling = DEFAULT_RESAMPLING, edges: Sequence[int] = EDGES) -> Findings:
    """Count, resample, advise; `edges` are the most source tokens of each bucket of lengths."""
    blamed, searched, swept = faults(audit, how, edges), exact_facts(audit, how), sweep_facts(audit, how)
    return Findings(audit, how, tuple(blamed), searched, tuple(swept), tuple(advise(audit, blamed, swept, searched)))


def examples(audit: Audit, count: int) -> dict[str, list[Case]]:
    """The sentences that say most, `count` of each kind, those with the largest margins first.

    search, model: who is at fault. missed: the model is, and exact search knows a better sequence. short mode: the most
    probable sequence is empty or much too short.
    """
    return {kind: _largest(audit.cases, *wanted, count) for kind, wanted in KINDS.items()}


def _largest(
    cases: Sequence[Case], wanted: Callable[[Case], bool], size: Callable[[Case], float], count: int
) -> list[Case]:
    return sorted(filter(wanted, cases), key=lambda case: (-size(case), case.line))[:count]


def _missed_by(case: Case) -> float:
    return case.best.score - case.found.score if case.best else 0.0


def _mode_margin(case: Case) -> float:
    return case.mode.log_prob - case.found.log_prob if case.mode else 0.0


KINDS: dict[str, tuple[Callable[[Case], bool], Callable[[Case], float]]] = {
    "search": (lambda case: case.verdict == SEARCH, lambda case: case.margin),
    "model": (lambda case: case.verdict == MODEL, lambda case: -case.margin),
    "missed": (lambda case: case.verdict == MODEL and case.missed is True, _missed_by),
    "short mode": (lambda case: case.mode is not None and case.mode.proven and case.mode_is_short, _mode_margin),
}
