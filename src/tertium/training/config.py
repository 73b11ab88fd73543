"""What a training is: a TOML file whose every field is checked before anything is computed.

    [data]         source, target: files to learn from; valid_source, valid_target: held-out files; languages
    [vocabulary]   kind, size, shared
    [model]        network: the spelling of its shape, such as transformer:layers=4,width=128
    [training]     objective, feeding, tokens a batch, steps or epochs, rates, precision, seed ...
    [validation]   metric, every so many steps, patience

Presets are such files without data.
"""

import dataclasses
import tomllib
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from tertium import registry
from tertium.errors import InputError, MissingFile, OptionError, TertiumError, UnknownName
from tertium.models.vocabulary import KINDS
from tertium.models.vocabulary_learning import LEAST
from tertium.spelling import meaning, option_types
from tertium.training.feeding import Feeding
from tertium.training.schedule import Schedule

PRECISIONS = ("float32", "bfloat16")


@dataclass(frozen=True)
class Data:
    """What is learned from."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    valid_source: tuple[str, ...]
    valid_target: tuple[str, ...]
    languages: str = ""  # such as en-de, for the model's card
    longest: int = 200  # pairs with more tokens on a side are left out, and the model takes none longer


@dataclass(frozen=True)
class Words:
    """The subwords."""

    kind: str = "bpe"
    size: int = 8000
    shared: bool = True  # source and target have one vocabulary


@dataclass(frozen=True)
class Model:
    """The network."""

    network: str = "transformer"
    start: str | None = None  # a model's folder to go on from: its network and its vocabulary are used


@dataclass(frozen=True)
class Training:
    """How the network learns."""

    objective: str = "cross-entropy:smoothing=0.1"
    feeding: str = "feeding:kind=teacher"
    tokens: int = 4096  # of a batch, padding counted
    steps: int = 10000  # at most
    minutes: float | None = None  # at most
    learning_rate: float = 0.001
    schedule: str = "schedule:shape=inverse-sqrt,warmup=1000"
    weight_decay: float = 0.0
    clip: float = 1.0  # the gradient's norm
    precision: str = "float32"
    accumulate: int = 1  # batches a step
    devices: int = 1
    seed: int = 1
    average: int = 5  # of the last so many validations' weights the mean is tried too


@dataclass(frozen=True)
class Validation:
    """How it is seen whether it learns."""

    metric: str = "bleu"
    search: str = "greedy"
    every: int = 500  # steps
    patience: int = 10  # validations without a better score


@dataclass(frozen=True)
class TrainingConfig:
    """A whole training."""

    data: Data
    vocabulary: Words = field(default_factory=Words)
    model: Model = field(default_factory=Model)
    training: Training = field(default_factory=Training)
    validation: Validation = field(default_factory=Validation)


FILES = ("source", "target", "valid_source", "valid_target")
SECTIONS: dict[str, Any] = {
    "data": Data, "vocabulary": Words, "model": Model, "training": Training, "validation": Validation,
}  # fmt: skip


def read_training(path: str | Path, overrides: Mapping[str, Any] | None = None) -> TrainingConfig:
    """The training that a TOML file describes; `overrides` maps `section.field` to another value.

    Files that it names are looked for beside it.
    """
    path = Path(path)
    try:
        return parse_training(path.read_text(encoding="utf-8"), str(path), overrides, path.parent)
    except FileNotFoundError:
        raise MissingFile(f"there is no file {path}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8: {error.reason}") from None


def presets() -> list[str]:
    """The names of the trainings that come with Tertium."""
    folder = resources.files("tertium.training") / "presets"
    return sorted(each.name.removesuffix(".toml") for each in folder.iterdir() if each.name.endswith(".toml"))


def read_preset(name: str, overrides: Mapping[str, Any]) -> TrainingConfig:
    """A training that comes with Tertium; its data must be given."""
    if name not in presets():
        raise UnknownName("preset", name, presets())
    text = (resources.files("tertium.training") / "presets" / f"{name}.toml").read_text(encoding="utf-8")
    return parse_training(text, f"preset {name}", overrides)


def parse_training(
    text: str, where: str, overrides: Mapping[str, Any] | None = None, beside: Path | None = None
) -> TrainingConfig:
    """The training that a TOML text describes; a mistake names the field.

    >>> parse_training('[data]\\nsource = 5', "my.toml")
    Traceback (most recent call last):
    tertium.errors.OptionError: my.toml: [data] source is 5; it takes a file, or a list of files
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where} is no TOML: {error}") from None
    if beside is not None and isinstance(raw.get("data"), dict):
        raw["data"] = {name: _beside(value, beside) if name in FILES else value for name, value in raw["data"].items()}
    for name, value in (overrides or {}).items():
        section, _, option = name.partition(".")
        raw.setdefault(section, {})[option] = value
    for section in raw:
        if section not in SECTIONS:
            raise UnknownName(f"section of {where}", section, SECTIONS)
    made = {name: _section(cls, raw.get(name, {}), f"{where}: [{name}]") for name, cls in SECTIONS.items()}
    config = TrainingConfig(**made)
    _check(config, where)
    return config


