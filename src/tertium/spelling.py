"""How a thing with options spells itself: `bleu:order=4,tokenize=13a,lowercase=no`, and how that is read back.

The same text is `repr`, the command line's spelling and part of the signature to be quoted beside a score. A thing is a
frozen dataclass under `@spelled`: its name and its fields. An option that is `None` has nothing to say and is left out.

    yes, no         bool                      0.5+0.25     a tuple: its items joined by +
    4, 0.5, 1e6     numbers                   none         None, where an option may be that
    anything else   text, with "," and "%" written as %2C and %25

Options are checked against their declared types when a thing is made, however it is made, so that a wrong one is named
there and not met as an error deep inside.
"""

import dataclasses
import operator
import types
import typing
from collections.abc import Iterable, Sequence
from functools import cache
from numbers import Real
from typing import Any

from tertium.errors import OptionError, UnknownName

BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
MEANT = {bool: "yes or no", int: "a whole number", float: "a number", str: "text", type(None): "none"}


def spelled(cls: type) -> type:
    """Class decorator: `repr` is the spelling, and options have the types their fields declare."""
    made = getattr(cls, "__post_init__", None)

    def check(self: Any) -> None:
        for option, kind in option_types(cls).items():
            value = getattr(self, option)
            checked = _checked(value, kind)
            if checked is REFUSED:
                raise OptionError(f"{self.name}: {option} is {value!r}; it takes {meaning(kind)}")
            if checked is not value:
                object.__setattr__(self, option, checked)
        if made is not None:
            made(self)

    cls.__repr__ = spelling  # type: ignore[method-assign, assignment]
    cls.__post_init__ = check  # type: ignore[attr-defined]
    return cls


def spelling(thing: Any) -> str:
    """The name and every option of a thing.

    >>> from tertium.metrics.bleu import BLEU
    >>> spelling(BLEU(order=2))
    'bleu:order=2,tokenize=13a,lowercase=no,smoothing=exp,effective_order=no,length=closest'
    """
    options = [
        f"{field.name}={spelled_value(value)}"
        for field in dataclasses.fields(thing)
        if (value := getattr(thing, field.name)) is not None
    ]
    return f"{thing.name}:{','.join(options)}" if options else str(thing.name)


def spelled_value(value: Any) -> str:
    """One option's value as a spelling has it.

    >>> spelled_value((0.5, 1e6)), spelled_value(True), spelled_value("a,b")
    ('0.5+1e06', 'yes', 'a%2Cb')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        short = f"{value:g}"
        exact = short if float(short) == value else repr(value)  # what is read back must be what was meant
        return exact.replace("e+", "e")
    if isinstance(value, tuple):
        return "+".join(spelled_value(item) for item in value)
    return str(value).replace("%", "%25").replace(",", "%2C")


def parts(text: str) -> tuple[str, dict[str, str]]:
    """The name in a spelling, and the text of each option.

    >>> parts("chrf:order=6,words=2")
    ('chrf', {'order': '6', 'words': '2'})
    """
    name, _, rest = text.partition(":")
    name, options = name.strip(), {}
    for part in filter(None, rest.split(",")):
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if option in options:
            raise OptionError(f"option {option!r} of {name} is given twice: leave one out")
        if not equals:
            raise OptionError(f"option {option!r} of {name} has no value: write {option}=VALUE")
        options[option] = value
    return name, options


def read_options(cls: type, name: str, options: dict[str, str]) -> dict[str, Any]:
    """The options of a class from their texts."""
    kinds = option_types(cls)
    unknown = next((option for option in options if option not in kinds), None)
    if unknown is not None:
        raise UnknownName(f"option of {name}", unknown, kinds)
    return {option: read_value(text, kinds[option], f"{name}:{option}") for option, text in options.items()}


def read_value(text: str, kind: Any, where: str = "the option") -> Any:
    """The value of a declared type that a text spells.

    >>> read_value("yes", bool), read_value("1+2", tuple[float, ...] | None), read_value("none", int | None)
    (True, (1.0, 2.0), None)
    """
    for choice in _choices(kind):
        try:
            if choice is bool:
                return BOOLEANS[text.lower()]
            if choice in (int, float):
                return choice(text)
            if choice is str:
                return text.replace("%2C", ",").replace("%25", "%")
            if typing.get_origin(choice) is tuple:
                return tuple(read_value(part, typing.get_args(choice)[0]) for part in text.split("+"))
            if choice is type(None) and text.lower() in ("none", "auto"):
                return None
        except (ValueError, KeyError):
            continue
    raise OptionError(f"{where} cannot be {text!r}: it takes {meaning(kind)}")


def meaning(kind: Any) -> str:
    """What an option of this type takes, in words.

    >>> meaning(float | None), meaning(tuple[int, ...])
    ('a number or none', 'whole numbers joined by +')
    """
    return " or ".join(MEANT.get(choice) or f"{_items(choice)} joined by +" for choice in _choices(kind))


@cache
def option_types(cls: type) -> dict[str, Any]:
    """The options of a class and their types; asked once a class, for a loop that scores one segment at a time."""
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def _items(kind: Any) -> str:
    item = typing.get_args(kind)[0]
    return {int: "whole numbers", float: "numbers"}.get(item, "words")


def _choices(kind: Any) -> Sequence[Any]:
    union = typing.get_origin(kind) in (types.UnionType, typing.Union)
    return typing.get_args(kind) if union else (kind,)


REFUSED = object()


def _checked(value: Any, kind: Any) -> Any:
    """The value in the declared type, or REFUSED: numbers of other libraries become Python's, lists tuples."""
    for choice in _choices(kind):
        if choice is type(None) and value is None:
            return None
        checked = _of_type(value, choice)
        if checked is not REFUSED:
            return checked
    return REFUSED


def _of_type(value: Any, kind: Any) -> Any:
    if type(value) is kind:
        return value
    is_bool = type(value).__name__ in ("bool", "bool_")  # Python's and NumPy's
    if kind is bool:
        return bool(value) if is_bool else REFUSED
    if kind is int and not is_bool and hasattr(value, "__index__"):
        return operator.index(value)
    if kind is float and not is_bool and isinstance(value, Real):
        return float(value)
    if kind is str and isinstance(value, str):
        return str(value)
    if typing.get_origin(kind) is tuple and isinstance(value, Iterable) and not isinstance(value, str):
        items = tuple(_of_type(item, typing.get_args(kind)[0]) for item in value)
        same = isinstance(value, tuple) and all(a is b for a, b in zip(items, value, strict=True))
        return REFUSED if REFUSED in items else value if same else items
    return REFUSED
