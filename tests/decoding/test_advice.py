"""Each rule of the advice fires where its numbers say so, and nowhere else."""

import math
from dataclasses import replace

import pytest

from decoding.test_audit import LIMITS, REFERENCES, SOURCES
from decoding.toy import Toy
from tertium.decoding.advice import advise
from tertium.decoding.audit import audit
from tertium.decoding.audit_shares import ExactFacts, Faults, Mean, Share, WidthFacts
from tertium.decoding.beam import Beam
from tertium.decoding.greedy import Greedy

AUDIT = audit(Toy(), SOURCES, REFERENCES, Beam(width=4), limits=LIMITS)


def of(count, total=200):
    """A share with an interval of 5 points to each side."""
    value = count / total
    return Share(count, total, max(0.0, value - 0.05), min(1.0, value + 0.05))


def blamed(search, total=200, raw=None):
    return [
        Faults(
            "all",
            total,
            of(0, total),
            of(search, total),
            of(total - search, total),
            of(search if raw is None else raw, total),
        )
    ]


def width(size, search, bleu, score=-1.0, seconds=1.0):
    return WidthFacts(size, score, -9.0, 10.0, of(search), of(search), {"bleu": bleu}, seconds)


def exact(missed=0, empty=0, short=0):
    nothing = Mean(0.0, 200, 0.0, 0.0)
    return ExactFacts(of(missed), of(0), nothing, nothing, of(200), of(empty), of(short), nothing, 1.0, 1.0, 1.0)


def balanced(found=AUDIT):
    """The audit with outputs as long as the references."""
    return replace(found, cases=tuple(replace(case, given=(case.found,)) for case in found.cases))


def rules(faults, sweep=(), facts=None, found=None):
    return [each.rule for each in advise(found or balanced(), faults, sweep, facts)]


def text(rule, faults, sweep=(), facts=None, found=None):
    return next(each.text for each in advise(found or balanced(), faults, sweep, facts) if each.rule == rule)


@pytest.mark.parametrize(
    ("search", "total", "expected"),
    [
        (62, 200, ["search"]),  # 31%, at least 26%
        (31, 200, ["search"]),  # 15.5%, at least 10.5%
        (30, 200, ["both"]),  # 15%, at least 10%
        (11, 200, ["both"]),  # 5.5%, at most 10.5%
        (4, 200, ["train"]),  # 2%, at most 7%
        (1, 49, ["few", "train"]),
        (0, 0, ["few"]),
    ],
)
def test_the_intervals_decide_who_is_to_be_mended(search, total, expected):
    """More than 10% for sure: search; less than 10% for sure: train; else both; under 50 errors a warning first."""
    faults = blamed(search, total) if total else [Faults("all", 9, of(9, 9), *[Share(0, 0, math.nan, math.nan)] * 3)]
    assert rules(faults) == expected


def test_the_width_is_raised_as_far_as_quality_goes_along():
    """Of those that leave fewer search errors, the narrowest with the best first metric; with what it costs."""
    sweep = [
        width(1, 80, 29.0),
        width(4, 62, 30.0),
        width(8, 40, 30.42, seconds=2.0),
        width(16, 30, 30.39, seconds=5.0),
    ]
    assert text("search", blamed(62), sweep) == (
        "raise the width from 4 to 8: search is at fault for 31% (26% to 36%) of the errors; 20% (15% to 25%) are "
        "left, bleu 30.0 to 30.4, for 2.0 times the time."
    )


def test_the_width_is_not_raised_where_it_does_not_help():
    """Too few search errors less, or half a point of quality less."""
    for wider in (width(8, 60, 30.4), width(8, 20, 29.5)):
        said = text("search", blamed(62), [width(4, 62, 30.0), wider])
        assert said.startswith("do not raise the width, though search is at fault for 31%")


def test_without_a_sweep_one_is_proposed():
    """From the width audited; a search without a width is only told to search harder."""
    assert "--sweep 4 8 16" in text("search", blamed(62))
    greedy = balanced(audit(Toy(), SOURCES, REFERENCES, Greedy(), limits=LIMITS))
    assert text("search", blamed(62), found=greedy).startswith("search harder: search is at fault")


def test_a_missed_mode_is_no_reason_to_search_harder():
    """Exact search finds errors of the search, but references do not score higher: train."""
    said = text("train", blamed(4), facts=exact(missed=80))
    assert "missed in 40% (35% to 45%) of the sentences" in said
    assert "missed" not in text("train", blamed(4), facts=exact(missed=20))


def test_the_curse_of_wide_beams_is_named():
    """The objective rises while quality falls by half a point or more; not where it does not rise."""
    sweep = [width(1, 8, 29.0, -1.3), width(4, 4, 30.0, -1.1), width(16, 3, 29.4, -1.0)]
    assert text("curse", blamed(4), sweep).startswith(
        "no wider than 4: at 16 the search finds what the model likes better"
    )
    within = [width(1, 8, 30.0, -1.3), width(2, 4, 29.6, -1.1), width(16, 3, 29.4, -1.0)]
    assert text("curse", blamed(4), within).startswith("no wider than 2: at 16")  # 2 loses less than half a point
    assert "curse" not in rules(blamed(4), [*sweep[:2], width(16, 3, 29.6, -1.0)])
    assert "curse" not in rules(blamed(4), [*sweep[:2], width(16, 3, 29.4, -1.2)])


def test_short_modes_speak_for_normalisation():
    """More than 5% for sure."""
    said = text("mode", blamed(4), facts=exact(empty=12, short=40))
    assert "empty for 6% (1% to 11%) of the sentences and has less than half the reference for 20% (15% to 25%)" in said
    assert "mode" not in rules(blamed(4), facts=exact(short=20))


def test_lengths_that_differ_from_the_references():
    """Below 0.9 and above 1.1 times their tokens."""

    def longer(times):
        cases = [
            replace(
                case,
                found=replace(case.found, tokens=(2,) * round(10 * times)),
                given=(replace(case.found, tokens=(2,) * 10),),
            )
            for case in AUDIT.cases
        ]
        return replace(AUDIT, cases=tuple(cases))

    assert "a higher alpha): they have 0.80 times" in text("length", blamed(4), found=longer(0.8))
    assert "a lower alpha): they have 1.20 times" in text("length", blamed(4), found=longer(1.2))
    for times in (0.9, 1.0, 1.1):
        assert "length" not in rules(blamed(4), found=longer(times))


def test_the_objective_decides_where_normalisation_changes_the_verdict():
    """15 points between the objective's share and that of log P."""
    assert "by log P alone search would be at fault for 17%" in text("objective", blamed(4, raw=34))
    assert "objective" not in rules(blamed(4, raw=33))


def test_references_that_the_search_cannot_give():
    """Beyond the limit, or of probability 0."""
    cases = list(balanced().cases)
    cases[0] = replace(cases[0], limit=1)
    cases[1] = replace(cases[1], given=(replace(cases[1].found, log_prob=-math.inf),))
    found = replace(AUDIT, cases=tuple(cases))
    said = [each.text for each in advise(found, blamed(4)) if each.rule == "reach"]
    assert said == [
        "raise the length limit: 1 sentence has all references beyond it.",
        "look at the vocabulary: 1 sentence has only references that the model cannot say.",
    ]
