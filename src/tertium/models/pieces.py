"""How a CTranslate2 folder cuts texts: CTranslate2 itself takes pieces and gives pieces.

What lies in the folder beside model.bin decides, the first that is there:

    vocabulary.json, or source.json and target.json   our own subwords (`ctranslate2_conversion.py`)
    tokenizer_config.json and what it speaks of       a tokenizer of Hugging Face, with languages where it knows them
    source.spm and target.spm, or one *.model         SentencePiece, and nothing around a text

CTranslate2's converter of Hugging Face models copies the second kind where it is told to (`--copy_files`). What
CTranslate2 adds by itself (`add_source_eos` in its config.json) is not added here.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tertium.errors import InputError, MissingExtra, MissingFile, OptionError
from tertium.models.network import END, SPECIAL
from tertium.models.trained import ONE_VOCABULARY, TWO_VOCABULARIES, read_vocabularies
from tertium.models.vocabulary import Vocabulary


class Pieces(Protocol):
    """Texts as pieces, and back."""

    @property
    def begin(self) -> list[str]:
        """The pieces that a translation is to begin with, and which are none of its own."""
        ...

    def source(self, text: str) -> list[str]:
        """The pieces of a source, as the model takes them."""
        ...

    def target(self, text: str) -> list[str]:
        """The pieces of a translation, without its end."""
        ...

    def text(self, pieces: Sequence[str]) -> str:
        """The text of a translation's pieces."""
        ...


@dataclass(frozen=True)
class OwnPieces:
    """Our subwords; the source's end is a piece as any other."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    begin: list[str] = field(default_factory=list)

    def source(self, text: str) -> list[str]:
        """The subwords and the end."""
        return [*_written(self.source_vocabulary, text), SPECIAL[END]]

    def target(self, text: str) -> list[str]:
        """The subwords."""
        return _written(self.target_vocabulary, text)

    def text(self, pieces: Sequence[str]) -> str:
        """The text."""
        return self.target_vocabulary.text([self.target_vocabulary.token(piece) for piece in pieces])


def _written(vocabulary: Vocabulary, text: str) -> list[str]:
    return [vocabulary.piece(token) for token in vocabulary.tokens(text)]


@dataclass(frozen=True)
class SentencePieces:
    """SentencePiece models of both sides."""

    sources: Any
    targets: Any
    begin: list[str] = field(default_factory=list)

    def source(self, text: str) -> list[str]:
        """The pieces of a source."""
        return list(self.sources.encode(text, out_type=str))

    def target(self, text: str) -> list[str]:
        """The pieces of a translation."""
        return list(self.targets.encode(text, out_type=str))

    def text(self, pieces: Sequence[str]) -> str:
        """The text."""
        return str(self.targets.decode_pieces(list(pieces)))


@dataclass(frozen=True)
class HuggingFacePieces:
    """A tokenizer of Hugging Face; special tokens around a source are its affair."""

    words: Any  # HuggingFaceText

    @property
    def begin(self) -> list[str]:
        """The target's language."""
        code = self.words.target_code
        return [] if code is None else self._names([code])

    def source(self, text: str) -> list[str]:
        """The tokens' names."""
        return self._names(self.words.source_tokens(text))

    def target(self, text: str) -> list[str]:
        """The tokens' names."""
        return self._names(self.words.target_tokens(text)[:-1])

    def text(self, pieces: Sequence[str]) -> str:
        """The text."""
        return str(self.words.text(self.words.tokenizer.convert_tokens_to_ids(list(pieces))))

    def _names(self, tokens: Sequence[int]) -> list[str]:
        return [str(name) for name in self.words.tokenizer.convert_ids_to_tokens(list(tokens))]


def read_pieces(folder: Path, source_language: str | None = None, target_language: str | None = None) -> Pieces:
    """What cuts the texts of a CTranslate2 folder."""
    if any((folder / name).exists() for name in (*ONE_VOCABULARY, TWO_VOCABULARIES[0])):
        found: Pieces = OwnPieces(*read_vocabularies(folder))
    elif (folder / "tokenizer_config.json").exists():
        return HuggingFacePieces(_words(folder, source_language, target_language))
    else:
        found = SentencePieces(*(_sentence_pieces(path) for path in _sentence_models(folder)))
    if source_language is not None or target_language is not None:
        raise OptionError(f"{folder}: its pieces know no languages: leave source and target language out")
    return found


def _sentence_models(folder: Path) -> list[Path]:
    """The SentencePiece models of source and target, which may be one."""
    both = [folder / "source.spm", folder / "target.spm"]
    if not any(path.exists() for path in both):
        both = sorted(folder.glob("*.model"))[:1] * 2
    missing = [path.name for path in both if not path.exists()]
    if missing or not both:
        what = missing[0] if missing else "vocabulary.json, tokenizer_config.json or *.model"
        raise MissingFile(f"{folder} has nothing that cuts texts into the model's pieces: there is no {what}")
    return both


def _sentence_pieces(path: Path) -> Any:
    try:
        sentencepiece: Any = importlib.import_module("sentencepiece")
    except ImportError:
        raise MissingExtra(f"{path}", "sentencepiece", "spm") from None
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (RuntimeError, OSError) as error:
        raise InputError(f"{path} is no SentencePiece model: {error}") from None


def _words(folder: Path, source_language: str | None, target_language: str | None) -> Any:
    from tertium.models.huggingface.text import HuggingFaceText, read_tokenizer, set_languages

    tokenizer = read_tokenizer(folder, "")
    set_languages(tokenizer, source_language, target_language, str(folder))
    end = int(tokenizer.eos_token_id)
    return HuggingFaceText(tokenizer, end, source_language=source_language, target_language=target_language)
