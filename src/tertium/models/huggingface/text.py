"""How text becomes the tokens of a Hugging Face network, and tokens text: its tokenizer, and what its kind adds.

    prefix      T5 was taught its tasks by words before the text, such as "translate English to German: "
    languages   multilingual networks (NLLB, M2M100, mBART) read the source's language from a token of the source, and
                the target's from the first token they are given to go on from
    template    a language model continues a text: the template with the source in the place of {source}

A special token's name in a text (`</s>`) is text, as everywhere else in Tertium; where the vocabulary cannot write it
as text, it is unknown.
"""

import importlib
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.errors import InputError, MissingFile, OptionError, UnknownName

transformers: Any = importlib.import_module("transformers")  # parts of it have no types
PLACE = "{source}"
VOCABULARIES = ("tokenizer.json", "vocab.*", "*.model", "*.spm", "tekken.json")  # files that hold tokens


@dataclass(frozen=True)
class HuggingFaceText:
    """The tokenizer of a folder, and what is said around a text."""

    tokenizer: Any
    end: int
    before: str = ""  # what a source is preceded by
    behind: str = ""  # what follows it
    source_language: str | None = None
    target_language: str | None = None
    continues: bool = False  # a language model: the translation goes on where the source's text ends

    def __eq__(self, other: object) -> bool:
        """Whether another makes the same tokens of every text."""
        if not isinstance(other, HuggingFaceText):
            return NotImplemented
        mine, others = (
            (each.end, each.before, each.behind, each.source_language, each.target_language, each.tokenizer.get_vocab())
            for each in (self, other)
        )
        return mine == others

    __hash__ = None  # type: ignore[assignment]

    def source_tokens(self, text: str) -> list[int]:
        """The tokens of a source with all that belongs around it."""
        if not self.continues:
            return self._ids(self.before + text, special=True)
        if any(name in text for name in self.tokenizer.all_special_tokens):  # they are known in the template only
            begin, *rest = (self._parsed(self.before), self._ids(text), self._parsed(self.behind, special=False))
            return [*begin, *(token for tokens in rest for token in tokens)]
        return self._parsed(self.before + text + self.behind)

    def target_tokens(self, text: str) -> list[int]:
        """The tokens of a translation and its end."""
        if not self.continues:
            return [*self._ids(text, side="text_target"), self.end]
        before = self._ids(self.behind)
        whole = self._ids(self.behind + text)
        own = whole[len(before) :] if whole[: len(before)] == before else self._ids(text)
        return [*own, self.end]

    def text(self, tokens: Sequence[int]) -> str:
        """The text of tokens, up to the end; what is around a language model's continuation is left out."""
        ids = [int(token) for token in tokens]
        if self.end in ids:
            ids = ids[: ids.index(self.end)]
        text = str(self.tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False))
        return text.strip() if self.continues else text

    @property
    def target_code(self) -> int | None:
        """The token that says the target's language."""
        return None if self.target_language is None else language_code(self.tokenizer, self.target_language)

    def _ids(self, text: str, *, special: bool = False, side: str = "text") -> list[int]:
        """The tokens of a text in which no special token is meant; `special`: with those that are around every text."""
        options = {"add_special_tokens": special, "split_special_tokens": True, "return_special_tokens_mask": True}
        encoded = self.tokenizer(**{side: text}, **options)
        names, unknown = set(self.tokenizer.all_special_ids), self.tokenizer.unk_token_id
        return [  # some tokenizers find the names of special tokens in a text all the same
            int(token) if added or token not in names or unknown is None else unknown
            for token, added in zip(encoded["input_ids"], encoded["special_tokens_mask"], strict=True)
        ]

    def _parsed(self, text: str, *, special: bool = True) -> list[int]:
        """The tokens of a text in which special tokens are meant, without an end: it is to go on."""
        ids = [int(token) for token in self.tokenizer(text, add_special_tokens=special)["input_ids"]]
        return ids[:-1] if ids and ids[-1] == self.end and not text.endswith(self.tokenizer.eos_token) else ids


def read_tokenizer(folder: Path, kind: str) -> Any:
    """The tokenizer in the folder of a network of a kind (config.json's `model_type`)."""
    if not any(next(folder.glob(pattern), None) for pattern in VOCABULARIES):
        raise MissingFile(f"{folder} has no tokenizer: there is no tokenizer.json, nor another file of tokens")
    try:
        return transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:  # whatever the tokenizer's class raises
        absent = [name for name in _files_of(kind) if not (folder / name).exists()]
        why = f"there is no {' and no '.join(absent)}" if absent else first_line(error)
        raise InputError(f"{folder}: its tokenizer cannot be read: {why}") from error


def _files_of(kind: str) -> list[str]:
    """The files that the tokenizer of a kind of network cannot be made without, as far as transformers says."""
    auto = transformers.models.auto.tokenization_auto
    maker = auto.tokenizer_class_from_name(auto.TOKENIZER_MAPPING_NAMES.get(kind) or "PreTrainedTokenizerFast")
    options = inspect.signature(maker).parameters.values()
    needed = [option.name for option in options if option.default is inspect.Parameter.empty]
    return [maker.vocab_files_names[name] for name in needed if name in maker.vocab_files_names]


def language_code(tokenizer: Any, language: str) -> int:
    """The token that stands for a language."""
    if hasattr(tokenizer, "lang_code_to_id") and language in tokenizer.lang_code_to_id:
        return int(tokenizer.lang_code_to_id[language])
    code = tokenizer.convert_tokens_to_ids(language)
    if language not in tokenizer.get_vocab() or code == tokenizer.unk_token_id:
        raise UnknownName("language of the model", language, languages(tokenizer))
    return int(code)


def languages(tokenizer: Any) -> list[str]:
    """The languages that a multilingual tokenizer has tokens for."""
    if hasattr(tokenizer, "lang_code_to_id"):
        return sorted(tokenizer.lang_code_to_id)
    named = {tokenizer.bos_token, tokenizer.eos_token, tokenizer.pad_token, tokenizer.unk_token, tokenizer.mask_token}
    return sorted(set(tokenizer.all_special_tokens) - named)


def set_languages(tokenizer: Any, source: str | None, target: str | None, where: str) -> None:
    """Say the languages to a multilingual tokenizer; they must be said to it, and to no other."""
    if not hasattr(tokenizer, "src_lang"):
        if source is not None or target is not None:
            raise OptionError(f"{where}: its tokenizer knows no languages: leave source and target language out")
        return
    known = ", ".join(languages(tokenizer)[:8])
    if source is None or target is None:
        raise OptionError(f"{where} is multilingual: say source_language and target_language, such as {known} ...")
    for language in (source, target):
        language_code(tokenizer, language)
    tokenizer.src_lang, tokenizer.tgt_lang = source, target


def around(template: str) -> tuple[str, str]:
    """What is before and behind the source in a template.

    >>> around("English: {source}\\nGerman:")
    ('English: ', '\\nGerman:')
    """
    if template.count(PLACE) != 1:
        raise OptionError(f"the template {template!r} must have {PLACE} once: where the source's text goes")
    before, _, behind = template.partition(PLACE)
    return before, behind


def first_line(error: BaseException) -> str:
    """The first line of an error's message."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
