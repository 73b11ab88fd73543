"""chrF equals sacreBLEU in every option, on hand-made and on real texts."""

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import realdata
from strategies import characters
from tertium.data.segments import References
from tertium.errors import OptionError
from tertium.metrics.chrf import CHRF

OPTIONS = [
    {},
    {"words": 1},
    {"words": 2},
    {"order": 3, "beta": 3.0},
    {"lowercase": True},
    {"whitespace": True},
    {"eps_smoothing": True},
    {"words": 2, "eps_smoothing": True, "lowercase": True},
]


def peer(options: dict) -> sacrebleu.CHRF:
    """sacreBLEU's metric with the same options."""
    return sacrebleu.CHRF(
        char_order=options.get("order", 6),
        word_order=options.get("words", 0),
        beta=options.get("beta", 2),
        lowercase=options.get("lowercase", False),
        whitespace=options.get("whitespace", False),
        eps_smoothing=options.get("eps_smoothing", False),
    )


def assert_equal_to_peer(options: dict, hypotheses: list[str], streams: list[list[str]]) -> None:
    metric, other = CHRF(**options), peer(options)
    rows = metric.statistics(hypotheses, References.from_streams(streams))
    expected = other._extract_corpus_statistics(hypotheses, streams)
    assert rows.astype(int).tolist() == expected
    total = other._compute_f_score([sum(column) for column in zip(*expected, strict=True)])
    assert metric.score(rows.sum(axis=0)) == pytest.approx(total, abs=1e-9)
    segment_scores = [other._compute_f_score(row) for row in expected]
    assert metric.score(rows).tolist() == pytest.approx(segment_scores, abs=1e-9)


def test_one_letter_against_two():
    """By hand: "a" against "ab": P1 = 1/1, R1 = 1/2, no bigram in the hypothesis; F2 = 5 * .5 / (4 + .5) = 55.56."""
    metric = CHRF(order=2)
    rows = metric.statistics(["a"], ["ab"])
    assert rows.tolist() == [[1, 2, 1, 0, 1, 0]]
    assert metric.score(rows)[0] == pytest.approx(100 * 2.5 / 4.5)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_edge_cases_equal_sacrebleu(options):
    """Empty texts on either side, one token, white space only, strange white space, capitals beyond ASCII."""
    hypotheses = ["", "a", "", "   ", "İSTANBUL ΣΑΣ", "a\u00a0b\u3000c", "(hi) there.", "x" * 70]
    references = ["a b", "", "", "b", "i̇stanbul σας", "a b c", "(hi), there!", "x" * 65]
    assert_equal_to_peer(options, hypotheses, [references])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_several_references_equal_sacrebleu(options):
    """The first best reference wins; ties between references are decided as sacreBLEU decides them."""
    hypotheses = ["the cat the cat", "ab", "", "one two three"]
    streams = [["the cat", "ba", "x", "one two"], ["cat the", "ab", "", "two three"], ["the the", "ab", "y", "three"]]
    assert_equal_to_peer(options, hypotheses, streams)


@given(
    st.lists(st.tuples(st.text(characters, max_size=20), st.text(characters, max_size=20)), min_size=1, max_size=4),
    st.sampled_from(OPTIONS),
)
def test_any_text_equals_sacrebleu(texts, options):
    """Arbitrary Unicode gives sacreBLEU's integers and scores."""
    assert_equal_to_peer(options, [a for a, _ in texts], [[b for _, b in texts]])


@pytest.mark.parametrize(
    "options",
    [
        {"order": 0},
        {"order": -1},
        {"order": 10**9},
        {"order": 101},
        {"words": 10**9},
        {"beta": 0.0},
        {"beta": float("nan")},
        {"beta": float("inf")},
        {"beta": 1e200},
    ],
    ids=str,
)
def test_impossible_options_are_refused(options):
    """Options that leave nothing to count, fill the memory or make scores NaN raise when the metric is made."""
    with pytest.raises(OptionError, match="chrf"):
        CHRF(**options)


@pytest.mark.data
@pytest.mark.parametrize("name", ["wmt22/de-en", "wmt22/en-zh", "wmt23/en-he"])
def test_a_system_of_the_real_data_equals_sacrebleu(name):
    """The first 400 segments of one system, all references."""
    pair = realdata.wmt(name)
    system = next(iter(pair.systems.values()))
    streams = [reference[:400] for reference in pair.references.values()]
    for options in ({}, {"words": 2}):
        assert_equal_to_peer(options, system[:400], streams)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", realdata.pairs())
def test_every_system_equals_sacrebleu(name):
    """Every system of every language pair, chrF and chrF++, against all references."""
    pair = realdata.wmt(name)
    for system in pair.systems.values():
        for options in ({}, {"words": 2}):
            assert_equal_to_peer(options, system, list(pair.references.values()))
