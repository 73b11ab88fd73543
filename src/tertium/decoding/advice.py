"""What to do next: sentences that follow from the numbers of an audit by fixed rules.

Each rule looks at numbers that the tables show, and at the safe end of their intervals: "search" needs the lower end
above SEARCH, "train" the upper end below TRAIN. The rules, in the order of what they say:

    few       fewer than FEW errors: the shares are too uncertain to act on
    search    search is at fault for more than SEARCH of the errors: widen the beam as far as the sweep shows that it
              helps and quality does not fall; without a sweep, make one
    train     search is at fault for less than TRAIN of the errors: more search cannot help. Where exact search finds
              many true search errors all the same, what was missed is not what people say
    both      neither is certain: most of the errors are the model's, and the others worth a look
    curse     the model's own preferences are worse: from the best width of the sweep to the widest quality falls by
              WORSE or more while the objective rises; the widest that loses less is wide enough
    mode      a too short translation, or none, is the most probable one for more than MODES of the sentences
    length    the outputs have less than SHORTER, or more than LONGER times the tokens of the references
    objective who is at fault depends on the normalisation: the shares differ by OBJECTIVE or more
    reach     the search cannot give some references: the length limit, or tokens that the model never predicts

docs/search-audit.md has the same rules in words.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium.decoding.audit import Audit
from tertium.decoding.audit_shares import ExactFacts, Faults, Share, WidthFacts, unreachable
from tertium.registry import metric

FEW = 50
SEARCH = 0.10
TRAIN = 0.10
WORSE = 0.5  # points of the sweep's first metric
MODES = 0.05
SHORTER, LONGER = 0.9, 1.1
OBJECTIVE = 0.15
FEWER = 0.9  # a wider beam helps if it leaves at most this share of the search errors


@dataclass(frozen=True)
class Advice:
    """A sentence of advice and the rule that gave it."""

    rule: str
    text: str


def advise(
    audit: Audit, faults: Sequence[Faults], sweep: Sequence[WidthFacts] = (), exact: ExactFacts | None = None
) -> list[Advice]:
    """The advice that the numbers of an audit give."""
    everything = faults[0]
    return [
        *_few(everything),
        *_fault(audit, everything, sweep, exact),
        *_curse(audit, sweep),
        *_mode(exact),
        *_length(audit),
        *_objective(everything),
        *_reach(audit),
    ]


def per_cent(share: Share) -> str:
    """A share with its interval.

    >>> per_cent(Share(31, 100, 0.224, 0.402))
    '31% (22% to 40%)'
    """
    return f"{share.value:.0%} ({share.low:.0%} to {share.high:.0%})"


def _few(faults: Faults) -> Iterator[Advice]:
    if faults.search.of < FEW:
        yield Advice(
            "few", f"audit more sentences: {faults.search.of} errors are too few to tell who is at fault for most."
        )


def _fault(audit: Audit, faults: Faults, sweep: Sequence[WidthFacts], exact: ExactFacts | None) -> Iterator[Advice]:
    if not faults.search.of:
        return
    missed = exact is not None and exact.missed.low > SEARCH
    if faults.search.low > SEARCH:
        yield Advice("search", _widen(audit, f"search is at fault for {per_cent(faults.search)} of the errors", sweep))
    elif faults.search.high < TRAIN and not missed:
        yield Advice("train", f"train: search is at fault for {per_cent(faults.search)} of the errors only.")
    elif faults.search.high < TRAIN and exact is not None:
        yield Advice(
            "train",
            f"train: a better sequence was missed in {per_cent(exact.missed)} of the sentences, but a reference scores "
            f"above the output in only {per_cent(faults.search)} of the errors: what the search misses is not what "
            "people say.",
        )
    else:
        yield Advice(
            "both",
            f"train first, the model is at fault for {per_cent(faults.model)} of the errors; then look at the search, "
            f"at fault for {per_cent(faults.search)}.",
        )


def _widen(audit: Audit, why: str, sweep: Sequence[WidthFacts]) -> str:
    """How far to raise the width, as the sweep shows it."""
    if audit.width is None:
        return f"search harder: {why}. A beam can be widened; the search audited has no width."
    own = next((each for each in sweep if each.width == audit.width), None)
    wider = [each for each in sweep if each.width > audit.width]
    if own is None or not wider:
        return (
            f"raise the width: {why}. --sweep {audit.width} {2 * audit.width} {4 * audit.width} shows how far it helps."
        )
    helps = [each for each in wider if each.search.count <= FEWER * own.search.count and _gain(own, each) > -WORSE]
    if not helps:
        return (
            f"do not raise the width, though {why}: up to {wider[-1].width} it leaves {per_cent(wider[-1].search)}, "
            f"and {_change(own, wider[-1])}."
        )
    best = max(helps, key=lambda each: (round(_gain(own, each), 1), -each.width))
    return (
        f"raise the width from {audit.width} to {best.width}: {why}; {per_cent(best.search)} are left, "
        f"{_change(own, best)}, for {best.seconds / max(own.seconds, 1e-9):.1f} times the time."
    )


def _gain(old: WidthFacts, new: WidthFacts) -> float:
    """How much better the sweep's first metric is; 0 where there is none."""
    name = next(iter(old.metrics), None)
    if name is None:
        return 0.0
    sign = 1 if metric(name).higher_is_better else -1
    return sign * (new.metrics[name] - old.metrics[name])


