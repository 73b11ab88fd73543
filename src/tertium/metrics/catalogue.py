"""What metrics there are: names, options with their defaults, direction. Read from the registry and the classes."""

import dataclasses
import inspect
import warnings
from dataclasses import dataclass
from typing import Any

from tertium import registry
from tertium.errors import TertiumError
from tertium.spelling import meaning, option_types, spelled_value


@dataclass(frozen=True)
class Option:
    """One option of a metric: its name, its default as the command line spells it, and what it takes."""

    name: str
    default: str
    takes: str


@dataclass(frozen=True)
class Entry:
    """One metric of the catalogue."""

    name: str
    summary: str
    higher_is_better: bool
    bounds: tuple[float, float]
    options: tuple[Option, ...]

    @property
    def spelling(self) -> str:
        """The name with every option at its default, as the command line takes it."""
        options = ",".join(f"{option.name}={option.default}" for option in self.options)
        return f"{self.name}:{options}" if options else self.name


def catalogue() -> list[Entry]:
    """Every registered metric, by name.

    >>> [entry.name for entry in catalogue()][:3]
    ['bleu', 'cer', 'chrf']
    """
    entries = []
    for name in registry.names("metric"):
        try:
            entries.append(entry(name))
        except TertiumError as error:  # a plugin that is broken must not hide all others
            warnings.warn(str(error), stacklevel=2)
    return entries


def entry(name: str) -> Entry:
    """One metric of the catalogue.

    >>> entry("chrf").options[1]
    Option(name='words', default='0', takes='a whole number')
    """
    metric = registry.load("metric", name)
    kinds = option_types(metric)
    return Entry(
        name=name,
        summary=(inspect.getdoc(metric) or "").partition("\n")[0],
        higher_is_better=metric.higher_is_better,
        bounds=metric().bounds,
        options=tuple(
            Option(
                field.name,
                "none" if field.default is None else spelled_value(field.default),
                _takes(metric, field.name, kinds[field.name]),
            )
            for field in dataclasses.fields(metric)
        ),
    )


def _takes(metric: Any, option: str, kind: Any) -> str:
    """What an option takes: the names it knows, where it knows names."""
    if option == "tokenize":
        return ", ".join(name if name != "spm" else "spm:FILE" for name in registry.names("tokenizer"))
    known = getattr(metric, "choices", {}).get(option)
    return ", ".join(known) if known else meaning(kind)
