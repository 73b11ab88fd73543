"""What an audit adds up to: shares of sentences with bootstrap intervals, by length, and mean gaps.

A share is a count among a count, so rows (counted, among) of sentences add, and the resampling is that of metrics
(`tertium.stats.bootstrap`): the test set is drawn again, sentences as they are. Where none of n is counted, or all are,
no draw can show anything else; there the exact one-sided bound is given, 1 - (1 - confidence)^(1/n) from the share.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.decoding.audit import MATCH, ROUNDING, SEARCH, Audit, Case
from tertium.decoding.sweep import Width
from tertium.stats import CONFIDENCE, SEED
from tertium.stats.bootstrap import bootstrap_scores, percentile_interval
from tertium.stats.means import mean, rows_of

EDGES = (10, 20, 30, 40)  # the most source tokens of each bucket; longer ones have a bucket of their own


@dataclass(frozen=True)
class Resampling:
    """How intervals are computed."""

    samples: int = 1000
    seed: int = SEED
    confidence: float = CONFIDENCE


DEFAULT_RESAMPLING = Resampling()


@dataclass(frozen=True)
class Share:
    """How many of how many, and the interval of the share."""

    count: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share; NaN of nothing."""
        return self.count / self.of if self.of else math.nan


@dataclass(frozen=True)
class Mean:
    """A mean over so many sentences, and its interval."""

    value: float
    of: int
    low: float
    high: float


@dataclass(frozen=True)
class Faults:
    """Who is at fault in a group of sentences; shares are those of the errors, which are not matches."""

    group: str
    sentences: int
    matches: Share  # of all sentences
    search: Share
    model: Share
    raw_search: Share  # under log P


@dataclass(frozen=True)
class ExactFacts:
    """What exact search adds. Shares are of all sentences, or of those whose mode is known."""

    missed: Share  # a better sequence is known: true search errors
    unknown: Share  # none is, and it is not proven that there is none
    gap: Mean  # by how much the best that is known scores above the output
    gap_bound: Mean  # by how much any sequence could
    mode_known: Share  # the most probable sequence of all is proven
    empty: Share  # of those: it has no words
    short: Share  # of those: it has less than half the tokens of the shortest reference
    mode_gap: Mean  # of those: by how much its log P is above that of the output
    reached: float  # the median of the proven share of the length limit
    expansions: float  # the median, of both searches of a sentence
    seconds: float  # the median


@dataclass(frozen=True)
class WidthFacts:
    """One width of a sweep."""

    width: int
    score: float
    log_prob: float
    tokens: float
    search: Share  # of the errors: a reference scores above the output
    missed: Share  # of all sentences: a known sequence scores above it, of another width, a reference or exact search
    metrics: dict[str, float]
    seconds: float


def share(counted: Sequence[bool], among: Sequence[bool] | None = None, how: Resampling = DEFAULT_RESAMPLING) -> Share:
    """The share of sentences that are counted among those that are asked about, all where nothing is said.

    >>> share([True, False, True, False], how=Resampling(samples=200)).value
    0.5
    >>> round(share([False] * 10).high, 3)  # 1 - 0.05 ** (1 / 10)
    0.259
    """
    asked = np.ones(len(counted)) if among is None else np.asarray(among, dtype=np.float64)
    flags = np.asarray(counted, dtype=np.float64) * asked
    count, of = int(flags.sum()), int(asked.sum())
    if of == 0:
        return Share(0, 0, math.nan, math.nan)
    if count in (0, of):
        reach = 1 - (1 - how.confidence) ** (1 / of)
        return Share(count, of, *((0.0, reach) if count == 0 else (1 - reach, 1.0)))
    with np.errstate(invalid="ignore"):  # a draw may have none of those asked about
        draws = bootstrap_scores(np.stack([flags, asked], -1)[None], mean, samples=how.samples, seed=how.seed)[:, 0]
    low, high = percentile_interval(draws[np.isfinite(draws)], how.confidence)
    return Share(count, of, float(low), float(high))


def mean_of(values: Sequence[float], how: Resampling = DEFAULT_RESAMPLING) -> Mean:
    """The mean of a number of each sentence."""
    if not len(values):
        return Mean(math.nan, 0, math.nan, math.nan)
    draws = bootstrap_scores(rows_of(values), mean, samples=how.samples, seed=how.seed)[:, 0]
    low, high = percentile_interval(draws, how.confidence)
    return Mean(float(np.mean(values)), len(values), float(low), float(high))


