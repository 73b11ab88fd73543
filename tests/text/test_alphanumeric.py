"""The tokenizer alphanumeric against its readable twin and rouge-score's."""

from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.tokenize import tokenize

from strategies import characters
from tertium import native
from tertium.native.reference.tokenizers import tokenize_alphanumeric

LETTERS = st.sampled_from(
    [*"aZ09-_ .é", "\u212a", "\u0130", "\u0131", "\u0391\u03a3", "\u1e9e", "\u00aa", "\uff21", "\u0663"]
)


@given(st.lists(st.lists(LETTERS | characters, max_size=20).map("".join), min_size=1))
@settings(max_examples=400)
def test_equal_to_twin_and_rouge_score(texts):
    """Tokens of any texts equal the twin's and rouge-score's, also of letters whose lower case is or has an a-z."""
    tokens = native.tokenize(texts, "alphanumeric")
    assert tokens == [tokenize_alphanumeric(text) for text in texts]
    assert tokens == [tokenize(text, None) for text in texts]
    assert native.tokenize(texts, "alphanumeric", lowercase=True) == tokens


def test_by_hand():
    """The Kelvin sign becomes k and the dotted capital I an i; a feminine ordinal or a wide A is no letter here."""
    assert native.tokenize(["\u212aG 5\u00aa \u0130ki \uff21B"], "alphanumeric") == [["kg", "5", "i", "ki", "b"]]
