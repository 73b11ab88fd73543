"""The overlap and NIST kernels against their readable twins."""

import random

from hypothesis import given
from hypothesis import strategies as st

from strategies import corpora, token_lists
from tertium import native
from tertium.data.segments import References
from tertium.native.reference import nist, overlap

gaps = st.lists(
    st.tuples(token_lists, st.lists(st.one_of(st.none(), token_lists), min_size=2, max_size=2)), min_size=1, max_size=4
)


def kernel(hypotheses, references, **options):
    streams = [list(stream) for stream in zip(*references, strict=True)]
    corpora = [native._core.corpus_of_tokens(stream) for stream in streams]
    systems = [native._core.corpus_of_tokens(hypotheses)]
    return native.overlap_statistics(systems, corpora, tokenizer="none", **options)[0].tolist()


@given(
    gaps, st.sampled_from(["ngrams", "occurrences", "anywhere", "subsequence"]), st.integers(1, 3), st.integers(0, 3)
)
def test_overlap_equals_twin(segments, rule, shortest, more):
    """Equal integers on any Unicode, by every rule, with missing references."""
    hypotheses, references = [h for h, _ in segments], [r for _, r in segments]
    longest = shortest + more if rule == "ngrams" else 1
    shortest = min(shortest, longest)
    expected = [overlap.statistics(h, r, rule, shortest, longest) for h, r in zip(hypotheses, references, strict=True)]
    assert kernel(hypotheses, references, rule=rule, shortest=shortest, longest=longest) == expected


def test_long_texts_equal_twin():
    """Texts of hundreds of tokens, over many machine words and beyond the bit vectors, count the same."""
    rng = random.Random(7)
    for length, words in ((63, 5), (64, 5), (65, 5), (200, 2), (700, 40), (3000, 9)):
        first, second = ([str(rng.randrange(words)) for _ in range(length)] for _ in range(2))
        for rule in ("ngrams", "occurrences") if length > 1000 else ("ngrams", "occurrences", "subsequence"):
            longest = 4 if rule == "ngrams" else 1
            expected = overlap.statistics(first, [second], rule, 1, longest)
            assert kernel([first], [[second]], rule=rule, longest=longest) == [expected], (length, rule)


def test_subsequence_by_hand():
    """A reversed text shares one token, a text with every second token dropped shares the rest."""
    text = [str(number) for number in range(150)]
    assert kernel([text[::-1]], [[text]], rule="subsequence")[0][0] == [1, 1, 150, 150]
    assert kernel([text[::2]], [[text]], rule="subsequence")[0][0] == [75, 75, 75, 150]


@given(corpora(token_lists), st.integers(1, 5))
def test_nist_equals_twin(corpus, order):
    """Information and counts equal the twin's, with a varying number of references."""
    hypotheses, references = corpus
    weights = nist.information(references, order)
    expected = [nist.statistics(h, r, weights, order) for h, r in zip(hypotheses, references, strict=True)]
    streams = References.from_segments(references, tokenised=True).streams
    systems = [native.corpus(hypotheses), native.corpus(hypotheses)]
    rows = native.nist_statistics(systems, streams, tokenizer="none", order=order)
    assert rows[0].tolist() == expected
    assert rows[1].tolist() == expected
