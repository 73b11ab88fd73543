"""References in every shape that is unambiguous; the transposed ones are refused, not scored."""

import warnings

import pytest

import tertium
from tertium import native
from tertium.data.segments import References, pair, pair_systems
from tertium.errors import InputError

HYPOTHESES = ["a b", "c d", "e f"]
STREAMS = [["a b", "c d", "e f"], ["a x", "c x", "e x"]]


def items(references: References) -> list[list]:
    return [[stream[i] for i in range(len(stream))] for stream in references.streams]


def test_one_text_a_segment():
    """A plain list is one reference for each segment."""
    texts, references = pair(HYPOTHESES, STREAMS[0])
    assert (len(texts), items(references), references.count) == (3, [STREAMS[0]], (1, 1))


def test_segments_and_streams_are_two_spellings_of_the_same():
    """`from_streams` and a list of lists by segment give the same streams."""
    by_segment = [list(references) for references in zip(*STREAMS, strict=True)]
    _, references = pair(HYPOTHESES, by_segment)
    assert items(references) == items(References.from_streams(STREAMS)) == STREAMS
    assert references.count == (2, 2)


def test_a_variable_number_of_references_leaves_gaps():
    """Segments with fewer references have None in the later streams; the count says fewest and most."""
    _, references = pair(HYPOTHESES, [["a b"], ["c d", "c x"], ["e f", "e g", "e h"]])
    assert items(references) == [["a b", "c d", "e f"], [None, "c x", "e g"], [None, None, "e h"]]
    assert references.count == (1, 3)
    assert References.from_streams([["a", "b"], ["c", None]]).count == (1, 2)


def test_streams_where_segments_are_expected_are_refused():
    """Two lists of three texts for three hypotheses: the message says what to call instead."""
    with pytest.raises(InputError, match=r"2 lists of 3 items.*from_streams"):
        pair(HYPOTHESES, STREAMS)
    with pytest.raises(InputError, match="from_streams"):
        tertium.score("bleu", HYPOTHESES, [STREAMS[0]])


def test_a_square_shape_warns():
    """Two segments with two references each can be read both ways: taken by segment, with a warning that says so."""
    with pytest.warns(UserWarning, match="2 segments with 2 references each"):
        pair(["a", "b"], [["a", "b"], ["c", "d"]])


def test_tokenised_references():
    """Token lists: one a segment, or several a segment."""
    tokens = [["a", "b"], ["c"]]
    _, single = pair(tokens, [["a", "b"], ["d"]])
    assert (items(single), single.count) == ([[["a", "b"], ["d"]]], (1, 1))
    _, tuples = pair(tokens, [("a", "b"), ("d",)])
    assert (items(tuples), tuples.count) == ([[["a", "b"], ["d"]]], (1, 1))
    _, several = pair(tokens, [[["a"], ["b"]], [["c"]]])
    assert several.count == (1, 2)
    assert several.streams[1].tokenised


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (HYPOTHESES, ["a", "b"], "3 hypotheses but references for 2 segments"),
        (HYPOTHESES, [], "no references"),
        (HYPOTHESES, "a b", "must be a list"),
        ([["a"], ["b"]], ["a", "b"], "hypotheses are token lists but the references are plain"),
        (HYPOTHESES, ["a", None, 3], "references"),
        ("a b", ["a b"], "wrap a single text in a list"),
        ((text for text in HYPOTHESES), HYPOTHESES, r"not generator: pass list\(...\)"),
        (["a", None, "c"], HYPOTHESES, r"hypotheses\[1\] is None"),
        ([["a"], None], [["a"], ["b"]], r"hypotheses\[1\] is None"),
        (HYPOTHESES, [["a b", "c"], "de", ["f"]], r"references\[1\] is of type str, not a list of texts"),
        (HYPOTHESES, [1, 2, 3], r"references\[0\] is of type int"),
        (HYPOTHESES, [{"a"}, {"b"}, {"c"}], r"references\[0\] is of type set"),
        (HYPOTHESES, [iter("ab"), ["c"], ["d"]], r"references\[0\] is of type str_ascii_iterator"),
        (HYPOTHESES, ["a", None, "c"], r"references\[1\]: there is no reference"),
        (HYPOTHESES, [None, "b", "c"], r"references\[0\]: there is no reference"),
        (HYPOTHESES, [["a"], [], ["c", "d"]], r"references\[1\]: there is no reference"),
        (HYPOTHESES, [["a"], ["b"], [None, None]], r"references\[2\]: there is no reference"),
        (HYPOTHESES, [None, None, None], r"references\[0\]: there is no reference"),
        (HYPOTHESES, [[], [], []], r"references\[0\]: there is no reference"),
    ],
)
def test_what_does_not_fit_is_refused(hypotheses, references, message):
    """Each mistake raises InputError and says what is wrong."""
    with pytest.raises(InputError, match=message):
        pair(hypotheses, references)


def test_streams_of_different_length_are_refused():
    """The message names the stream."""
    with pytest.raises(InputError, match="stream 1 has 2 segments, stream 0 has 3"):
        References.from_streams([["a", "b", "c"], ["a", "b"]])
    with pytest.raises(InputError, match="no references"):
        References.from_streams([])
    with pytest.raises(InputError, match="not NoneType"):
        References.from_streams(None)


def test_a_segment_may_have_no_list_of_references_while_it_has_none():
    """None among lists is an empty list: the count shows it, and so it does for plain texts and whole corpora."""
    assert References.from_segments([None, ["a", "b"]]).count == (0, 2)
    assert References.from_segments(["a", None]).count == (0, 1)
    assert References.from_segments(native.corpus(["a", None])).count == (0, 1)


def test_a_single_segment_with_one_reference_is_not_ambiguous():
    """One hypothesis with [["its reference"]] means the same either way: no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, references = pair(["a"], [["b"]])
    assert items(references) == [["b"]]


def test_systems_share_their_references():
    """Every system must fit the references; a system that does not is refused."""
    texts, references = pair_systems([HYPOTHESES, list(reversed(HYPOTHESES))], STREAMS[0])
    assert [len(text) for text in texts] == [3, 3]
    assert len(references) == 3
    with pytest.raises(InputError, match="2 hypotheses"):
        pair_systems([HYPOTHESES, ["a", "b"]], STREAMS[0])
    with pytest.raises(InputError, match="no systems"):
        pair_systems([], STREAMS[0])


@pytest.mark.parametrize("hypotheses", [["a", None], [["a"], None]])
def test_a_missing_hypothesis_is_refused(hypotheses):
    """A system must translate every segment: None is not an empty translation, and the error says which it is."""
    references = [["a"], ["b"]] if isinstance(hypotheses[0], str) else [[["a"]], [["b"]]]
    with pytest.raises(InputError, match=r"hypotheses\[1\] is None"):
        pair(hypotheses, references)
