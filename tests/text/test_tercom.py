"""Tercom's tokenizer against sacreBLEU's and against the readable twin."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

import realdata
import strategies
from tertium import native
from tertium.errors import UnknownName
from tertium.native.reference import tercom
from tertium.text import scheme

NAMES = ("normalized", "no_punct", "asian_support", "case_sensitive")
ALL = [dict(zip(NAMES, flags, strict=True)) for flags in itertools.product((False, True), repeat=4)]
# What the rules look at, at the edges of their ranges too, and what is next to it.
DIGITS_AND_MARKS = [*"aB59's.,-:;!?&\"()[] \t\n\x1c\x85\xa0\u3000", "'s ", "&quot;", "&amp;", "&lt;", "&AMP;gt;", "\n-"]
ASIAN = [
    *"\u2e7f\u2e80\u2eff\u2f00\u31bf\u31c0\u31ef\u31f0\u31ff\u3200\u3300\u33ff\u3400\u3f22\u4dbf\u4dc0\u4e00\u9fff"
]
MORE_ASIAN = [
    *"\ua000\uf900\ufaff\ufe30\ufe4f\ufe50\u3040\u3042\u309f\u30a0\u30a2\u30ff\U00020000\u3000\u3001\u3002\u3003"
]
MARKS = [
    *"\u3007\u3008\u3011\u3012\u3014\u301f\u3020\u30fb\uff01\uff02\uff03\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff60"
]
pieces = st.sampled_from([*DIGITS_AND_MARKS, *ASIAN, *MORE_ASIAN, *MARKS, *"\uff61\uff65\uff66"])
anything = st.text(strategies.characters, max_size=20)
texts = st.one_of(st.lists(pieces, max_size=14).map("".join), anything, st.tuples(anything, anything).map("'s".join))


def peer(text, options):
    """sacreBLEU's tokens, past its cache of lines."""
    tokenizer = TercomTokenizer(**options)
    return TercomTokenizer.__call__.__wrapped__(tokenizer, text).split()


@given(texts, st.sampled_from(ALL))
def test_equal_to_sacrebleu_and_twin(text, options):
    """The tokens of any text under any options are sacreBLEU's, and the twin's."""
    ours = native.tokenize_tercom([text], **options)[0]
    assert ours == peer(text, options)
    assert ours == tercom.tokens(text, **options)


@pytest.mark.parametrize("normalized", [True, False])
def test_every_character(normalized):
    """Each character of the first plane, among letters, digits and possessives, is cut or removed as there."""
    options = dict(zip(NAMES, (normalized, not normalized, True, True), strict=True))
    for block in range(0, 0x10000, 0x400):
        characters = [chr(c) for c in range(max(block, 1), block + 0x400) if not 0xD800 <= c < 0xE000]
        lines = [f"a{c}b {c}'s{c} 5{c}5{c}" for c in characters]
        for line, ours in zip(lines, native.tokenize_tercom(lines, **options) if lines else [], strict=True):
            assert ours == peer(line, options), ascii(line)


def test_spelling_names_options():
    """What follows the colon turns options on; another word is refused with the nearest option."""
    assert scheme("tercom")("It's 3.50!") == ["it's", "3.50!"]
    assert scheme("tercom:normalized+case_sensitive")("It's 3.50!") == ["It", "'s", "3.50", "!"]
    assert scheme("tercom:no_punct")("It's 3.50!") == ["it's", "350"]
    with pytest.raises(UnknownName, match="did you mean normalized"):
        scheme("tercom:normalised")


@pytest.mark.data
def test_sample_of_the_data():
    """A Chinese, a Japanese and a German target's references and one system, under every option."""
    for pair in ("wmt22/en-zh", "wmt22/en-ja", "wmt22/en-de"):
        data = realdata.wmt(pair)
        lines = [*next(iter(data.references.values()))[::20], *next(iter(data.systems.values()))[::20]]
        for options in ALL:
            assert native.tokenize_tercom(lines, **options) == [peer(line, options) for line in lines]


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("pair", realdata.pairs())
def test_all_data(pair):
    """Every distinct line of the pair under every option that changes case-sensitive text."""
    data = realdata.wmt(pair)
    lines = list(
        {line for column in [data.source, *data.references.values(), *data.systems.values()] for line in column}
    )
    for options in ALL:
        for line, ours in zip(lines, native.tokenize_tercom(lines, **options), strict=True):
            assert ours == peer(line, options)
