"""What the Japanese and the Korean scheme share: MeCab (Kudo et al., 2004) run over many lines.

The words of a line are those that MeCab's output format `wakati` sets apart by spaces. A tagger is made once in a
process: loading the dictionary takes longer than cutting a test set.

MeCab stops at U+0000 without a word and would drop the rest of the line, so such a line is refused here (sacreBLEU
scores what stands before it).
"""

import importlib
from functools import lru_cache
from types import ModuleType
from typing import Any

from tertium.errors import InputError, MissingExtra, OptionError
from tertium.text import Tokenizer


def mecab_tokenizer(name: str, engine: str, dictionary: str, *, entries: int, mark: str) -> Tokenizer:
    """The scheme made of a MeCab engine and a dictionary, two Python modules; the extra is named as the language.

    The dictionary must have `entries` entries, so that it is the very one that published scores were made with.
    """
    tagger = _tagger(name, engine, dictionary, entries)

    def space(lines: list[str]) -> list[str]:
        parse = tagger.parse
        for line in lines:
            if "\0" in line:
                raise InputError(
                    f"tokenizer {name} cannot cut a text with U+0000 in it: {line[:60]!r}; remove the character"
                )
        return [parse(line.strip()) for line in lines]

    return Tokenizer(
        name, lambda text: space([text.rstrip()])[0].split(), space=space, signature=f"{name}-{tagger.version()}-{mark}"
    )


@lru_cache
def _tagger(name: str, engine: str, dictionary: str, entries: int) -> Any:
    try:
        mecab, words = importlib.import_module(engine), importlib.import_module(dictionary)
    except ImportError:
        raise MissingExtra(f"tokenizer {name}", f"{engine} and {dictionary}", name.partition("-")[0]) from None
    return checked(name, mecab.Tagger(f"{arguments(words)} -Owakati"), entries)


def arguments(dictionary: ModuleType) -> str:
    """The command-line arguments that make MeCab read this dictionary."""
    return str(dictionary.MECAB_ARGS)


def checked(name: str, tagger: Any, entries: int) -> Any:
    """The tagger, if its only dictionary is the one of so many entries."""
    found = tagger.dictionary_info()
    if found.size == entries and found.next is None:
        return tagger
    more = " and a user dictionary" if found.next is not None else ""
    raise OptionError(
        f"tokenizer {name} needs the dictionary of {entries} entries alone, but MeCab has one of {found.size}{more}: "
        "the scores could not be compared with anybody's; install the dictionary package named in the extra"
    )
