"""The kernels for the candidates of one sentence give the numbers of their readable twins, pairwise and averaged."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import texts, token_lists
from tertium import native
from tertium.errors import InputError, OptionError
from tertium.metrics.chrf import CHRF
from tertium.native import _core
from tertium.native import pairwise as kernels
from tertium.native.reference import pairwise as twin
from tertium.native.reference.bleu import statistics as bleu_row
from tertium.native.reference.chrf import chrf_row, segment_score

# Few letters, so that n-grams repeat; every width of UTF-8 and several kinds of white space.
LETTERS = "ab.(Éß漢😀 \u00a0\u2028\u3000\u200b"
TEXT = st.one_of(st.text(alphabet=LETTERS, max_size=25), texts)
CHRF_OPTIONS = st.fixed_dictionaries(
    {
        "characters": st.integers(1, 5),
        "words": st.integers(0, 2),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
    }
)


def several(text, most=5):
    return st.lists(text, min_size=1, max_size=most)


def weights_for(references):
    """Uneven weights that sum to one."""
    weights = np.arange(1.0, len(references) + 1)
    return weights / weights.sum()


def chrf_of(candidate, reference, *, beta=2.0, eps_smoothing=False, **options):
    """The twin's score of one pair."""
    row = chrf_row(candidate, [reference], beta=beta, eps_smoothing=eps_smoothing, **options)
    return segment_score(row, beta, eps_smoothing)


@given(several(TEXT), several(TEXT), CHRF_OPTIONS, st.sampled_from([0.5, 1.0, 2.0]), st.booleans())
def test_chrf_of_all_pairs_equals_the_twin(candidates, references, options, beta, eps_smoothing):
    """Each pair's score has the very bits of the pair alone, for arbitrary Unicode and all options."""
    options = {**options, "beta": beta, "eps_smoothing": eps_smoothing}
    scores = kernels.chrf_pairwise(native.corpus(candidates), native.corpus(references), **options)
    wanted = twin.pairwise(lambda c, r: chrf_of(c, r, **options), candidates, references)
    assert scores.tolist() == wanted


@given(several(token_lists), several(token_lists), st.integers(1, 5))
def test_bleu_of_all_pairs_equals_the_twin(candidates, references, order):
    """Lengths, matches and totals of each pair are those of the pair alone, for token lists of arbitrary Unicode."""
    rows = kernels.bleu_pairwise(native.corpus(candidates), native.corpus(references), order=order)
    wanted = twin.pairwise(lambda c, r: bleu_row(c, [r], order), candidates, references)
    assert rows.tolist() == wanted


@given(several(texts), several(texts), st.sampled_from(["none", "13a", "intl", "zh", "char"]), st.booleans())
def test_texts_are_cut_as_the_kernel_for_single_references_cuts_them(candidates, references, tokenizer, lowercase):
    """Every tokenizer of the core, with and without lower-casing: the rows of `bleu_statistics`, pair by pair."""
    rows = kernels.bleu_pairwise(
        native.corpus(candidates), native.corpus(references), tokenizer=tokenizer, lowercase=lowercase
    )
    for r, reference in enumerate(references):
        stream = native.corpus([reference] * len(candidates))
        alone = native.bleu_statistics([native.corpus(candidates)], [stream], tokenizer=tokenizer, lowercase=lowercase)
        assert np.array_equal(rows[:, r], alone[0])


@given(several(TEXT), several(TEXT), CHRF_OPTIONS)
def test_chrf_with_the_mean_equals_the_twin(candidates, references, options):
    """Average counts, clipped by each candidate's own, for arbitrary Unicode and all options."""
    weights = weights_for(references)
    rows = kernels.chrf_aggregated(native.corpus(candidates), native.corpus(references), weights, **options)
    wanted = [twin.aggregated_chrf_row(c, references, weights, **options) for c in candidates]
    np.testing.assert_allclose(rows, wanted, rtol=1e-12, atol=1e-12)


@given(several(token_lists), several(token_lists), st.integers(1, 5))
def test_bleu_with_the_mean_equals_the_twin(candidates, references, order):
    """Average counts, clipped by each candidate's own, and the average length."""
    weights = weights_for(references)
    rows = kernels.bleu_aggregated(native.corpus(candidates), native.corpus(references), weights, order=order)
    wanted = [twin.aggregated_bleu_row(c, references, weights, order) for c in candidates]
    np.testing.assert_allclose(rows, wanted, rtol=1e-12, atol=1e-12)


def samples(seed: int, count: int, alphabet: str = "abcd ", longest: int = 90) -> list[str]:
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(alphabet), rng.integers(0, longest))) for _ in range(count)]


def letters(text: str) -> list[str]:
    return list(text.replace(" ", ""))


