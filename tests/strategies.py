"""Random segments for property tests: few distinct words, so that they match; now and then anything a text can have."""

from hypothesis import strategies as st

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")  # all of Unicode that is text

# Words that meet often, that are prefixes of one another, that are no ASCII, and that are 8 bytes and longer.
familiar = st.sampled_from(["a", "b", "c", "ab", "abc", "the", "é", "漢", "😀", "translate", "translated", "ﬁ", "ي"])
anything = st.text(characters, max_size=6)
tokens = st.one_of(familiar, familiar, familiar, anything)
token_lists = st.lists(tokens, max_size=14)
texts = st.one_of(
    st.lists(familiar, max_size=14).map(" ".join),
    st.text(characters, max_size=30),
)


def corpora(segment, *, most_references=3, most_segments=4):
    """Pairs of hypotheses and references segment by segment, with a varying number of references."""
    each = st.tuples(segment, st.lists(segment, min_size=1, max_size=most_references))
    return st.lists(each, min_size=1, max_size=most_segments).map(
        lambda pairs: ([hypothesis for hypothesis, _ in pairs], [references for _, references in pairs])
    )
