"""Shares and means of an audit: counted by hand, intervals by their definition."""

import math
from dataclasses import replace

import numpy as np
import pytest

from decoding.test_audit import LIMITS, REFERENCES, SOURCES
from decoding.toy import Toy
from tertium.decoding.audit import Audit, audit
from tertium.decoding.audit_shares import Resampling, exact_facts, faults, mean_of, share, sweep_facts, unreachable
from tertium.decoding.beam import Beam
from tertium.decoding.exact import Exact
from tertium.decoding.findings import conclude, examples

BEAM = Beam(width=1, normalise="power", alpha=1.0)


def many(*, exact=True, widths=(1, 2, 4), seeds=6) -> Audit:
    """An audit of thirty sentences, gathered from toy models; of the first two the best sequence is the reference."""
    audits = []
    for seed in range(seeds):
        toy = Toy(kind="flat", seed=seed)
        best = [toy.ranked(tuple(toy.source_tokens(text)), BEAM.length, 5)[0][1] for text in SOURCES[:2]]
        references = [*([toy.text(tokens)] for tokens in best), *REFERENCES[2:]]
        search = Exact() if exact else None
        audits.append(audit(toy, SOURCES, references, BEAM, limits=LIMITS, exact=search, widths=widths))
    sweep = tuple(
        replace(
            audits[0].sweep[i],
            found=tuple(found for each in audits for found in each.sweep[i].found),
            outputs=tuple(text for each in audits for text in each.sweep[i].outputs),
        )
        for i in range(len(widths))
    )
    cases = [case for each in audits for case in each.cases]
    cases = [replace(case, line=line) for line, case in enumerate(cases, 1)]
    return replace(audits[0], cases=tuple(cases), sweep=sweep)


def test_a_share_is_a_count_among_a_count():
    """3 of the 4 that are asked about; of nothing there is no share."""
    found = share([True, True, False, True, True], [True, True, True, True, False])
    assert (found.count, found.of, found.value) == (3, 4, 0.75)
    assert 0 <= found.low < 0.75 < found.high <= 1
    nothing = share([True, False], [False, False])
    assert (nothing.count, nothing.of) == (0, 0)
    assert all(map(math.isnan, (nothing.value, nothing.low, nothing.high)))


def test_the_interval_of_a_share_is_that_of_a_binomial():
    """60 of 200: the normal approximation says 0.3 +- 1.96 sqrt(0.3 0.7 / 200) = 0.236 to 0.364; ours to 0.01."""
    found = share([i % 10 < 3 for i in range(200)], how=Resampling(samples=4000))
    assert (found.low, found.high) == pytest.approx((0.2365, 0.3635), abs=0.01)


@pytest.mark.parametrize(("n", "bound"), [(1, 0.95), (10, 0.2589), (100, 0.0295)])
def test_where_none_or_all_are_counted_the_bound_is_exact(n, bound):
    """A share p of which none of n would be seen with probability 5%: (1 - p)^n = 0.05."""
    none, every = share([False] * n), share([True] * n)
    assert (none.low, none.high) == (0.0, pytest.approx(bound, abs=1e-4))
    assert (every.low, every.high) == (pytest.approx(1 - bound, abs=1e-4), 1.0)


def test_a_mean_and_its_interval():
    """The numbers 0 to 99: 49.5 +- 1.96 * 28.87 / 10 = 43.8 to 55.2."""
    found = mean_of([float(i) for i in range(100)], Resampling(samples=4000))
    assert (found.value, found.of) == (49.5, 100)
    assert (found.low, found.high) == pytest.approx((43.84, 55.16), abs=0.5)
    assert math.isnan(mean_of([]).value)


def test_faults_are_counted_over_all_and_by_length():
    """Every case is in `all` and in one bucket; matches are no errors; a bucket that is everything is not shown."""
    found = many(exact=False)
    everything, *buckets = faults(found, edges=(2, 3))
    assert everything.sentences == 30
    assert [each.group for each in buckets] == ["1 to 2", "3", "over 3"]  # tokens of the source, its end counted
    assert [each.sentences for each in buckets] == [12, 12, 6]
    for name in ("search", "model", "raw_search", "matches"):
        assert sum(getattr(each, name).count for each in buckets) == getattr(everything, name).count
    assert everything.search.count == sum(case.verdict == "search" for case in found.cases) > 0
    assert everything.search.count + everything.model.count == everything.search.of == 30 - everything.matches.count
    assert [each.group for each in faults(found, edges=(99,))] == ["all"]


def test_exact_facts_count_what_is_known():
    """True search errors, modes and gaps of the cases themselves; shares of modes only of those that are proven."""
    found = many(widths=())
    facts = exact_facts(found)
    missed = [case for case in found.cases if case.missed]
    assert (facts.missed.count, facts.missed.of, facts.unknown.count) == (len(missed), 30, 0)
    assert 0 < len(missed) < 30
    gaps = [max(case.best.score, case.reference.score) - case.found.score for case in found.cases]
    assert facts.gap.value == facts.gap_bound.value == pytest.approx(np.mean(np.maximum(gaps, 0)), abs=1e-9)
    unproven = replace(found.cases[0], mode=replace(found.cases[0].mode, proven=False))
    fewer = exact_facts(replace(found, cases=(unproven, *found.cases[1:])))
    assert (facts.mode_known.count, fewer.mode_known.count) == (30, 29)
    assert fewer.empty.of == fewer.short.of == fewer.mode_gap.of == 29
    assert facts.empty.count == sum(case.mode_is_empty for case in found.cases) > 0
    assert exact_facts(many(exact=False, seeds=1)) is None


def test_the_sweep_counts_what_each_width_misses():
    """Against the best that is known: of exact search none is missed by more, and wider misses less, here."""
    found = many()
    facts = sweep_facts(found)
    assert [each.width for each in facts] == [1, 2, 4]
    for each, width in zip(facts, found.sweep, strict=True):
        best = [max(case.best.score, case.reference.score) for case in found.cases]
        beaten = [b > h.score + 1e-4 for b, h in zip(best, width.found, strict=True)]
        assert each.missed.count == sum(beaten)
        assert each.score == pytest.approx(np.mean([h.score for h in width.found]))
    counts = [each.missed.count for each in facts]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[2]
    assert facts[0].missed.count == exact_facts(found).missed.count  # the beam of one that is audited


def test_what_the_search_cannot_give_is_counted():
    """A reference beyond the limit, where no other is within it; one of probability 0."""
    found = audit(Toy(), ["w2", "w2"], [["w0 w0 w0 w0 w0"], ["w0 w0 w0 w0 w0", "w3"]], limits=LIMITS)
    assert unreachable(found) == {"longer": 1, "impossible": 0}
    never = replace(found.cases[1], given=tuple(replace(each, log_prob=-math.inf) for each in found.cases[1].given))
    assert unreachable(replace(found, cases=(never,))) == {"longer": 0, "impossible": 1}


def test_examples_are_the_largest_of_their_kind():
    """Search errors by the margin, model errors by the margin the other way, at most so many."""
    found = conclude(many(widths=())).audit
    chosen = examples(found, 2)
    assert list(chosen) == ["search", "model", "missed", "short mode"]
    search = sorted((case.margin for case in found.cases if case.verdict == "search"), reverse=True)
    assert [case.margin for case in chosen["search"]] == search[:2]
    model = sorted(case.margin for case in found.cases if case.verdict == "model")
    assert [case.margin for case in chosen["model"]] == model[:2]
    assert all(case.missed for case in chosen["missed"])
    assert all(case.mode_is_short for case in chosen["short mode"])