def _beside(value: Any, folder: Path) -> Any:
    """Files as seen from a folder."""
    if isinstance(value, list):
        return [_beside(each, folder) for each in value]
    return str(folder / value) if isinstance(value, str) else value


def _section(cls: Any, values: Any, where: str) -> Any:
    if not isinstance(values, dict):
        raise OptionError(f"{where} must be a section with fields, not {values!r}")
    kinds = option_types(cls)
    for name in values:
        if name not in kinds:
            raise UnknownName(f"field in {where}", name, kinds)
    given = {name: _value(value, kinds[name], f"{where} {name}") for name, value in values.items()}
    for each in dataclasses.fields(cls):
        required = each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING
        if required and each.name not in values:
            raise OptionError(f"{where} {each.name} is missing: it takes {_meaning(kinds[each.name])}")
    return cls(**given)


def _value(value: Any, kind: Any, where: str) -> Any:
    """A TOML value as its field has it."""
    if kind == tuple[str, ...]:
        listed = [value] if isinstance(value, str) else value
        if isinstance(listed, list) and listed and all(isinstance(each, str) for each in listed):
            return tuple(listed)
    else:
        for choice in typing.get_args(kind) or (kind,):
            if type(value) is choice:
                return value
            if choice is float and type(value) is int:
                return float(value)
    raise OptionError(f"{where} is {value!r}; it takes {_meaning(kind)}")


def _meaning(kind: Any) -> str:
    return "a file, or a list of files" if kind == tuple[str, ...] else meaning(kind)


def _check(config: TrainingConfig, where: str) -> None:
    """What types do not say: spellings that can be read, numbers in their ranges."""
    spellings: dict[str, Callable[[], object]] = {
        "[model] network": lambda: registry.make("network", config.model.network),
        "[training] objective": lambda: registry.make("objective", config.training.objective),
        "[training] feeding": lambda: registry.make("feeding", config.training.feeding),
        "[training] schedule": lambda: registry.make("schedule", config.training.schedule),
        "[validation] metric": lambda: registry.metric(config.validation.metric),
        "[validation] search": lambda: registry.make("search", config.validation.search),
    }
    for name, make in spellings.items():
        try:
            make()
        except TertiumError as error:
            raise OptionError(f"{where}: {name}: {error}") from None
    least = {
        "training": {"tokens": 1, "steps": 1, "accumulate": 1, "devices": 1, "average": 1, "seed": 0},
        "validation": {"every": 1, "patience": 1},
        "data": {"longest": 2},
        "vocabulary": {"size": LEAST},
    }
    for section, fields in least.items():
        for name, bound in fields.items():
            value = getattr(getattr(config, section), name)
            if value < bound:
                raise OptionError(f"{where}: [{section}] {name} is {value}; it must be {bound} or more")
    if config.vocabulary.kind not in KINDS:
        raise UnknownName(f"kind of vocabulary in {where}", config.vocabulary.kind, KINDS)
    if config.training.precision not in PRECISIONS:
        raise UnknownName(f"precision in {where}", config.training.precision, PRECISIONS)
    if config.training.learning_rate <= 0 or config.training.clip <= 0:
        raise OptionError(f"{where}: [training] learning_rate and clip must be above 0")


__all__ = ["Feeding", "Schedule", "TrainingConfig", "parse_training", "presets", "read_preset", "read_training"]
