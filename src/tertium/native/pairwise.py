"""The core's kernels for the candidates of one sentence: each against every reference, or against their mean.

Rows have the columns of `bleu_statistics` and `chrf_statistics` with one reference. Where candidates and references are
one corpus, its n-grams are counted once. The readable twin is `tertium.native.reference.pairwise`.
"""

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.native import Corpus, Rows, _core, checked_threads


def bleu_pairwise(
    candidates: Corpus,
    references: Corpus,
    *,
    tokenizer: str = "13a",
    lowercase: bool = False,
    order: int = 4,
    threads: int = 0,
) -> Rows:
    """BLEU's rows of each candidate with each reference, (candidates, references, 2 + 2 order).

    >>> from tertium.native import corpus
    >>> texts = corpus(["a b", "a c d"])
    >>> bleu_pairwise(texts, texts, order=1).astype(int).tolist()
    [[[2, 2, 2, 2], [2, 3, 1, 2]], [[3, 2, 1, 3], [3, 3, 3, 3]]]
    """
    return _core.bleu_pairwise(candidates, references, tokenizer, lowercase, order, checked_threads(threads))


def chrf_pairwise(
    candidates: Corpus,
    references: Corpus,
    *,
    characters: int = 6,
    words: int = 0,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    threads: int = 0,
) -> NDArray[np.float64]:
    """chrF of each candidate against each reference, (candidates, references).

    >>> from tertium.native import corpus
    >>> chrf_pairwise(corpus(["ab", "a"]), corpus(["ab"]), characters=1, beta=1).round(1).tolist()
    [[100.0], [66.7]]
    """
    return _core.chrf_pairwise(
        candidates,
        references,
        characters,
        words,
        beta,
        lowercase,
        whitespace,
        eps_smoothing,
        checked_threads(threads),
    )


def bleu_aggregated(
    candidates: Corpus,
    references: Corpus,
    weights: NDArray[np.float64],
    *,
    tokenizer: str = "13a",
    lowercase: bool = False,
    order: int = 4,
) -> Rows:
    """BLEU's rows of each candidate with the mean of the references, (candidates, 2 + 2 order).

    The mean has each n-gram as often as the references have it on average under `weights`, which sum to one, and their
    average length.

    >>> from tertium.native import corpus
    >>> bleu_aggregated(corpus(["a a b"]), corpus(["a", "a a a c"]), np.array([0.5, 0.5]), order=1).tolist()
    [[3.0, 2.5, 2.0, 3.0]]
    """
    return _core.bleu_aggregated(candidates, references, _checked(weights, references), tokenizer, lowercase, order)


def chrf_aggregated(
    candidates: Corpus,
    references: Corpus,
    weights: NDArray[np.float64],
    *,
    characters: int = 6,
    words: int = 0,
    lowercase: bool = False,
    whitespace: bool = False,
) -> Rows:
    """chrF's rows of each candidate with the mean of the references, (candidates, 3 (characters + words))."""
    return _core.chrf_aggregated(
        candidates, references, _checked(weights, references), characters, words, lowercase, whitespace
    )


def _checked(weights: NDArray[np.float64], references: Corpus) -> NDArray[np.float64]:
    weights = np.ascontiguousarray(weights, np.float64)
    if weights.shape != (len(references),):
        raise InputError(f"there are {len(references)} references but weights of shape {weights.shape}: one for each")
    return weights
