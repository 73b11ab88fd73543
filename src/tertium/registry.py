"""Names of things: what `bleu`, `13a` or `jsonl` stand for.

A table maps a name to `module:attribute`. Nothing is imported until the name is asked for, so a catalogue of a hundred
metrics costs nothing. Other packages add names through entry points of the group `tertium.<kind>`.

    metric       a class: a frozen dataclass whose options are its fields (`tertium.spelling`)
    tokenizer    a function: what follows the colon of its spelling -> `tertium.text.Tokenizer`
    format       a function that reads a file (`tertium.data`)
    search       a class of options of a search (`tertium.decoding`)
    objective    what a training minimises (`tertium.training`)
    network      a class of options with `build(source size, target size)` -> a network (`tertium.models.network`)
"""

import dataclasses
import importlib
import typing
from typing import TYPE_CHECKING, Any

from tertium.errors import OptionError, TertiumError, UnknownName
from tertium.spelling import parts, read_options

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
    "network": {
        "lstm": "tertium.models.lstm:LSTMOptions",
        "transformer": "tertium.models.transformer:TransformerOptions",
    },
    "search": {
        "beam": "tertium.decoding.beam:Beam",
        "exact": "tertium.decoding.exact:Exact",
        "greedy": "tertium.decoding.greedy:Greedy",
        "mbr": "tertium.decoding.mbr:MBR",
        "sample": "tertium.decoding.sampling:Sample",
    },
    "objective": {"cross-entropy": "tertium.training.objectives:CrossEntropy"},
    "feeding": {"feeding": "tertium.training.feeding:Feeding"},
    "schedule": {"schedule": "tertium.training.schedule:Schedule"},
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
    return typing.cast("Metric", make("metric", spelling) if isinstance(spelling, str) else _instance(spelling))


def make(kind: str, spelling: str) -> Any:
    """The thing of a kind that a spelling names: an instance of the class registered under its name.

    >>> make("metric", "chrf:words=2").words
    2
    """
    name, options = parts(spelling)
    cls = load(kind, name)
    return cls(**read_options(cls, name, options))


def _instance(metric: Any) -> "Metric":
    """A metric that is passed itself: an instance of its class, which has the two methods."""
    if isinstance(metric, type) or not all(hasattr(metric, method) for method in ("statistics", "score")):
        name = metric.__name__ if isinstance(metric, type) else repr(metric)
        raise OptionError(f"{name} is no metric: pass a spelling such as 'bleu:order=2', or an instance such as BLEU()")
    return typing.cast("Metric", metric)
