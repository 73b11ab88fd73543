"""The WER and CER kernels against their readable twin, and distances of long texts against rapidfuzz."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from strategies import corpora, texts, token_lists
from tertium import native
from tertium.data.segments import References
from tertium.native.reference import wer


def words(hypotheses, references):
    prepared = References.from_segments(references, tokenised=True)
    return native.wer_statistics([native._core.corpus_of_tokens(hypotheses)], prepared.streams)[0].tolist()


@given(corpora(token_lists))
def test_words_equal_twin(corpus):
    """Edits, length and kinds of edits equal the twin's on any Unicode, with any number of references."""
    hypotheses, references = corpus
    assert words(hypotheses, references) == [wer.statistics(h, r) for h, r in zip(hypotheses, references, strict=True)]


@given(corpora(texts), st.booleans())
def test_characters_equal_twin(corpus, whitespace):
    """Characters are code points; white space counts inside the text only, or not at all."""
    hypotheses, references = corpus
    streams = References.from_segments(references).streams
    rows = native.cer_statistics([native.corpus(hypotheses)], streams, whitespace=whitespace)[0].tolist()
    assert rows == [
        wer.statistics(wer.characters(h, whitespace), [wer.characters(r, whitespace) for r in rs])
        for h, rs in zip(hypotheses, references, strict=True)
    ]


@pytest.mark.parametrize(
    ("size", "other", "distinct"), [(63, 64, 3), (65, 129, 4), (500, 400, 9), (1500, 1300, 2), (2500, 700, 900)]
)
def test_long_texts(size, other, distinct):
    """Over many machine words, blocks of rows and position lists, it is the plain distance and the kinds add up."""
    rng = random.Random(size)
    hypothesis, reference = ([str(rng.randrange(distinct)) for _ in range(n)] for n in (size, other))
    edits, length, substitutions, deletions, insertions = words([hypothesis], [[reference]])[0]
    assert edits == Levenshtein.distance(hypothesis, reference) == substitutions + deletions + insertions
    assert length == other
    assert insertions - deletions == size - other


def test_kinds_over_blocks_of_rows():
    """The bits of earlier blocks of rows are made again on the way back: 1,300 rows give the twin's kinds."""
    rng = random.Random(5)
    hypothesis, reference = ([str(rng.randrange(3)) for _ in range(n)] for n in (1300, 150))
    assert words([hypothesis], [[reference]]) == [wer.statistics(hypothesis, [reference])]
