"""`tertium.compat.nltk` beside NLTK itself, to 1e-12."""

import random
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import bleu_score, gleu_score, nist_score

from realdata import wmt
from tertium.compat import nltk as face
from tertium.errors import InputError

METHODS = [f"method{n}" for n in range(8)]
WEIGHTS: list[Any] = [
    (0.25, 0.25, 0.25, 0.25),
    (0.5, 0.5),
    (1.0,),
    (0.1, 0.2, 0.3, 0.2, 0.2),
    [(0.5, 0.5), (0.3, 0.3, 0.4), (0.25, 0.25, 0.25, 0.25)],
]


def random_corpus(seed: int, size: int) -> tuple[list[list[list[str]]], list[list[str]]]:
    rng = random.Random(seed)
    hypotheses = [rng.choices("abcde", k=rng.randint(0, 12)) for _ in range(size)]
    references = [[rng.choices("abcde", k=rng.randint(0, 12)) for _ in range(rng.randint(1, 3))] for _ in range(size)]
    return references, hypotheses


def outcome(call: Any, *arguments: Any, **options: Any) -> Any:
    """What a call returns, or that it gives up."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call(*arguments, **options)
        except (AssertionError, IndexError, ZeroDivisionError, InputError):
            return "gives up"


def close(ours: Any, theirs: Any) -> None:
    assert ours == (theirs if theirs == "gives up" else pytest.approx(theirs, rel=1e-12, abs=1e-12))


@pytest.mark.parametrize("method", METHODS)
def test_bleu_is_nltks_with_every_smoothing_and_weighting(method: str) -> None:
    """Corpora of 1 to 6 random segments, 1 to 3 references each, all weightings, with and without reweighing."""
    for seed in range(60):
        references, hypotheses = random_corpus(seed, 1 + seed % 6)
        for weights in WEIGHTS:
            ours, theirs = (
                outcome(
                    module.corpus_bleu,
                    references,
                    hypotheses,
                    weights,
                    getattr(module.SmoothingFunction(0.2, 4, 3), method),
                    seed % 2 == 0,
                )
                for module in (face, bleu_score)
            )
            close(ours, theirs)


@given(
    st.lists(st.lists(st.sampled_from("abc"), max_size=7), min_size=1, max_size=3),
    st.lists(st.sampled_from("abc"), max_size=7),
    st.sampled_from(METHODS),
)
def test_sentence_scores_are_nltks(references: list[list[str]], hypothesis: list[str], method: str) -> None:
    """Short texts, empty ones too: BLEU with each method, GLEU, the parts of BLEU."""
    for module_function in ("sentence_bleu", "sentence_gleu"):
        ours, theirs = (getattr(module, module_function, None) for module in (face, bleu_score))
        theirs = theirs or gleu_score.sentence_gleu
        options = [{}, {}]
        if module_function == "sentence_bleu":
            options = [{"smoothing_function": getattr(m.SmoothingFunction(), method)} for m in (face, bleu_score)]
        close(
            outcome(ours, references, hypothesis, **options[0]), outcome(theirs, references, hypothesis, **options[1])
        )
    for n in (1, 2, 5):
        ours = face.modified_precision(references, hypothesis, n)
        theirs = bleu_score.modified_precision(references, hypothesis, n)
        assert (ours.numerator, ours.denominator) == (theirs.numerator, theirs.denominator)
    length = bleu_score.closest_ref_length(references, len(hypothesis))
    assert face.closest_ref_length(references, len(hypothesis)) == length
    assert face.brevity_penalty(length, len(hypothesis)) == bleu_score.brevity_penalty(length, len(hypothesis))


def test_gleu_and_nist_of_corpora_are_nltks() -> None:
    """Random corpora; NIST where NLTK does not divide by zero, there the order adds nothing here."""
    for seed in range(60):
        references, hypotheses = random_corpus(seed, 1 + seed % 6)
        close(face.corpus_gleu(references, hypotheses, 1, 3), gleu_score.corpus_gleu(references, hypotheses, 1, 3))
        theirs = outcome(nist_score.corpus_nist, references, hypotheses, 3)
        if theirs != "gives up":
            close(face.corpus_nist(references, hypotheses, 3), theirs)


@pytest.mark.data
def test_real_systems_have_nltks_scores() -> None:
    """WMT22 de-en: 300 segments with two references; every smoothing method, GLEU and NIST."""
    data = wmt("wmt22/de-en")
    hypotheses = [text.split() for text in next(iter(data.systems.values()))[:300]]
    references = [[text.split() for text in texts[:]] for texts in zip(*data.references.values(), strict=True)][:300]
    for method in METHODS:
        ours, theirs = (
            module.corpus_bleu(references, hypotheses, smoothing_function=getattr(module.SmoothingFunction(), method))
            for module in (face, bleu_score)
        )
        close(ours, theirs)
    close(face.corpus_gleu(references, hypotheses), gleu_score.corpus_gleu(references, hypotheses))
    close(face.corpus_nist(references, hypotheses), nist_score.corpus_nist(references, hypotheses))


def test_tokens_can_be_anything_hashable() -> None:
    """Numbers, tuples, lone surrogates, plain strings as lists of characters: as NLTK takes them."""
    for references, hypothesis in [
        ([[1, 2, 3, (4,), None]], [1, 2, 3, (4,)]),
        ([[1, 2.0, True]], [True, 2, 1]),
        ([["\ud800", "a", "b"]], ["\ud800", "a"]),
        (["the cat", "a cat"], "the cats"),
        ([[1, "1", 2]], ["1", 1, 2]),
    ]:
        ours, theirs = (outcome(m.sentence_bleu, references, hypothesis, (0.5, 0.5)) for m in (face, bleu_score))
        close(ours, theirs)
        close(face.sentence_gleu(references, hypothesis), gleu_score.sentence_gleu(references, hypothesis))


def test_smoothing_functions_can_be_ones_own() -> None:
    """NLTK's own methods and functions of one's own are called as NLTK calls them."""
    references, hypotheses = random_corpus(5, 4)
    for smoothing in (bleu_score.SmoothingFunction().method1, lambda p_n, **rest: [max(p, 0.01) for p in p_n]):
        ours, theirs = (m.corpus_bleu(references, hypotheses, smoothing_function=smoothing) for m in (face, bleu_score))
        close(ours, theirs)


def test_missing_orders_are_warned_about() -> None:
    """Without smoothing each order without a match gives a warning and the score is practically 0."""
    with pytest.warns(UserWarning, match="no 2-gram"):
        assert face.sentence_bleu([["a", "b"]], ["b", "a"], (0.5, 0.5)) < 1e-100


def test_what_does_not_fit_is_refused() -> None:
    """Swapped or missing arguments: an error that names the segment."""
    with pytest.raises(InputError, match="references come first"):
        face.corpus_bleu([[["a"]]], [["a"], ["b"]])
    with pytest.raises(InputError, match="segment 1 has no reference"):
        face.corpus_gleu([[["a"]], []], [["a"], ["b"]])
    with pytest.raises(InputError, match="matching trigram"):
        face.sentence_bleu([["a", "b"]], ["a", "b"], smoothing_function=face.SmoothingFunction().method6)
