"""`tertium demo`: the bundled sample, compared with intervals and significance."""

from pathlib import Path
from typing import Annotated

import typer

from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.data import sample
from tertium.data.sample import numbers
from tertium.errors import MissingFile
from tertium.report.comparison_tables import table_of_comparison
from tertium.report.tables import DRAWN
from tertium.stats.compare import compare

METRICS = ("bleu", "chrf", "ter")


def demo(
    write: Annotated[
        str | None, typer.Option("--write", metavar="FOLDER", help="Write the sample's files there instead.")
    ] = None,
    decimals: options.Decimals = None,
    format: options.Format = "table",
) -> None:
    """Compare three systems on the bundled sample.

    The sample has eighteen segments of four documents, German to English, with two references. Beside it, --write puts
    numbers in English and German words, to train a model on: see train.

    Example:
      tertium demo
      tertium demo --write sample
    """
    output.check_format(format)
    if write is not None:
        try:
            paths = [*sample.write(Path(write)), *numbers.write(Path(write))]
        except OSError as error:
            raise MissingFile(f"{write} cannot be written: {error.strerror}") from None
        output.say("\n".join(str(path) for path in paths))
        return
    test_set = sample.test_set()
    comparison = compare(test_set.systems, test_set.references, METRICS, baseline="Drossel")
    if format in DRAWN:
        output.say("Three systems translate eighteen German segments; each has two English references.\n")
    output.show(table_of_comparison(comparison, METRICS, drawn=format in DRAWN), format, decimals)


command = command_of(demo)
