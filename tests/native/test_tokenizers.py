"""The core's tokenizers equal their readable twins and sacreBLEU, on any text and on every line of the real data."""

import functools
import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import realdata
from strategies import characters
from tertium import native
from tertium.errors import InputError
from tertium.native.reference import tokenizers as twins

peers = pytest.importorskip("sacrebleu.metrics.bleu")
regex = pytest.importorskip("regex")

NAMES = ["none", "13a", "intl", "zh", "char"]

# What the rules treat differently: marks, digits of several scripts, white space, entities, edges of Chinese ranges.
TELLING = st.sampled_from(
    [
        *".,.,-09a {|}~[]_!#%'(*/:;?@^`+=«“’…—。，、！€１²½٣Ⅷ٬中䶵䶶龻龼ﷺ𠀀🙂éяß\\\t\x01︐﷼㌀",
        *("..", ",.", "\n", "-\n", "\x1c", "\x85", "\xa0", "\u1680", "\u200b", "\u2003", "\u2028", "\u2060", "\u3000"),
        *("&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&", "<", "<skipped>", "<skip", "\u0301"),
    ]
)
TEXTS = st.lists(TELLING | characters, max_size=12).map("".join)


@functools.cache
def category(character: str) -> str:
    """The general category by the `regex` package, as far as a tokenizer asks: sacreBLEU's intl takes it from there."""
    return next((name for name in ("N", "P", "S") if regex.match(rf"\p{{{name}}}", character)), "")


def twin(name: str, text: str) -> list[str]:
    """The tokens by the readable twin."""
    return {
        "none": twins.tokenize_none,
        "13a": twins.tokenize_13a,
        "intl": functools.partial(twins.tokenize_intl, category=category),
        "zh": twins.tokenize_zh,
        "char": twins.tokenize_char,
    }[name](text)


@functools.cache
def peer(name: str) -> Callable[[str], list[str]]:
    """sacreBLEU's tokenizer without its cache, which would hold every line of the real data."""
    tokenizer = peers._get_tokenizer(name)()
    call = type(tokenizer).__call__
    call = getattr(call, "__wrapped__", call)
    return lambda text: call(tokenizer, text.rstrip()).split()


@pytest.mark.parametrize("name", NAMES)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
@settings(max_examples=400)
def test_equal_to_twin_and_sacrebleu(name: str, texts: list[str]) -> None:
    """Tokens of any texts, runs of marks, entities and newlines inside, equal the twin's and the peer's."""
    tokens = native.tokenize(texts, name)
    assert tokens == [twin(name, text) for text in texts]
    assert tokens == [peer(name)(text) for text in texts]


@pytest.mark.parametrize("name", NAMES)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_lower_case_comes_first(name: str, texts: list[str]) -> None:
    """Lower-casing happens before the text is cut, as sacreBLEU does it."""
    assert native.tokenize(texts, name, lowercase=True) == [peer(name)(text.lower()) for text in texts]


@pytest.mark.parametrize("name", NAMES)
def test_characters_in_every_neighbourhood(name: str) -> None:
    """Marks, symbols, numbers and every character below U+3100, alone and beside others, are cut as by sacreBLEU."""
    points = [chr(point) for point in range(1, 0x110000) if not 0xD800 <= point < 0xE000]
    marks = [point for point in points if unicodedata.category(point)[0] in "NPSZ"]
    edges = points[:0x3500] + points[0x4DA0:0x4E10] + points[0x9FA0:0xA010]
    characters = sorted({*edges, *marks, *points[::61]})
    lines = []
    for before, after in (("", ""), ("a", "a"), ("1", "1"), ("中,", "a"), ("1,", ".1")):
        each = [f"{before}{character}{after}" for character in characters]
        lines += each if not before else [" ".join(each[at : at + 50]) for at in range(0, len(each), 50)]
    assert native.tokenize(lines, name) == [peer(name)(line) for line in lines]


@pytest.mark.parametrize("name", NAMES)
def test_lone_surrogate_is_refused(name: str) -> None:
    """A lone surrogate is no text: the error says in which text and at which character it stands."""
    with pytest.raises(InputError, match=r"texts\[1\].*U\+DC80 at character 2"):
        native.tokenize(["fine", "ab\udc80"], name)


def test_token_lists_are_taken_as_they_are() -> None:
    """Text that comes tokenised is not cut again; only its case may change."""
    segments = [["A.B", "ΟΔΟΣ"], [], ["漢字"]]
    assert native.tokenize(segments, "char") == segments
    assert native.tokenize(segments, "intl", lowercase=True) == [["a.b", "οδος"], [], ["漢字"]]


def columns(pair: str) -> list[str]:
    """Every text of a language pair: sources, references and system outputs."""
    data = realdata.wmt(pair)
    return [line for column in (data.source, *data.references.values(), *data.systems.values()) for line in column]


@pytest.mark.data
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("pair", ["wmt22/de-en", "wmt22/en-zh", "wmt22/en-ja", "wmt23/en-ru", "wmt23/en-he"])
def test_sample_of_real_lines(name: str, pair: str) -> None:
    """Every 53rd line of five language pairs is cut as by sacreBLEU."""
    lines = columns(pair)[::53]
    assert native.tokenize(lines, name) == [peer(name)(line) for line in lines]


TABLES_OF_NUMBERS = re.compile(r"human|judgments|metric|ratings|manifest|ranking|automatic|checks")


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", NAMES)
def test_every_real_line(name: str) -> None:
    """Every distinct text of the real data is cut as by sacreBLEU."""
    paths = [path for path in sorted(realdata.FOLDER.rglob("*.gz")) if not TABLES_OF_NUMBERS.search(path.name)]
    assert len(paths) > 80
    for path in paths:
        _, rows = realdata.read_table(str(path.relative_to(realdata.FOLDER)))
        lines = sorted({cell for row in rows for cell in row if cell.strip("0123456789.-")})
        assert native.tokenize(lines, name) == [peer(name)(line) for line in lines], path
        assert native.lowercase(lines) == [line.lower() for line in lines], path
