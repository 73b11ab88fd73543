"""The audit on toy models: every verdict from the model's own table, every share counted again."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decoding.toy import KINDS, Toy
from tertium.decoding.audit import MATCH, MODEL, ROUNDING, SEARCH, audit
from tertium.decoding.beam import Beam
from tertium.decoding.exact import Exact
from tertium.decoding.greedy import Greedy
from tertium.decoding.length import Length
from tertium.decoding.sampling import Sample
from tertium.decoding.search import Limits, search
from tertium.errors import InputError

SOURCES = ["w2 w3", "w4", "w3 w3 w2", "w2", "w4 w4"]
REFERENCES = [["w2", "w3 w0"], ["w0 w0"], ["w4 w2 w0"], ["w3", "w4"], ["w2 w2"]]
LIMITS = Limits(absolute=5)
STRATEGIES = [Greedy(), Beam(width=1), Beam(width=2, normalise="none"), Beam(width=2, alpha=1.0), Sample(seed=3)]


@given(st.sampled_from(KINDS), st.integers(0, 999), st.sampled_from(STRATEGIES))
@settings(max_examples=40)
def test_verdicts_follow_from_the_scores(kind, seed, strategy):
    """Match, search or model, for the best of the references, under the objective and under log P."""
    toy = Toy(kind=kind, seed=seed)
    outputs = search(toy, [toy.source_tokens(text) for text in SOURCES], strategy, limits=LIMITS)
    found = audit(toy, SOURCES, REFERENCES, strategy, limits=LIMITS)
    assert len(found.cases) == 5
    for text, references, (output,), case in zip(SOURCES, REFERENCES, outputs, found.cases, strict=True):
        source = tuple(toy.source_tokens(text))
        assert case.output == toy.text(output.tokens)
        sequences = [output.tokens, *(tuple(toy.target_tokens(each)) for each in references)]
        for length, verdict, margin in (
            (strategy.length, case.verdict, case.margin),
            (Length("none"), case.raw_verdict, case.raw_margin),
        ):
            own, *others = (length.score(toy.log_prob(source, each), len(each)) for each in sequences)
            assert margin == pytest.approx(max(others) - own, abs=1e-9)
            expected = SEARCH if max(others) > own + ROUNDING else MODEL
            assert verdict == (MATCH if case.output in references else expected)


@given(st.sampled_from(KINDS), st.integers(0, 999), st.sampled_from(STRATEGIES[:4]))
@settings(max_examples=15)
def test_exact_search_tells_what_was_missed(kind, seed, strategy):
    """A true search error is there if and only if some sequence scores higher; the mode is the enumeration's."""
    toy = Toy(kind=kind, seed=seed)
    found = audit(toy, SOURCES, REFERENCES, strategy, limits=LIMITS, exact=Exact(batch=5))
    for case in found.cases:
        source = tuple(toy.source_tokens(case.source))
        score, _ = toy.ranked(source, strategy.length, 5)[0]
        log_prob, tokens = toy.ranked(source, Length("none"), 5)[0]
        assert case.missed is (max(score, case.reference.score) > case.found.score + ROUNDING)
        assert case.best.score == pytest.approx(score, abs=1e-9)
        assert case.mode.log_prob == pytest.approx(log_prob, abs=1e-9)
        assert case.mode.proven
        if kind != "ties":
            assert case.mode.tokens == tokens
            assert case.mode_text == toy.text(tokens)
        assert case.mode_is_empty == (len(case.mode.tokens) == 1)


def test_a_short_mode_has_less_than_half_the_shortest_reference():
    """Three words need two; of two, one is half; the shorter of two references counts."""
    toy = Toy()
    (case,) = audit(toy, ["w2"], [["w2 w3 w4"]], limits=LIMITS, exact=Exact()).cases

    def short(words, *references):
        given = [replace(case.found, tokens=(*range(each), 1)) for each in references]
        mode = replace(case.mode, tokens=(*range(words), 1))
        return replace(case, mode=mode, given=tuple(given)).mode_is_short

    assert [short(1, 3), short(2, 3), short(1, 2), short(0, 1), short(1, 3, 2)] == [True, False, False, True, False]


