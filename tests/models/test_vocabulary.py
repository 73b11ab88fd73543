"""Subwords: every text comes back, and nothing in a text is taken for a special token or a byte."""

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models import small
from tertium.errors import InputError, MissingFile, UnknownName
from tertium.models.network import END, SPECIAL
from tertium.models.vocabulary import KINDS, Vocabulary
from tertium.models.vocabulary_learning import BYTES, LEAST

# Names of special tokens and bytes, often and within words, so that a learner would like to make pieces of them.
NAMES = ["x</s> y</s> z</s>", "a<0x41> b<0x41>", "<s> <pad>", "u<unk> v<unk>", "</s>", "<0xE2><0x96><0x81>"] * 20
VOCABULARIES = {
    (kind, named): small.vocabulary(kind, NAMES * named + small.TEXTS) for kind in KINDS for named in (0, 1)
}


@pytest.fixture(params=list(VOCABULARIES), ids=lambda key: f"{key[0]}{'-named' * key[1]}")
def vocabulary(request: pytest.FixtureRequest) -> Vocabulary:
    return VOCABULARIES[request.param]


@pytest.mark.parametrize("key", list(VOCABULARIES), ids=str)
@given(
    text=st.text() | st.lists(st.sampled_from([*SPECIAL, "<0x41>", "<", "▁", " ", "cat", "\n", "é", "漢"])).map("".join)
)
@example(text="  two  spaces  ")
@example(text="▁")
@example(text="\r\n\t\x00\u2028")
def test_every_text_comes_back(key: tuple[str, int], text: str) -> None:
    """Whatever Unicode it is: the text of its tokens is its composed form, and none of them is a special token."""
    vocabulary = VOCABULARIES[key]
    tokens = vocabulary.tokens(text)
    assert all(len(SPECIAL) <= token < len(vocabulary) for token in tokens)
    assert vocabulary.text(tokens) == unicodedata.normalize("NFC", text).replace("\ufdd0", "▁")
    assert vocabulary.text([*tokens, END, *tokens]) == vocabulary.text(tokens)


def test_no_piece_is_learned_that_is_named_like_another(vocabulary: Vocabulary) -> None:
    """Pieces are different texts, the special tokens and the bytes come first, and "<" is in no other piece."""
    pieces = [vocabulary.piece(token) for token in range(len(vocabulary))]
    assert len(set(pieces)) == len(pieces)
    assert tuple(pieces[: len(SPECIAL)]) == SPECIAL
    assert pieces[len(SPECIAL) : len(SPECIAL) + len(BYTES)] == BYTES
    assert [piece for piece in pieces[len(SPECIAL) + len(BYTES) :] if "<" in piece] in ([], ["<"])


def test_an_empty_text_has_no_tokens(vocabulary: Vocabulary) -> None:
    """Nothing, and with its end just the end; no tokens are the empty text, and so is padding."""
    assert vocabulary.tokens("") == []
    assert vocabulary.tokens_of(["", "a cat"]) == [[END], [*vocabulary.tokens("a cat"), END]]
    assert vocabulary.text([]) == vocabulary.text([0, 0, 1, 3]) == ""


@pytest.mark.parametrize("kind", KINDS)
def test_learning_twice_is_learning_the_same(kind: str) -> None:
    """The same texts, the same vocabulary to the last probability; also in another process."""
    code = f"from models import test_vocabulary as t; print(t.VOCABULARIES[{kind!r}, 1].to_json())"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[1], capture_output=True, check=True, encoding="utf-8"
    )
    assert run.stdout.strip() == VOCABULARIES[kind, 1].to_json()
    assert small.vocabulary(kind, NAMES + small.TEXTS) == VOCABULARIES[kind, 1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [LEAST, 300, 500])
def test_a_vocabulary_is_no_larger_than_asked_for(kind: str, size: int) -> None:
    """Though the texts have 3000 different characters: the most frequent are pieces, the others are bytes."""
    texts = ["".join(map(chr, range(0x4E00 + first, 0x4E00 + first + 30))) for first in range(0, 3000, 30)]
    vocabulary = Vocabulary.learn([*texts, "一丁七 a" * 20], size=size, kind=kind)
    assert len(vocabulary) <= size
    assert vocabulary.text(vocabulary.tokens("一丂丄 a")) == "一丂丄 a"
    if size >= 300:
        assert "".join(vocabulary.piece(token) for token in vocabulary.tokens("一丁七 a")).count("<0x") == 0


def test_unknown_characters_are_their_bytes(vocabulary: Vocabulary) -> None:
    """漢 is E6 BC A2 in UTF-8."""
    pieces = [vocabulary.piece(token) for token in vocabulary.tokens("漢")]
    assert [piece for piece in pieces if piece != "▁"] == ["<0xE6>", "<0xBC>", "<0xA2>"]


def test_a_very_long_text(vocabulary: Vocabulary) -> None:
    """A quarter of a million characters, with and without spaces, in a time that grows with their number."""
    for text in ("the cat sat on 漢. " * 13000, "thecatsat" * 28000):
        assert vocabulary.text(vocabulary.tokens(text)) == text


@pytest.mark.parametrize("kind", KINDS)
def test_the_file_is_the_vocabulary(kind: str, tmp_path: Path) -> None:
    """What is written is read back equal, and other vocabularies are not equal to it."""
    vocabulary = VOCABULARIES[kind, 0]
    path = tmp_path / "vocabulary.json"
    path.write_text(vocabulary.to_json(), encoding="utf-8")
    again = Vocabulary.load(path)
    assert again == vocabulary
    assert again.to_json() == path.read_text(encoding="utf-8")
    assert again.tokens("Über </s> cats") == vocabulary.tokens("Über </s> cats")
    assert all(again != other for key, other in VOCABULARIES.items() if key != (kind, 0))


def test_what_is_no_vocabulary_is_refused(tmp_path: Path) -> None:
    """A missing file, a damaged one, one of another tool; too few or no such subwords; half a character."""
    with pytest.raises(MissingFile, match=r"there is no vocabulary .*missing\.json"):
        Vocabulary.load(tmp_path / "missing.json")
    path = tmp_path / "vocabulary.json"
    path.write_text(VOCABULARIES["bpe", 0].to_json()[:200], encoding="utf-8")
    with pytest.raises(InputError, match=r"vocabulary\.json is no vocabulary"):
        Vocabulary.load(path)
    path.write_text(VOCABULARIES["bpe", 0].to_json().replace("<unk>", "[UNK]"), encoding="utf-8")
    with pytest.raises(InputError, match="<unk>"):
        Vocabulary.load(path)
    with pytest.raises(InputError, match="a vocabulary of 263 has no room for subwords"):
        Vocabulary.learn(["a"], size=263)
    for texts in ([], [" ", "\n"]):
        with pytest.raises(InputError, match="no texts to learn subwords from"):
            Vocabulary.learn(texts, size=300)
    with pytest.raises(UnknownName, match="did you mean bpe"):
        Vocabulary.learn(["a"], size=300, kind="bp")
    with pytest.raises(InputError, match="text 1 has half a character"):
        VOCABULARIES["bpe", 0].tokens_of(["a", "\ud83d"])
