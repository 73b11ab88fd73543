"""`tertium train`: a translation model from parallel text."""

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from tertium.cli import output
from tertium.cli.command import command as command_of
from tertium.errors import OptionError


def train(
    config: Annotated[
        str | None, typer.Argument(metavar="[CONFIG]", help="A TOML file that describes the training.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option("--preset", metavar="NAME", help="Instead of CONFIG: transformer-tiny, lstm or transformer-base."),
    ] = None,
    folder: Annotated[str, typer.Option("-o", "--output", metavar="FOLDER", help="Where the model goes.")] = "model",
    source: Annotated[
        list[str] | None, typer.Option("--source", metavar="FILE...", help="Texts to learn from: FILE or FILE:COLUMN.")
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option("--target", metavar="FILE...", help="Their translations, line by line.")
    ] = None,
    valid_source: Annotated[
        list[str] | None, typer.Option("--valid-source", metavar="FILE...", help="Held-out texts.")
    ] = None,
    valid_target: Annotated[
        list[str] | None, typer.Option("--valid-target", metavar="FILE...", help="Their translations.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE...", help="Fields that differ, such as training.minutes=10."),
    ] = None,
) -> None:
    """Train a translation model.

    What the training is stands in a TOML file, or in a preset; options and --set go before either. Called again with
    the same folder, a training that was interrupted goes on as if it had not been; Ctrl-C ends it after the present
    step. The model that translated the held-out text best is left in the folder.

    Example:
      tertium demo --write sample
      tertium train sample/numbers.toml -o numbers-model --set training.steps=4 validation.every=2
    """
    from tertium.training.config import read_preset, read_training  # torch is loaded only where it is asked for
    from tertium.training.loop import train as run

    given = {"source": source, "target": target, "valid_source": valid_source, "valid_target": valid_target}
    overrides: dict[str, Any] = {f"data.{name}": files for name, files in given.items() if files}
    overrides |= dict(_setting(each) for each in settings or ())
    if (config is None) == (preset is None):
        raise OptionError("say what to train: either a file, tertium train my.toml, or --preset transformer-tiny")
    read = read_training(config, overrides) if config is not None else read_preset(str(preset), overrides)
    Path(folder).mkdir(parents=True, exist_ok=True)
    lines = Lines(read.training.steps, read.validation.metric)
    trained = run(read, folder, lines)
    lines.clear()
    kind = "the mean of the best snapshots" if trained.averaged is not None else f"step {trained.best.step}"
    output.say(
        f"{folder}: {read.validation.metric} {trained.score:.2f} on held-out text ({kind}); "
        f"{trained.steps} steps, {trained.minutes:.1f} minutes, ended by {trained.ended}"
    )
    if trained.ended == "interrupted":
        output.say("the same command goes on with it")
        raise typer.Exit(output.INTERRUPTED)


def _setting(text: str) -> tuple[str, Any]:
    """A field and its value of SECTION.FIELD=VALUE; the value is TOML, or a text as it stands.

    >>> _setting("training.steps=5"), _setting("model.network=lstm")
    (('training.steps', 5), ('model.network', 'lstm'))
    """
    import tomllib

    name, equals, value = text.partition("=")
    if not equals or name.count(".") != 1:
        raise OptionError(f"--set {text}: write SECTION.FIELD=VALUE, such as training.steps=1000")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


class Lines:
    """Shows a training: a line after each validation, and between them, on a terminal, one that moves."""

    def __init__(self, steps: int, metric: str) -> None:
        self.steps, self.metric = steps, metric
        self.terminal = sys.stderr.isatty()
        self.shown = time.monotonic()

    def __call__(self, step: int, loss: float, measured: Any) -> None:
        """After each step."""
        if measured is not None:
            self.clear()
            output.say(
                f"step {step:>6}  loss {loss:6.3f}  held out {measured.loss:6.3f}  {self.metric} {measured.score:6.2f}"
                f"  {measured.minutes:6.1f} min"
            )
            output.flush()
        elif self.terminal and time.monotonic() - self.shown > 0.5:
            self.shown = time.monotonic()
            print(f"\r\x1b[Kstep {step:>6} of {self.steps}  loss {loss:6.3f}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Wipe the moving line."""
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


command = command_of(train)