@settings(max_examples=5)
@given(st.integers(0, 10**6))
def test_rare_n_grams_are_listed_and_counted_alike(seed):
    """60 x 50 texts of which most n-grams stand in few: they are lists, not bits, and every score is the twin's."""
    candidates, references = samples(seed, 60, longest=30), samples(seed + 1, 50, longest=30)
    scores = kernels.chrf_pairwise(native.corpus(candidates), native.corpus(references), characters=3)
    rows = kernels.bleu_pairwise(native.corpus(candidates), native.corpus(references), tokenizer="char")
    chosen = np.random.default_rng(seed).integers(0, (60, 50), (150, 2))
    for c, r in chosen.tolist():
        assert scores[c, r] == chrf_of(candidates[c], references[r], characters=3)
        assert rows[c, r].tolist() == bleu_row(letters(candidates[c]), [letters(references[r])])


def test_one_corpus_on_both_sides_is_two_equal_ones():
    """Passing the candidates themselves as references gives what an equal list gives, averaged ones included."""
    texts = samples(3, 40)
    mine, theirs = native.corpus(texts), native.corpus(texts)
    weights = weights_for(texts)
    for pairwise, aggregated in (
        (kernels.chrf_pairwise, kernels.chrf_aggregated),
        (kernels.bleu_pairwise, kernels.bleu_aggregated),
    ):
        assert np.array_equal(pairwise(mine, mine), pairwise(mine, theirs))
        assert np.array_equal(aggregated(mine, mine, weights), aggregated(mine, theirs, weights))


def test_threads_do_not_change_rows():
    """1, 2, 3 and 64 threads give the same rows."""
    candidates, references = native.corpus(samples(4, 100)), native.corpus(samples(5, 30))
    for kernel in (kernels.chrf_pairwise, kernels.bleu_pairwise):
        alone = kernel(candidates, references, threads=1)
        for threads in (2, 3, 64):
            assert np.array_equal(kernel(candidates, references, threads=threads), alone)


def test_no_candidates_or_no_references():
    """Nothing to compare is an array of that shape, not a crash."""
    none, some = native.corpus([]), native.corpus(["a b", "c"])
    for candidates, references in ((none, some), (some, none), (none, none)):
        assert kernels.chrf_pairwise(candidates, references, words=2).shape == (len(candidates), len(references))
        assert kernels.bleu_pairwise(candidates, references).shape == (len(candidates), len(references), 10)
    assert kernels.bleu_aggregated(none, some, np.array([0.5, 0.5])).shape == (0, 10)


def test_a_weight_for_each_reference():
    """Another number of weights is refused by the face with both numbers, and by the core itself."""
    texts = native.corpus(["a b", "c"])
    with pytest.raises(InputError, match=r"2 references but weights of shape \(3,\)"):
        kernels.chrf_aggregated(texts, texts, np.ones(3) / 3)
    with pytest.raises(ValueError, match="each reference needs its weight"):
        _core.bleu_aggregated(texts, texts, np.ones(1), "13a", False, 4)


def test_impossible_options_are_refused():
    """Orders that count nothing, tokenizers that are not there, and what is no number of threads."""
    texts = native.corpus(["a b"])
    with pytest.raises(ValueError, match="orders must be"):
        kernels.chrf_pairwise(texts, texts, characters=0)
    with pytest.raises(ValueError, match="orders must be"):
        kernels.bleu_aggregated(texts, texts, np.ones(1), order=0)
    with pytest.raises(ValueError, match="unknown native tokenizer"):
        kernels.bleu_pairwise(texts, texts, tokenizer="13b")
    with pytest.raises(OptionError, match="threads is"):
        kernels.chrf_pairwise(texts, texts, threads=-1)


def test_missing_segments_are_empty_texts():
    """The metrics refuse them; a kernel called past their checks reads nothing."""
    gaps, texts = native.corpus([None, "a"]), native.corpus(["a", ""])
    for kernel in (kernels.chrf_pairwise, kernels.bleu_pairwise):
        assert np.array_equal(kernel(gaps, texts), kernel(native.corpus(["", "a"]), texts))


def test_long_texts_with_little_in_common():
    """30 texts of 20,000 characters: a pair's score equals that of the kernel for single references."""
    rng = np.random.default_rng(7)
    long = ["".join(rng.choice(list("abcdefghijklmnop "), 20_000)) for _ in range(30)]
    corpus, metric = native.corpus(long), CHRF()
    scores = kernels.chrf_pairwise(corpus, corpus)
    for r in (0, 17, 29):
        alone = native.chrf_statistics([corpus], [native.corpus([long[r]] * 30)])[0]
        np.testing.assert_allclose(scores[:, r], metric.score(alone), rtol=1e-12)
