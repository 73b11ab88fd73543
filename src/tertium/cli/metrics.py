"""`tertium metrics`: the catalogue of metrics and their options."""

import math
from typing import Annotated

import typer

from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.metrics.catalogue import Entry, catalogue, entry
from tertium.report.tables import DRAWN, Column, Table


def metrics(
    name: Annotated[
        str | None, typer.Argument(metavar="[METRIC]", help="One metric, with what its options take.")
    ] = None,
    format: options.Format = None,
) -> None:
    """List the metrics, or the options of one.

    Example:
      tertium metrics
      tertium metrics bleu --format markdown
    """
    output.check_format(format)
    drawn = output.chosen(format) in DRAWN
    output.show(table_of_entry(entry(name)) if name else table_of_catalogue(catalogue(), drawn=drawn), format)


def table_of_catalogue(entries: list[Entry], *, drawn: bool) -> Table:
    """A row for each metric; where it is drawn, the options stand below, spelled as they can be typed."""
    columns = (Column("metric"), Column("better"), Column("what it is", widest=100), Column("options"))
    rows = [[each.name, _direction(each), each.summary, each.spelling.partition(":")[2]] for each in entries]
    shown = 3 if drawn else 4
    return Table(
        columns[:shown],
        [row[:shown] for row in rows],
        notes=("Options follow a colon; these are the defaults:", *(each.spelling for each in entries)),
        records=[_record(each) for each in entries],
    )


def table_of_entry(one: Entry) -> Table:
    """A row for each option of a metric."""
    return Table(
        (Column("option"), Column("default"), Column("takes")),
        [[option.name, option.default, option.takes] for option in one.options],
        notes=(one.summary, f"From {one.bounds[0]:g} to {one.bounds[1]:g}; {_direction(one)} is better.", one.spelling),
        records=_record(one),
    )


def _direction(one: Entry) -> str:
    return "higher" if one.higher_is_better else "lower"


def _record(one: Entry) -> dict[str, object]:
    return {
        "metric": one.name,
        "summary": one.summary,
        "higher_is_better": one.higher_is_better,
        "bounds": [bound if math.isfinite(bound) else None for bound in one.bounds],
        "options": [{"name": option.name, "default": option.default, "takes": option.takes} for option in one.options],
    }


command = command_of(metrics)
