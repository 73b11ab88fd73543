"""What every command shares: several values after one flag, plain help, and the module that is loaded when called.

From 0.29 on typer converts every value through pydantic, whose import takes longer than scoring a test set. Our options
are texts, lists of texts, numbers and flags only, so `Conversion` stands in for it there.
"""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from tertium.errors import UnknownName

COMMANDS = (
    "score",
    "compare",
    "explain",
    "metrics",
    "tokenize",
    "train",
    "translate",
    "score-translation",
    "audit",
    "demo",
)


def spread(arguments: Sequence[str], flags: frozenset[str]) -> list[str]:
    """Repeat a flag before each of its values: `-m bleu chrf` becomes `-m bleu -m chrf`.

    Values end where the next flag begins; a single dash (standard input) is a value. After `--` nothing is a flag.

    >>> spread(["ref", "-i", "a", "-", "-m", "bleu", "ter", "-b"], frozenset(["-i", "-m"]))
    ['ref', '-i', 'a', '-i', '-', '-m', 'bleu', '-m', 'ter', '-b']
    """
    out: list[str] = []
    flag, filled = "", True
    for at, argument in enumerate(arguments):
        if argument == "--":
            return [*out, *arguments[at:]]
        if argument.startswith("-") and argument != "-":
            flag, filled = (argument if argument in flags else ""), False
            out.append(argument)
        else:
            out += [flag, argument] if flag and filled else [argument]
            filled = True
    return out


class Conversion:
    """From the command line's text to a text, a list of texts, a number in its range, or a flag."""

    @staticmethod
    def coerce(value: Any, *, param: Any, ctx: Any) -> Any:
        if param.multiple or param.nargs == -1:
            return list(value or ())
        declared = param.type_descriptor
        if value is None or declared.annotation not in (int, float):
            return value
        least, most = declared.parameter_info.min, declared.parameter_info.max
        try:
            number = declared.annotation(value)
        except ValueError:
            wanted = "a whole number" if declared.annotation is int else "a number"
            raise typer.BadParameter(f"{value!r} is not {wanted}", ctx=ctx, param=param) from None
        if (least is not None and number < least) or (most is not None and number > most):
            bounds = f"at least {least}" if most is None else f"from {least} to {most}"
            raise typer.BadParameter(f"{number} is not {bounds}", ctx=ctx, param=param)
        return number


def convertible(parameters: list[Any]) -> list[Any]:
    """The parameters, each told to convert its value by `Conversion` if that can; older typers do not ask."""
    for parameter in parameters:
        declared = getattr(parameter, "type_descriptor", None)
        if declared is not None and declared.annotation in (str, int, float, bool, list[str]):
            parameter.get_runtime_param = lambda: Conversion
    return parameters


class Command(TyperCommand):
    """A command whose list options take several values after one flag, as sacreBLEU's do."""

    def get_params(self, ctx: Any) -> list[Any]:
        return convertible(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        flags = (parameter for parameter in self.params if getattr(parameter, "multiple", False))
        names = frozenset(name for flag in flags for name in flag.opts)
        return list(super().parse_args(ctx, spread(args, names)))


class LazyGroup(TyperGroup):
    """The group of all commands, each imported when it is called or when help lists it."""

    def get_params(self, ctx: Any) -> list[Any]:
        return convertible(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            raise UnknownName("command", cmd_name, COMMANDS)
        return importlib.import_module(module_of(cmd_name)).command


def module_of(name: str) -> str:
    """The module that has a command.

    >>> module_of("score-translation")
    'tertium.cli.score_translation'
    """
    return f"tertium.cli.{name.replace('-', '_')}"


def command(function: Callable[..., None]) -> Any:
    """The command of a function: its name, docstring and annotations are the command's; what follows is the example.

    The docstring's last paragraph begins with `Example:`; it keeps its lines in the help.
    """
    text, _, example = (function.__doc__ or "").partition("\n\n    Example:\n")
    lines = "\n".join(line.removeprefix("    ") for line in example.rstrip().split("\n"))
    app = typer.Typer(
        add_completion=False, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]}
    )
    app.command(
        function.__name__.replace("_", "-"),
        cls=Command,
        help=text.strip(),
        epilog=f"\b\nExample:\n{lines}",
        no_args_is_help=False,
    )(function)
    return typer.main.get_command(app)