def _change(old: WidthFacts, new: WidthFacts) -> str:
    changes = [f"{name} {old.metrics[name]:.1f} to {new.metrics[name]:.1f}" for name in old.metrics]
    return ", ".join(changes) or f"the mean score {old.score:.3f} to {new.score:.3f}"


def _curse(audit: Audit, sweep: Sequence[WidthFacts]) -> Iterator[Advice]:
    if len(sweep) < 2 or not sweep[0].metrics:
        return
    best = max(sweep, key=lambda each: (_gain(sweep[0], each), -each.width))
    widest = sweep[-1]
    if _gain(widest, best) >= WORSE and widest.score > best.score:
        good = max((each for each in sweep if _gain(each, best) < WORSE), key=lambda each: each.width)
        yield Advice(
            "curse",
            f"no wider than {good.width}: at {widest.width} the search finds what the model likes better, and it is "
            f"worse ({_change(good, widest)}). Normalise for length, or train.",
        )


def _mode(exact: ExactFacts | None) -> Iterator[Advice]:
    if exact is None or not exact.short.of or exact.short.low <= MODES:
        return
    yield Advice(
        "mode",
        f"keep normalising for length: under log P alone the best sequence is empty for {per_cent(exact.empty)} of the "
        f"sentences and has less than half the reference for {per_cent(exact.short)}.",
    )


def _length(audit: Audit) -> Iterator[Advice]:
    own = sum(len(case.found.tokens) for case in audit.cases)
    ratio = own / sum(len(case.reference.tokens) for case in audit.cases)
    what = "longer outputs (a higher alpha)" if ratio < SHORTER else "shorter outputs (a lower alpha)"
    if not SHORTER <= ratio <= LONGER:
        yield Advice("length", f"ask for {what}: they have {ratio:.2f} times the tokens of the references.")


def _objective(faults: Faults) -> Iterator[Advice]:
    difference = abs(faults.search.value - faults.raw_search.value)
    if math.isfinite(difference) and difference >= OBJECTIVE:
        yield Advice(
            "objective",
            f"mind the objective: by log P alone search would be at fault for {per_cent(faults.raw_search)} of the "
            f"errors instead of {per_cent(faults.search)}.",
        )


def _reach(audit: Audit) -> Iterator[Advice]:
    counts = unreachable(audit)
    if counts["longer"]:
        yield Advice("reach", f"raise the length limit: {_sentences(counts['longer'])} all references beyond it.")
    if counts["impossible"]:
        yield Advice(
            "reach",
            f"look at the vocabulary: {_sentences(counts['impossible'])} only references that the model cannot say.",
        )


def _sentences(count: int) -> str:
    return "1 sentence has" if count == 1 else f"{count} sentences have"