def faults(audit: Audit, how: Resampling = DEFAULT_RESAMPLING, edges: Sequence[int] = EDGES) -> list[Faults]:
    """Who is at fault: in all sentences, then by the number of source tokens."""
    return [_faults(group, cases, how) for group, cases in _groups(audit.cases, edges)]


def _groups(cases: Sequence[Case], edges: Sequence[int]) -> Iterator[tuple[str, Sequence[Case]]]:
    yield "all", cases
    for low, high in zip((0, *edges), (*edges, None), strict=True):
        inside = [case for case in cases if low < case.source_tokens and (high is None or case.source_tokens <= high)]
        if inside and len(inside) < len(cases):
            lowest = low + 1
            yield f"over {low}" if high is None else f"{lowest} to {high}" if lowest < high else str(high), inside


def _faults(group: str, cases: Sequence[Case], how: Resampling) -> Faults:
    errors = [case.verdict != MATCH for case in cases]
    search = [case.verdict == SEARCH for case in cases]
    return Faults(
        group=group,
        sentences=len(cases),
        matches=share([not error for error in errors], how=how),
        search=share(search, errors, how),
        model=share([not each for each in search], errors, how),
        raw_search=share([case.raw_verdict == SEARCH for case in cases], errors, how),
    )


def exact_facts(audit: Audit, how: Resampling = DEFAULT_RESAMPLING) -> ExactFacts | None:
    """What exact search adds; None where there was none."""
    if audit.exact is None:
        return None
    searched = [(case, case.best, case.mode) for case in audit.cases if case.best and case.mode]
    known = [mode.proven for *_, mode in searched]
    effort = [(best,) if best is mode else (best, mode) for _, best, mode in searched]
    return ExactFacts(
        missed=share([case.missed is True for case, *_ in searched], how=how),
        unknown=share([case.missed is None for case, *_ in searched], how=how),
        gap=mean_of([max(best.score - case.found.score, case.margin, 0.0) for case, best, _ in searched], how),
        gap_bound=mean_of([max(best.bound - case.found.score, case.margin, 0.0) for case, best, _ in searched], how),
        mode_known=share(known, how=how),
        empty=share([case.mode_is_empty for case, *_ in searched], known, how),
        short=share([case.mode_is_short for case, *_ in searched], known, how),
        mode_gap=mean_of([mode.log_prob - case.found.log_prob for case, _, mode in searched if mode.proven], how),
        reached=float(np.median([best.proven_to / case.limit for case, best, _ in searched])),
        expansions=float(np.median([sum(each.expansions for each in both) for both in effort])),
        seconds=float(np.median([sum(each.seconds for each in both) for both in effort])),
    )


def sweep_facts(audit: Audit, how: Resampling = DEFAULT_RESAMPLING) -> list[WidthFacts]:
    """Each width of the sweep."""
    cases = audit.cases
    best_known = [
        max(
            case.reference.score,
            case.found.score,
            case.best.score if case.best else -math.inf,
            *(width.found[i].score for width in audit.sweep),
        )
        for i, case in enumerate(cases)
    ]
    return [_width_facts(width, cases, best_known, how) for width in audit.sweep]


def _width_facts(width: Width, cases: Sequence[Case], best_known: Sequence[float], how: Resampling) -> WidthFacts:
    scores = [each.score for each in width.found]
    errors = [
        output.split() not in [each.split() for each in case.references]
        for output, case in zip(width.outputs, cases, strict=True)
    ]
    beaten = [case.reference.score - score > ROUNDING for case, score in zip(cases, scores, strict=True)]
    return WidthFacts(
        width=width.width,
        score=width.score,
        log_prob=width.log_prob,
        tokens=width.tokens,
        search=share(beaten, errors, how),
        missed=share([best - score > ROUNDING for best, score in zip(best_known, scores, strict=True)], how=how),
        metrics=width.metrics,
        seconds=width.seconds,
    )


def unreachable(audit: Audit) -> dict[str, int]:
    """Sentences whose best reference the search cannot give: longer than the limit, or of tokens never predicted."""
    return {
        "longer": sum(all(len(each.tokens) > case.limit for each in case.given) for case in audit.cases),
        "impossible": sum(all(not math.isfinite(each.log_prob) for each in case.given) for case in audit.cases),
    }