def test_without_a_budget_nothing_is_claimed():
    """Only the root is looked at: what is said to be missed has a witness, what is not to be missed a proof."""
    toy = Toy(kind="flat", seed=4)
    found = audit(toy, SOURCES, REFERENCES, Beam(width=1), limits=LIMITS, exact=Exact(expansions=0))
    for case in found.cases:
        witnessed = max(case.best.score, case.reference.score) > case.found.score + ROUNDING
        assert case.missed is (True if witnessed else False if case.best.proven else None)
    assert None in {case.missed for case in found.cases}
    assert not all(case.mode.proven for case in found.cases)


def test_a_reference_beyond_the_limit_is_no_start_of_exact_search():
    """It may score higher than anything that the search can give; what is proven is proven within the limit."""
    toy = Toy(vocabulary_size=4, kind="flat", seed=1)
    long = " ".join(["w2"] * 6)
    (case,) = audit(toy, ["w2"], [[long]], Beam(alpha=3.0), limits=Limits(absolute=3), exact=Exact()).cases
    assert len(case.best.tokens) <= 3
    assert case.verdict == SEARCH
    assert case.missed is True


def test_translations_may_be_given():
    """They are scored as they are, whoever found them; an empty one too."""
    toy = Toy()
    found = audit(toy, SOURCES[:2], REFERENCES[:2], outputs=["w2", ""], limits=LIMITS)
    assert [case.output for case in found.cases] == ["w2", ""]
    assert found.search == "given"
    assert found.cases[0].verdict == MATCH
    assert found.cases[1].found.log_prob == pytest.approx(toy.log_prob(tuple(toy.source_tokens("w4")), (1,)), abs=1e-9)


def test_what_cannot_be_audited_is_said():
    """Empty sources, no references, too many tokens; the lines of the others are kept."""
    toy = Toy(longest_source=4, longest_target=4)
    sources = ["w2", " ", "w3", "w4 w4 w4 w4", "w2", "w3"]
    references = [["w2"], ["w2"], [None, " "], ["w2"], ["w0 w0 w0 w0"], ["w0 w0 w0 w0", "w4"]]
    found = audit(toy, sources, references, Greedy())
    assert [case.line for case in found.cases] == [1, 6]
    assert found.cases[1].references == ("w4",)
    assert [(each.line, each.why) for each in found.skipped] == [
        (2, "the source is empty"),
        (3, "there is no reference"),
        (4, "the source has more tokens than the model takes, 4"),
        (5, "every reference has more tokens than the model takes, 4"),
    ]
    with pytest.raises(InputError, match="no sentence can be audited; the first of 1: line 1, the source is empty"):
        audit(toy, [""], [["w2"]])
    with pytest.raises(InputError, match=r"\[2, 1\] segments"):
        audit(toy, ["w2", "w3"], [["w2"]])
    with pytest.raises(InputError, match=r"\[1, 1, 0\] segments"):
        audit(toy, ["w2"], [["w2"]], outputs=[])


def test_work_is_counted():
    """`watch` hears of every sentence of the search, of both exact searches and of each width."""
    heard = []
    audit(Toy(), SOURCES, REFERENCES, limits=LIMITS, exact=Exact(), widths=[1, 2, 2], watch=lambda: heard.append(1))
    assert len(heard) == 5 * (1 + 2 + 2)


def test_what_the_model_cannot_say_is_the_models_fault():
    """A reference of probability 0 is worse than any output."""
    toy = Toy()
    (case,) = audit(toy, ["w2"], [["w3 w0 w4 w0"]], limits=LIMITS).cases
    impossible = replace(case, given=(replace(case.given[0], log_prob=-math.inf, score=-math.inf),))
    assert impossible.verdict == impossible.raw_verdict == MODEL
