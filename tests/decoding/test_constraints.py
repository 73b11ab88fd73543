"""Constraints: searching under them is searching among the sequences that keep them."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from decoding.toy import KINDS, Toy
from tertium.decoding.beam import Beam
from tertium.decoding.constraints import Answers, Banned, NoRepeat, Prefix
from tertium.decoding.exact import Exact
from tertium.decoding.greedy import Greedy
from tertium.decoding.length import Length
from tertium.decoding.required import Required
from tertium.decoding.sampling import Sample
from tertium.decoding.search import Limits, search
from tertium.decoding.translate import translate
from tertium.errors import InputError, OptionError

SOURCES = [(2, 3), (4,), (3, 3, 2)]
LIMITS = Limits(absolute=5)
WIDE = Beam(width=300, count=6)


def inside(phrase, tokens):
    """Whether a phrase occurs in a sequence, looked at as text."""
    return " " + " ".join(map(str, phrase)) + " " in " " + " ".join(map(str, tokens)) + " "


def repeats(size, tokens):
    """Whether an n-gram occurs twice."""
    ngrams = [tuple(tokens[i : i + size]) for i in range(len(tokens) - size + 1)]
    return len(set(ngrams)) < len(ngrams)


def best_that_keep(toy, source, keeps, length=Length()):  # noqa: B008 - frozen
    return [(score, tokens) for score, tokens in toy.ranked(source, length, 5) if keeps(tokens)][:6]


ANSWERS = [(2, 3, 1), (2, 3, 0, 1), (0, 1), (1,), (3, 0, 0, 0, 1)]
CASES = {
    "prefix": (Prefix([(2, 0), (), (3,)]), lambda tokens, source: tokens[: len(PREFIXES[source])] == PREFIXES[source]),
    "answers": (Answers(ANSWERS), lambda tokens, source: tokens in ANSWERS),
    "banned": (Banned([[2, 3], [0], [3, 2, 3]]), lambda tokens, source: not (inside([2, 3], tokens) or 0 in tokens)),
    "banned end": (Banned([[2, 1]]), lambda tokens, source: not inside([2, 1], tokens)),
    "no repeat 1": (NoRepeat(1), lambda tokens, source: not repeats(1, tokens)),
    "no repeat 2": (NoRepeat(2), lambda tokens, source: not repeats(2, tokens)),
    "no repeat 9": (NoRepeat(9), lambda tokens, source: True),
}
PREFIXES = {(2, 3): (2, 0), (4,): (), (3, 3, 2): (3,)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CASES)
def test_a_wide_beam_finds_the_best_sequences_that_keep_the_constraint(name, kind):
    """The 6 best of all sequences that keep it, for three sources in one batch; with the model's own probabilities."""
    constraint, keeps = CASES[name]
    toy = Toy(vocabulary_size=4, kind=kind)
    for source, found in zip(SOURCES, search(toy, SOURCES, WIDE, [constraint], limits=LIMITS), strict=True):
        expected = best_that_keep(toy, source, lambda tokens, source=source: keeps(tokens, source))
        assert [each.score for each in found] == pytest.approx([score for score, _ in expected], abs=1e-12)
        for each in found:
            assert keeps(each.tokens, source)
            assert each.log_prob == pytest.approx(toy.log_prob(source, each.tokens), abs=1e-12)


@given(st.sampled_from([Greedy(), Beam(width=2), Sample(count=3)]), st.sampled_from(sorted(CASES)), st.integers(0, 999))
@settings(max_examples=60)
def test_every_search_keeps_every_constraint(strategy, name, seed):
    """Narrow searches too; two constraints at once as well."""
    constraint, keeps = CASES[name]
    toy = Toy(vocabulary_size=4, seed=seed)
    try:
        results = search(toy, SOURCES, strategy, [constraint, NoRepeat(4)], limits=LIMITS)
    except InputError:  # a narrow search may have walked where nothing is allowed any more
        assert name.startswith(("banned", "no repeat"))
        return
    for source, found in zip(SOURCES, results, strict=True):
        assert all(keeps(each.tokens, source) for each in found)


def test_answers_are_found_with_their_probabilities():
    """As wide as there are answers, a beam gives all of them, ranked by the model: prompting's use."""
    toy = Toy(vocabulary_size=4, seed=2)
    (found,) = search(
        toy, [(2,)], Beam(width=5, count=5, normalise="none"), [Answers(ANSWERS)], limits=Limits(absolute=9)
    )
    expected = sorted(ANSWERS, key=lambda tokens: -toy.log_prob((2,), tokens))
    assert [each.tokens for each in found] == expected


def test_constraints_change_no_other_log_probability():
    """What stays allowed keeps its log probability to the last bit."""
    toy = Toy(vocabulary_size=4, seed=2)
    free = search(toy, SOURCES, Beam(width=300, count=300), limits=LIMITS)
    banned = search(toy, SOURCES, Beam(width=300, count=300), [Banned([[2, 3]])], limits=LIMITS)
    for every, some in zip(free, banned, strict=True):
        assert [each for each in every if not inside([2, 3], each.tokens)] == some


def test_nothing_to_choose_among_is_refused():
    """Empty answers, empty phrases, n-grams of nothing."""
    with pytest.raises(InputError, match="no answers"):
        Answers([])
    with pytest.raises(InputError, match="an answer has no tokens"):
        Answers([[2], []])
    with pytest.raises(InputError, match="banned phrase has no tokens"):
        Banned([[]])
    with pytest.raises(OptionError, match="size 0"):
        NoRepeat(0)


def test_off_the_trie_nothing_follows():
    """A prefix that begins no answer has no children."""
    answers = Answers([[2, 1]])
    assert answers.after([3]) == []
    assert answers.after([2, 1]) == []
    assert not torch.tensor(answers.after([])).eq(3).any()


@pytest.mark.parametrize("strategy", [Beam(width=3), Exact()], ids=lambda each: each.name)
def test_each_text_keeps_its_own_constraint_in_any_order_of_batches(strategy):
    """`translate` sorts texts by length and cuts batches: prefixes and phrases still belong to their text."""
    toy = Toy(vocabulary_size=5)
    texts = ["w2", "w2 w3 w4", "w3 w3", "w4 w2 w3 w4"]
    prefixes = [[2], [3], [4], [0]]
    required = Required([[[4]], [[2]], [[0]], [[3]]], toy.end)
    found = translate(toy, texts, strategy, [Prefix(prefixes), required], limits=Limits(absolute=5), tokens=9)
    for prefix, phrases, (best,) in zip(prefixes, required.phrases, found, strict=True):
        assert best.text.split()[0] == f"w{prefix[0]}"
        assert all(f"w{phrase[0]}" in best.text.split() for phrase in phrases)


def test_a_source_without_its_constraint_is_named():
    """Two prefixes for three sources."""
    with pytest.raises(InputError, match="source 3 has no prefix: 2 are given"):
        search(Toy(), SOURCES, Greedy(), [Prefix([(2,), ()])])
    with pytest.raises(InputError, match="source 2 has no list of required phrases: 1 are given"):
        search(Toy(), SOURCES[:2], Greedy(), [Required([[]], 1)])
