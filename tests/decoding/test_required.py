"""Required phrases: always there, at the best place that a wide search could find, and not put off to the end."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from decoding.test_constraints import best_that_keep, inside
from decoding.toy import KINDS, Toy
from tertium.decoding.beam import Beam
from tertium.decoding.greedy import Greedy
from tertium.decoding.required import Required
from tertium.decoding.sampling import Sample
from tertium.decoding.search import Limits, search
from tertium.errors import InputError

SOURCES = [(2, 3), (4,), (3, 3, 2)]
PHRASES = [[[2, 3], [0]], [], [[3, 3, 2]]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_wide_beam_finds_the_best_sequences_that_have_the_phrases(kind):
    """The 6 best of all sequences that have them, for sources with two, no and one phrase in one batch."""
    toy = Toy(vocabulary_size=4, kind=kind)
    required = Required(PHRASES, toy.end)
    results = search(toy, SOURCES, Beam(width=300, count=6), [required], limits=Limits(absolute=5))
    for source, phrases, found in zip(SOURCES, PHRASES, results, strict=True):
        expected = best_that_keep(
            toy, source, lambda tokens, phrases=phrases: all(inside(each, tokens) for each in phrases)
        )
        assert [each.score for each in found] == pytest.approx([score for score, _ in expected], abs=1e-12)
        for each in found:
            assert all(inside(phrase, each.tokens) for phrase in phrases)
            assert each.log_prob == pytest.approx(toy.log_prob(source, each.tokens), abs=1e-12)


@given(
    st.sampled_from([Greedy(), Beam(width=1), Beam(width=3), Beam(width=4, groups=2), Sample(count=2)]),
    st.lists(st.lists(st.sampled_from([0, 2, 3, 4]), min_size=1, max_size=3), max_size=3),
    st.integers(0, 3),
    st.integers(0, 999),
)
@settings(max_examples=100)
def test_every_search_brings_every_phrase_in(strategy, phrases, spare, seed):
    """However narrow, and however little room the length limit leaves beside the phrases."""
    toy = Toy(seed=seed)
    limits = Limits(absolute=sum(map(len, phrases)) + 1 + spare)
    (found,) = search(toy, [(2,)], strategy, [Required([phrases], toy.end)], limits=limits)
    for each in found:
        assert all(inside(phrase, each.tokens) for phrase in phrases)
        assert len(each.tokens) <= limits.absolute


class PutOff(Required):
    """Forbids the end while a phrase is missing, and keeps no room: what banks are for."""

    def apply(self, log_probs, frontier):
        super().apply(log_probs, frontier)
        frontier.banks = None


def test_banks_keep_what_a_plain_beam_puts_off():
    """40 tokens, one mostly likely, and phrases that are not: without banks they are put off to the length limit.

    With them every sentence scores higher at the same width, and some end long before the limit.
    """
    lengths = {Required: 0, PutOff: 0}
    for seed in range(6):
        toy = Toy(vocabulary_size=40, kind="peaked", seed=seed)
        scores = []
        for constraint in lengths:
            required = constraint([[[2, 3], [4]]], toy.end)
            ((found,),) = search(toy, [(2,)], Beam(width=8), [required], limits=Limits(absolute=24))
            lengths[constraint] += len(found.tokens)
            scores.append(found.score)
        assert scores[0] > scores[1]
    assert lengths[PutOff] == 6 * 24
    assert lengths[Required] < 6 * 24


def test_a_phrase_within_another_and_one_given_twice_count_once():
    """[3] is in [2, 3]: the limit need not leave room for it."""
    toy = Toy()
    required = Required([[[2, 3], [3], [2, 3]]], toy.end)
    assert required.owed(0, []) == 2
    (found,) = search(toy, [(2,)], Greedy(), [required], limits=Limits(absolute=3))
    assert found[0].tokens == (2, 3, 1)


@pytest.mark.parametrize(
    ("prefix", "owed", "leading"),
    [
        ([], 4, [2, 4]),
        ([2], 3, [2, 4]),
        ([2, 2], 2, [2, 3, 4]),  # a third 2 keeps two tokens of the phrase begun
        ([2, 2, 3], 1, [4]),
        ([4, 2], 2, [2]),
        ([4, 2, 2, 3], 0, []),
    ],
)
def test_what_is_owed_and_what_leads_on(prefix, owed, leading):
    """The phrases 2 2 3 and 4, by hand."""
    required = Required([[[2, 2, 3], [4]]], end=1)
    assert (required.owed(0, prefix), required.leading(0, prefix)) == (owed, leading)


def test_a_limit_without_room_is_an_error():
    """Three tokens and an end do not fit in three."""
    with pytest.raises(InputError, match="at most 3 tokens keeps the constraints"):
        search(Toy(), [(2,)], Beam(), [Required([[[2, 3, 4]]], end=1)], limits=Limits(absolute=3))
    with pytest.raises(InputError, match="required phrase has no tokens"):
        Required([[[]]], end=1)
