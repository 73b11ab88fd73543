"""`prepare` gives the core what it can cut: every kind of scheme, gaps, repeated lines, token lists, lower case."""

import pytest

from tertium import native, registry, text
from tertium.errors import InputError, OptionError, UnknownName
from tertium.metrics.bleu import BLEU

NATIVE = ["none", "13a", "intl", "zh", "char"]


def lines(corpus: native.Corpus) -> list:
    """The segments of a corpus."""
    return [corpus[i] for i in range(len(corpus))]


@pytest.mark.parametrize("name", NATIVE)
def test_schemes_of_the_core_leave_the_texts_alone(name: str) -> None:
    """For a scheme that the core has, the corpora are the very same objects, and the core is told to lower-case."""
    corpora = [native.corpus(["A b"]), native.corpus(["c"])]
    ready = text.prepare(corpora, name, lowercase=True)
    assert ready == (corpora, name, True)


def test_a_batch_sees_each_line_once_lower_cased_and_stripped() -> None:
    """A scheme outside the core gets each distinct line once, in lower case and without white space at its end."""
    seen: list[list[str]] = []

    def space(batch: list[str]) -> list[str]:
        seen.append(batch)
        return [" ".join(line) for line in batch]

    scheme = text.Tokenizer("letters", list, space=space)
    ready = text.prepare([native.corpus(["AB \n", None]), native.corpus(["ab", "AB \n"])], scheme, lowercase=True)
    assert seen == [["ab", "ab"]]  # two lines that differ until they are lower-cased and stripped
    assert [lines(corpus) for corpus in ready.corpora] == [["a b", None], ["a b", "a b"]]
    assert ready[1:] == ("none", False)


def test_a_scheme_that_only_splits_gives_token_lists() -> None:
    """Without a batch function the tokens are taken as they are, white space in them included."""
    ready = text.prepare([native.corpus(["a b,c", None])], text.Tokenizer("commas", lambda line: line.split(",")))
    assert ready.corpora[0].tokenised
    assert ready.corpora[0][0] == ["a b", "c"]


def test_token_lists_are_not_cut_again() -> None:
    """Text that came as token lists passes every scheme untouched; lower-casing is left to the core."""
    corpus = native.corpus([["A B", "c"]])
    scheme = text.Tokenizer("letters", list, space=lambda batch: batch)
    assert text.prepare([corpus], scheme, lowercase=True) == ([corpus], "none", True)


def test_a_batch_of_the_wrong_length_is_refused() -> None:
    """A scheme that loses lines would shift all texts after them."""
    with pytest.raises(InputError, match="gave 1 lines for 2"):
        text.prepare([native.corpus(["a", "b"])], text.Tokenizer("lossy", list, space=lambda batch: batch[:1]))


@pytest.mark.parametrize("name", NATIVE)
def test_an_argument_is_refused(name: str) -> None:
    """What follows a colon would be ignored by these schemes, so it is an error."""
    with pytest.raises(OptionError, match="takes no argument"):
        text.scheme(f"{name}:x")


def test_an_unknown_scheme_names_the_nearest() -> None:
    """A misspelt tokenizer is an error that says what was meant, from a metric too."""
    with pytest.raises(UnknownName, match="ja-mecab"):
        BLEU(tokenize="ja-mecap").statistics(["a"], ["a"])


def test_every_registered_scheme_says_its_name() -> None:
    """The table of tokenizers has the schemes that sacreBLEU 2.6 has for BLEU."""
    peers = pytest.importorskip("sacrebleu.metrics.bleu")
    assert set(peers._TOKENIZERS) <= set(registry.names("tokenizer"))
