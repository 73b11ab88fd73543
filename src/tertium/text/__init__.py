"""Tokenizers, one scheme a file.

A scheme is a factory: `tokenizer(argument)` -> `Tokenizer`, where the argument is what follows a colon in the scheme's
spelling (`spm:my.model`) or an empty string. `tertium.text.scheme` looks it up by that spelling.

Every metric that tokenizes calls `prepare` once, with all its systems and references: it hands back corpora together
with the name of the tokenizer that the core shall run over them. Schemes that the core has itself (13a, intl, zh,
char ...) cost nothing there. The others (MeCab, SentencePiece) get all distinct lines in one batch and give back
lines with their tokens set apart by white space, which is what the core's tokenizer `none` splits; so their tokens
never become Python objects.

Lower-casing comes before the tokenizer and white space at the end of a line goes before it too, as in sacreBLEU.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tertium import native, registry
from tertium.errors import InputError, OptionError
from tertium.native import Corpus, corpus


@dataclass(frozen=True)
class Tokenizer:
    """One way to cut a line of text into tokens.

    Where the core has the scheme, `native` is its name there and texts never become Python tokens. Otherwise `space`,
    if there is one, rewrites many lines at once so that white space stands between tokens; without it the lines are
    cut one by one by `split`.
    """

    name: str
    split: Callable[[str], list[str]]
    native: str | None = None
    space: Callable[[list[str]], list[str]] | None = None
    signature: str = ""  # what sacreBLEU's signature says after `tok:`, where that is not the name

    def __call__(self, text: str) -> list[str]:
        """The tokens of one text."""
        return self.split(text)


class Prepared(NamedTuple):
    """Corpora, and what the core has to do with each line of them."""

    corpora: list[Corpus]
    tokenizer: str
    lowercase: bool


def scheme(spelling: str) -> Tokenizer:
    """The tokenizer that a spelling names: `13a`, `zh`, `spm:my.model`.

    >>> scheme("13a")("Hello, world!")
    ['Hello', ',', 'world', '!']
    """
    name, _, argument = spelling.partition(":")
    tokenizer: Tokenizer = registry.load("tokenizer", name)(argument)
    return tokenizer


def prepare(corpora: Sequence[Corpus], tokenizer: str | Tokenizer, *, lowercase: bool = False) -> Prepared:
    """Corpora as the core takes them, with the tokenizer and the lower-casing that are left for the core to do.

    >>> from tertium.native import corpus
    >>> prepare([corpus(["a b"])], "13a", lowercase=True)[1:]
    ('13a', True)
    """
    chosen = scheme(tokenizer) if isinstance(tokenizer, str) else tokenizer
    if chosen.native is not None:
        return Prepared(list(corpora), chosen.native, lowercase)
    raw = [texts for texts in corpora if not texts.tokenised]
    if not raw:
        return Prepared(list(corpora), "none", lowercase)
    lines: dict[str, str] = {}  # each distinct line, and the line as the tokenizer gets it
    columns = [[texts[i] for i in range(len(texts))] for texts in raw]
    for column in columns:
        for line in column:
            if line is not None and line not in lines:
                lines[line] = (line.lower() if lowercase else line).rstrip()
    cut = _cut(lines, chosen)
    done = {
        id(texts): corpus([None if line is None else cut[line] for line in column], chosen.name)
        for texts, column in zip(raw, columns, strict=True)
    }
    return Prepared([done.get(id(texts), texts) for texts in corpora], "none", False)


def _cut(lines: dict[str, str], tokenizer: Tokenizer) -> "dict[str, str] | dict[str, list[str]]":
    """What stands for each line in the corpus: itself with white space between tokens, or its tokens."""
    if tokenizer.space is None:
        return {line: tokenizer.split(text) for line, text in lines.items()}
    spaced = tokenizer.space(list(lines.values()))
    if len(spaced) != len(lines):
        raise InputError(f"tokenizer {tokenizer.name} gave {len(spaced)} lines for {len(lines)}")
    return dict(zip(lines, spaced, strict=True))


def of_the_core(name: str, argument: str) -> Tokenizer:
    """The tokenizer that the core has under this name; such schemes take no argument."""
    no_argument(name, argument)
    return Tokenizer(name, lambda text: native.tokenize([text], name)[0], native=name)


def no_argument(name: str, argument: str) -> None:
    """Refuse what follows the colon in the spelling of a scheme that takes no argument."""
    if argument:
        raise OptionError(f"tokenizer {name} takes no argument, but was given {argument!r}: write {name}")
