"""References in every shape that is unambiguous; the transposed ones are refused, not scored."""

import warnings
from collections import deque

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


def test_token_lists_with_one_reference_each_are_not_ambiguous():
    """Two segments of two tokens are no square of references; a square of tokenised references is, and warns."""
    hypotheses = [["the", "cat"], ["a", "dog"]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pair(hypotheses, hypotheses)[1].count == (1, 1)
    with pytest.warns(UserWarning, match="2 segments with 2 references each"):
        pair(hypotheses, [hypotheses, [["the", "big", "cat"], ["one", "dog"]]])


@pytest.mark.parametrize(
    "square",
    [[["the cat", "a dog"], [None, "r"]], [deque(["a", "b"]), deque(["c", "d"])], [("a", "b"), ("c", None)]],
    ids=repr,
)
def test_a_square_is_seen_through_gaps_and_other_sequences(square):
    """References that may be streams warn also where one is missing, and as tuples or deques."""
    with pytest.warns(UserWarning, match="2 segments with 2 references each"):
        pair(["a", "b"], square)


def test_the_warning_points_to_the_caller():
    """Whichever door it came through, the warning names the line of the user's own code."""
    hypotheses, square = ["a", "b"], [["a", "b"], ["c", "d"]]
    doors = (
        lambda: tertium.score("bleu", hypotheses, square),
        lambda: tertium.score_systems(["chrf"], {"x": hypotheses}, square),
        lambda: tertium.compare({"x": hypotheses}, square, interval="none"),
        lambda: tertium.metric("ter").statistics(hypotheses, square),
    )
    for door in doors:
        with pytest.warns(UserWarning, match="references each") as caught:
            door()
        assert {warning.filename for warning in caught} == {__file__}


def test_tokenised_references_may_begin_with_a_gap():
    """Whether a segment has one reference or a list of them is seen at the first that has any."""
    references = pair([["a", "b"], ["c"]], [[None, ["a", "b"]], [["c"]]])[1]
    assert [list(stream) for stream in references.streams] == [[None, ["c"]], [["a", "b"], None]]
    assert list(pair([[], ["b"]], [[], ["b"]])[1].streams[0]) == [[], ["b"]]
    with pytest.raises(InputError, match=r"references\[0\]: there is no reference"):
        pair([["a"], ["b"]], [[], [["b"]]])


def test_a_reference_that_is_no_text_is_named_as_the_user_wrote_it():
    """references[segment][reference], for types and for lone surrogates."""
    with pytest.raises(InputError, match=r"^references\[1\]\[0\] is of type int"):
        pair(["a", "b"], [["a", "c"], [5]])
    with pytest.raises(InputError, match=r"^references\[0\]\[1\] has a lone surrogate"):
        pair(["a", "b"], [["a", "\ud800"], ["b"]])


def test_streams_by_name_are_references():
    """A dict, as a test set has it, is one stream a file."""
    assert pair(["a", "b"], {"refA": ["a", "b"], "refB": ["c", None]})[1].count == (1, 2)


def test_signatures_say_that_no_tokenizer_was_run():
    """Token lists are counted as they are, and the signature says so."""
    assert "|references=1|input=tokens|" in tertium.score("bleu", [["a"]], [["a"]]).signature
    assert "input" not in tertium.score("bleu", ["a"], ["a"]).signature
