"""Subwords: text <-> token ids, learned from the texts a model is trained on and kept in its folder.

    bpe       the most frequent pair of neighbours becomes one token, again and again (Sennrich et al., 2016)
    unigram   a probability for each piece, the likeliest way to cut a text (Kudo, 2018)

Both see a text as its words with the space before each written as U+2581, as SentencePiece does, so joining the pieces
gives the text back. Characters that are not in the vocabulary are written as their UTF-8 bytes: nothing is lost, there
are no unknown words. What comes back is the text in Unicode's composed form (NFC), to the last space.

Two things in a text look like what they are not. U+2581 itself is written as U+FDD0, which Unicode keeps for such ends.
And the names of special tokens and of bytes (`</s>`, `<0x41>`) would be found by the models of both kinds, as they
are in their vocabularies; so "<" is always a piece of its own, and no piece of a text is such a name.

Texts are cut by Hugging Face's `tokenizers`, and the file is its `tokenizer.json`; `vocabulary_learning.py` learns.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tokenizers

from tertium.errors import InputError, MissingFile, UnknownName
from tertium.models.network import END, SPECIAL
from tertium.models.vocabulary_learning import FIXED, LEARNERS, LEAST, check_whole

KINDS = tuple(LEARNERS)


class Vocabulary:
    """The subwords of a language, or of several.

    >>> vocabulary = Vocabulary.learn(["a cat sat", "the cat sat on the mat"] * 8, size=300, kind="bpe")
    >>> vocabulary.text(vocabulary.tokens("the cat: 漢"))
    'the cat: 漢'
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        tokenizer.encode_special_tokens = True  # "</s>" in a text is text
        for number, name in enumerate(SPECIAL):
            if tokenizer.token_to_id(name) != number:
                raise InputError(f"the vocabulary has {name} as {tokenizer.token_to_id(name)}; it must be {number}")

    def __len__(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self._tokenizer.to_str() == other._tokenizer.to_str()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def learn(cls, texts: Iterable[str], *, size: int, kind: str = "bpe") -> "Vocabulary":
        """Learn at most `size` subwords from texts; 260 of them are the special tokens and the bytes."""
        if kind not in KINDS:
            raise UnknownName("kind of vocabulary", kind, KINDS)
        if size < LEAST:
            raise InputError(f"a vocabulary of {size} has no room for subwords: {len(FIXED)} are fixed; take more")
        return cls(LEARNERS[kind](texts, size))

    @classmethod
    def from_json(cls, text: str) -> "Vocabulary":
        """The vocabulary that `to_json` wrote."""
        return cls(tokenizers.Tokenizer.from_str(text))

    def to_json(self) -> str:
        """The whole vocabulary as `tokenizer.json` has it."""
        return str(self._tokenizer.to_str(pretty=True))

    @classmethod
    def load(cls, path: Path) -> "Vocabulary":
        """The vocabulary in a file."""
        if not path.exists():
            raise MissingFile(f"there is no vocabulary {path}: the model's folder is not whole")
        try:
            return cls(tokenizers.Tokenizer.from_file(str(path)))
        except Exception as error:  # the library raises plain Exceptions
            raise InputError(f"{path} is no vocabulary: {error}") from None

    def tokens(self, text: str) -> list[int]:
        """The token ids of a text, without its end."""
        with _only_text([text]):
            return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def tokens_of(self, texts: Sequence[str]) -> list[list[int]]:
        """The token ids of many texts, each with its end; on all cores."""
        with _only_text(texts):
            encoded = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [[*each.ids, END] for each in encoded]

    def text(self, tokens: Sequence[int]) -> str:
        """The text of token ids; special tokens say nothing, and what follows the end is left out."""
        ids = [int(token) for token in tokens]
        if END in ids:
            ids = ids[: ids.index(END)]
        return str(self._tokenizer.decode([each for each in ids if each >= len(SPECIAL)], skip_special_tokens=False))

    def piece(self, token: int) -> str:
        """One token as it stands in the vocabulary."""
        return str(self._tokenizer.id_to_token(int(token)))

    def token(self, piece: str) -> int:
        """The token of a piece."""
        return int(self._tokenizer.token_to_id(piece))


@contextmanager
def _only_text(texts: Sequence[str]) -> Iterator[None]:
    """What is no text, the library refuses without a word on which it was and why."""
    try:
        yield
    except TypeError:
        for number, text in enumerate(texts):
            check_whole(text, number)
        raise
