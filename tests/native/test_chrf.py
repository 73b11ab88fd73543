"""The chrF kernel gives the integers of its readable twin, for any text and any number of threads."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from strategies import characters
from tertium import native
from tertium.native.reference.chrf import chrf_row

# Few letters, so that n-grams repeat; every kind of width and white space.
LETTERS = "ab.(Éß漢😀 \u00a0\u2028\u3000\u200b\x1c"
TEXT = st.one_of(st.text(alphabet=LETTERS, max_size=40), st.text(characters, max_size=30))


def kernel_row(hypothesis: str, references: list[str], **options: object) -> list[float]:
    streams = [native.corpus([reference]) for reference in references]
    return native.chrf_statistics([native.corpus([hypothesis])], streams, **options)[0, 0].tolist()


@given(
    TEXT,
    st.lists(TEXT, min_size=1, max_size=3),
    st.integers(1, 7),
    st.integers(0, 3),
    st.sampled_from([1.0, 2.0, 3.0]),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
def test_rows_equal_the_readable_twin(hypothesis, references, characters, words, beta, switches):
    """Counts, clipping and the choice among references agree for arbitrary Unicode and all options."""
    options = {
        "characters": characters,
        "words": words,
        "beta": beta,
        **dict(zip(("lowercase", "whitespace", "eps_smoothing"), switches, strict=True)),
    }
    assert kernel_row(hypothesis, references, **options) == chrf_row(hypothesis, references, **options)


@given(st.text(alphabet="ab c", min_size=30, max_size=400), st.text(alphabet="ab c", min_size=30, max_size=400))
def test_several_machine_words_make_no_difference(hypothesis, reference):
    """Repetitive texts of up to 400 characters, which need one to seven machine words, are counted alike."""
    assert kernel_row(hypothesis, [reference]) == chrf_row(hypothesis, [reference])


def test_texts_beyond_the_bit_vectors_are_counted_in_the_table():
    """A reference of 6,000 characters exceeds 32 machine words; the hash table gives the same counts."""
    rng = np.random.default_rng(0)
    reference = "".join(rng.choice(list("abcdef "), 6000))
    hypothesis = "".join(rng.choice(list("abcdef "), 5000))
    assert kernel_row(hypothesis, [reference], words=2) == chrf_row(hypothesis, [reference], words=2)


def test_a_missing_reference_is_no_reference():
    """With `None` in the second stream only the first stream's text counts; an empty text is not missing."""
    hypotheses = native.corpus(["ab", "ab"])
    streams = [native.corpus(["abc", ""]), native.corpus([None, "ab"])]
    rows = native.chrf_statistics([hypotheses], streams, characters=1)[0]
    assert rows.tolist() == [chrf_row("ab", ["abc"], characters=1), chrf_row("ab", ["", "ab"], characters=1)]


def test_threads_do_not_change_rows():
    """1, 2, 3 and 7 threads give the same rows."""
    rng = np.random.default_rng(1)
    texts = ["".join(rng.choice(list("abcd "), rng.integers(0, 60))) for _ in range(4000)]
    hypotheses, references = native.corpus(texts[:2000]), native.corpus(texts[2000:])
    rows = [native.chrf_statistics([hypotheses], [references], words=2, threads=t) for t in (1, 2, 3, 7)]
    assert all(np.array_equal(rows[0], other) for other in rows[1:])
