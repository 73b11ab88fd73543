"""The exceptions, all of them.

    TertiumError                    anything a user can mend; says what, where and what to do
    ├── InputError (ValueError)     the data does not fit: lengths, encodings, types, fields
    ├── OptionError (ValueError)    an option has a value it cannot have
    ├── UnknownName (LookupError)   no metric, tokenizer, format ... of that name; the nearest names are listed
    ├── MissingExtra (ImportError)  an optional dependency is not installed; the message says what to install
    └── MissingFile (OSError)       a file or model folder is not where it was said to be

The command line prints the message of a `TertiumError` on one line and ends with exit code 2. Anything else that is
raised is a bug of Tertium.
"""

import difflib
from collections.abc import Iterable


class TertiumError(Exception):
    """Anything that went wrong for a reason a user can mend."""


class InputError(TertiumError, ValueError):
    """The data given does not fit together or cannot be read."""


class OptionError(TertiumError, ValueError):
    """An option has a value it cannot have."""


class UnknownName(TertiumError, LookupError):
    """A name that nothing is registered under.

    >>> raise UnknownName("metric", "blue", ["bleu", "gleu", "ter"])
    Traceback (most recent call last):
    tertium.errors.UnknownName: unknown metric 'blue'; did you mean bleu or gleu?
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        lowered = {each.lower(): each for each in known}  # case tells names apart, but is no reason not to find one
        same = [name.lower()] if name.lower() in lowered else []
        near = [lowered[each] for each in same or difflib.get_close_matches(name.lower(), lowered, n=3, cutoff=0.5)]
        hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class MissingExtra(TertiumError, ImportError):
    """An optional dependency is needed and absent.

    >>> raise MissingExtra("tokenizer ja-mecab", "MeCab", "ja")
    Traceback (most recent call last):
    tertium.errors.MissingExtra: tokenizer ja-mecab needs MeCab: pip install 'tertium[ja]'
    """

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(f"{what} needs {package}: pip install 'tertium[{extra}]'")


class MissingFile(TertiumError, OSError):
    """A file or folder is not where it was said to be."""
