"""Names of things: what `bleu`, `13a` or `jsonl` stand for.

A table maps a name to `module:attribute`. Nothing is imported until the name is asked for, so a catalogue of a hundred
metrics costs nothing. Other packages add names through entry points of the group `tertium.<kind>`.

A metric's spelling, on the command line and in `repr`, is its name and its options: `chrf:order=6,words=2`.
"""

import dataclasses
import importlib
import types
import typing
from functools import cache
from typing import TYPE_CHECKING, Any

from tertium.errors import OptionError, TertiumError, UnknownName

if TYPE_CHECKING:
    from tertium.metrics.protocol import Metric

TABLES: dict[str, dict[str, str]] = {
    "metric": {
        "bleu": "tertium.metrics.bleu:BLEU",
        "cer": "tertium.metrics.wer:CER",
        "chrf": "tertium.metrics.chrf:CHRF",
        "f1": "tertium.metrics.overlap:F1",
        "gleu": "tertium.metrics.gleu:GLEU",
        "nist": "tertium.metrics.nist:NIST",
        "precision": "tertium.metrics.overlap:Precision",
        "recall": "tertium.metrics.overlap:Recall",
        "rouge": "tertium.metrics.rouge:ROUGE",
        "ter": "tertium.metrics.ter:TER",
        "wer": "tertium.metrics.wer:WER",
    },
    "tokenizer": {
        "13a": "tertium.text.mteval:tokenizer",
        "alphanumeric": "tertium.text.alphanumeric:tokenizer",
        "char": "tertium.text.characters:tokenizer",
        "flores101": "tertium.text.subwords:flores101",
        "flores200": "tertium.text.subwords:flores200",
        "intl": "tertium.text.international:tokenizer",
        "ja-mecab": "tertium.text.japanese:tokenizer",
        "ko-mecab": "tertium.text.korean:tokenizer",
        "none": "tertium.text.plain:tokenizer",
        "spBLEU-1K": "tertium.text.subwords:thousand_languages",
        "spm": "tertium.text.subwords:spm",
        "tercom": "tertium.text.tercom:tokenizer",
        "zh": "tertium.text.chinese:tokenizer",
    },
    "format": {
        "jsonl": "tertium.data.jsonl:read",
        "parquet": "tertium.data.parquet:read",
        "plain": "tertium.data.plain:read",
        "tsv": "tertium.data.tsv:read",
        "xml": "tertium.data.wmt_xml:read",
    },
}


def _plugins(kind: str) -> dict[str, Any]:
    from importlib.metadata import entry_points  # slow to import, rarely needed

    return {point.name: point for point in entry_points(group=f"tertium.{kind}")}


def names(kind: str) -> list[str]:
    """Every name of a kind, those of other packages included.

    >>> "bleu" in names("metric")
    True
    """
    return sorted({*TABLES[kind], *_plugins(kind)})


def load(kind: str, name: str) -> Any:
    """The thing registered under a name; imports its module."""
    if name in TABLES[kind]:
        module, attribute = TABLES[kind][name].split(":")
        return getattr(importlib.import_module(module), attribute)
    plugins = _plugins(kind)
    if name in plugins:
        return _of_plugin(kind, plugins[name])
    raise UnknownName(kind, name, {*TABLES[kind], *plugins})


def _of_plugin(kind: str, point: Any) -> Any:
    """What another package registered; where that fails, the package is named, as it is not ours to mend."""
    try:
        loaded = point.load()
    except TertiumError:
        raise
    except Exception as error:
        package = point.dist.name if point.dist else "another package"
        raise TertiumError(f"{kind} {point.name} of {package} cannot be loaded from {point.value}: {error}") from error
    if kind == "metric" and not (isinstance(loaded, type) and dataclasses.is_dataclass(loaded)):
        raise TertiumError(f"metric {point.name} is registered as {point.value}, which is no dataclass as a metric is")
    return loaded


def metric(spelling: "str | Metric") -> "Metric":
    """The metric that a spelling names: `name` or `name:option=value,option=value`.

    >>> metric("bleu:lowercase=yes").lowercase
    True
    >>> metric("bleu:ordr=3")
    Traceback (most recent call last):
    tertium.errors.UnknownName: unknown option of bleu 'ordr'; did you mean order?
    """
    if not isinstance(spelling, str):
        return _instance(spelling)
    name, _, rest = spelling.partition(":")
    cls = load("metric", name.strip())
    fields = _option_types(cls)
    options = {}
    for part in filter(None, rest.split(",")):
        option, equals, text = part.partition("=")
        option = option.strip()
        if option not in fields:
            raise UnknownName(f"option of {name}", option, fields)
        if option in options:
            raise OptionError(f"option {option!r} of {name} is given twice: leave one out")
        if not equals:
            raise OptionError(f"option {option!r} of {name} has no value: write {option}=VALUE")
        options[option] = _value(text.strip(), fields[option], f"{name}:{option}")
    return typing.cast("Metric", cls(**options))


@cache
def _option_types(cls: type) -> dict[str, Any]:
    """The options of a metric and their types; asked once a class, for a loop that scores one segment at a time."""
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def _instance(metric: Any) -> "Metric":
    """A metric that is passed itself: an instance of its class, which has the two methods."""
    if isinstance(metric, type) or not all(hasattr(metric, method) for method in ("statistics", "score")):
        name = metric.__name__ if isinstance(metric, type) else repr(metric)
        raise OptionError(f"{name} is no metric: pass a spelling such as 'bleu:order=2', or an instance such as BLEU()")
    return typing.cast("Metric", metric)


def _value(text: str, kind: Any, where: str) -> Any:
    """The value that `text` spells for a field of type `kind` (bool, int, float, str, tuple of floats, or None)."""
    union = typing.get_origin(kind) in (types.UnionType, typing.Union)
    choices = typing.get_args(kind) if union else (kind,)
    for choice in choices:
        try:
            if choice is bool:
                return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[text.lower()]
            if choice in (int, float, str):
                return choice(text)
            if typing.get_origin(choice) is tuple:
                return tuple(float(part) for part in text.split("+"))
            if choice is type(None) and text.lower() in ("none", "auto"):
                return None
        except (ValueError, KeyError):
            continue
    known = {bool: "yes or no", int: "a whole number", float: "a number", type(None): "none"}
    wanted = " or ".join(known.get(c, "numbers joined by +") for c in choices)
    raise OptionError(f"{where} cannot be {text!r}: it takes {wanted}")
