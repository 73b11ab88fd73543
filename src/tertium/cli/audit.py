"""`tertium audit`: where translations are wrong, is the search at fault or the model?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.cli.progress import Steps, attend
from tertium.cli.spellings import distinct
from tertium.data.testset import TestSet, read_test_set
from tertium.errors import InputError, MissingFile, OptionError, UnknownName
from tertium.report.tables import DRAWN, Table
from tertium.stats import CONFIDENCE, SEED

if TYPE_CHECKING:
    from tertium.decoding.audit_shares import Resampling
    from tertium.decoding.findings import Findings

TABLES = ("faults", "exact", "sweep", "examples", "sentences")
HEADINGS = {"faults": "Who is at fault", "exact": "Exact search", "sweep": "Beam sweep", "examples": "Examples"}


def audit(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model's folder.")],
    references: options.References,
    source: Annotated[str, typer.Option("--source", metavar="FILE", help="The source texts: FILE or FILE:COLUMN.")],
    outputs: Annotated[
        str | None,
        typer.Option("-i", "--input", metavar="FILE", help="The model's translations, instead of a search."),
    ] = None,
    search: Annotated[
        str, typer.Option("--search", metavar="NAME", help="The search to audit: greedy, beam:width=8 ...")
    ] = "beam",
    exact: Annotated[bool, typer.Option("--exact", help="Search each sentence exactly, too.")] = False,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0, metavar="N", help="CPU seconds of an exact search, at most.")
    ] = 5.0,
    sweep: Annotated[
        list[str] | None, typer.Option("--sweep", metavar="WIDTH...", help="Beam widths to try: --sweep 1 2 4 8 16.")
    ] = None,
    metrics: Annotated[
        list[str] | None, typer.Option("-m", "--metrics", metavar="METRIC...", help="Of the sweep.  [bleu chrf]")
    ] = None,
    first: Annotated[
        int | None, typer.Option("--first", min=1, metavar="N", help="Only the first N sentences.")
    ] = None,
    least: Annotated[int, typer.Option("--min-length", min=1, metavar="N", help="Tokens of a translation.")] = 1,
    most: Annotated[
        int | None, typer.Option("--max-length", min=1, metavar="N", help="Tokens; else twice the source's and 10.")
    ] = None,
    show: Annotated[
        list[str] | None,
        typer.Option("--show", metavar="TABLE...", help=f"Of {', '.join(TABLES)}.  [all but sentences; tsv: faults]"),
    ] = None,
    examples: Annotated[int, typer.Option("--examples", min=0, metavar="N", help="Examples of each kind.")] = 3,
    html: Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write all of it as a page, too.")] = None,
    precision: Annotated[
        str | None, typer.Option("--precision", metavar="NAME", help="float32, bfloat16 or int8.  [float32]")
    ] = None,
    samples: Annotated[
        int, typer.Option("-n", "--samples", min=1, metavar="N", help="Bootstrap draws of the intervals.")
    ] = 1000,
    seed: options.Seed = SEED,
    confidence: options.Confidence = CONFIDENCE,
    decimals: options.Decimals = None,
    format: options.Format = None,
    input_format: options.InputFormat = None,
) -> None:
    """Audit a search: is it at fault for wrong translations, or is the model?

    A reference that scores above the output, under the very objective of the search, was missed by the search; where
    none does, the model is at fault. Exact search tells whether any translation scores higher, and which the model
    thinks most probable of all. What to do next follows from the numbers by rules that docs/search-audit.md explains.

    Example:
      tertium demo --write sample
      tertium train sample/numbers.toml -o numbers-model --set training.steps=4 validation.every=2
      tertium audit numbers-model sample/numbers.test.tsv:de --source sample/numbers.test.tsv:en --first 5 --sweep 1 4
    """
    output.check_format(format)
    wanted = _tables(show, format, exact, bool(sweep))
    widths = _widths(sweep)
    test_set = read_test_set(references, [outputs] if outputs else [], source=source, format=input_format)
    from tertium.decoding.audit_shares import Resampling  # torch is loaded only where it is asked for
    from tertium.decoding.exact import Exact
    from tertium.decoding.search import Limits

    limits, budget = Limits(least=least, absolute=most), Exact(seconds=seconds) if exact else None
    asked = {"limits": limits, "exact": budget, "widths": widths, "metrics": distinct(metrics or ["bleu", "chrf"])}
    how = Resampling(samples, seed, confidence)
    findings = _audited(model, precision, search, test_set, first, asked, how)
    if html is not None:
        _write(html, findings)
    _show(findings, wanted, examples, output.chosen(format), decimals)


def _tables(show: Sequence[str] | None, format: str | None, exact: bool, sweep: bool) -> list[str]:
    """The tables to print: those asked for, or all that there are; one where a program reads it."""
    for name in show or ():
        if name not in TABLES:
            raise UnknownName("table of an audit", name, TABLES)
    there = [name for name in TABLES if (exact or name != "exact") and (sweep or name != "sweep")]
    missing = next((name for name in show or () if name not in there), None)
    if missing is not None:
        raise OptionError(f"--show {missing} needs --{missing}")
    if output.chosen(format) == "tsv":
        if show and len(show) > 1:
            raise OptionError(f"tsv is one table: choose one of --show {' '.join(show)}")
        return list(show or ["faults"])
    return list(show or [name for name in there if name != "sentences"])


def _widths(sweep: Sequence[str] | None) -> list[int]:
    wrong = next((each for each in sweep or () if not each.isdecimal() or int(each) < 1), None)
    if wrong is not None:
        raise OptionError(f"--sweep has {wrong!r}; widths are whole numbers from 1 on")
    return [int(each) for each in sweep or ()]


def _audited(
    model: str,
    precision: str | None,
    search: str,
    test_set: TestSet,
    first: int | None,
    asked: dict[str, Any],
    how: "Resampling",
) -> "Findings":
    """The audit of a test set and its numbers; `asked` are the options of `tertium.decoding.audit.audit`."""
    from tertium import registry
    from tertium.decoding.audit import audit as run
    from tertium.decoding.findings import conclude
    from tertium.models.next_token import TextModel
    from tertium.models.opening import open_model

    strategy = registry.make("search", search)
    if not hasattr(strategy, "length"):
        raise OptionError(f"{search} maximises no score of the model: greedy, beam, sample and exact can be audited")
    opened = open_model(model, precision=precision)
    if not isinstance(opened, TextModel):
        raise InputError(f"{model} decodes by itself and does not say what it thinks of a reference: audit a model")
    assert test_set.source is not None
    count = min(len(test_set), first or len(test_set))
    sources = [test_set.source[i] or "" for i in range(count)]
    references = [[stream[i] for stream in test_set.references.values()] for i in range(count)]
    given = next(iter(test_set.systems.values()), None)
    outputs = None if given is None else [given[i] or "" for i in range(count)]
    rounds = (given is None) + 2 * (asked["exact"] is not None) + len(set(asked["widths"]))
    steps = Steps("auditing", range(count * rounds))

    def work() -> "Findings":
        found = run(opened, sources, references, strategy, outputs=outputs, watch=steps.advance, **asked)
        return conclude(found, how)

    return attend(work, steps)


def _write(path: str, findings: "Findings") -> None:
    from tertium.report.audit_page import audit_page

    try:
        Path(path).write_text(audit_page(findings), encoding="utf-8")
    except OSError as error:
        raise MissingFile(f"{path} cannot be written: {error.strerror}") from None


def _show(findings: "Findings", wanted: Sequence[str], examples: int, format: str, decimals: int | None) -> None:
    """Print the tables, each under its name, and the advice."""
    from tertium.report import audit_tables

    made: dict[str, Any] = {
        "faults": audit_tables.table_of_faults,
        "exact": audit_tables.table_of_exact,
        "sweep": audit_tables.table_of_sweep,
        "examples": lambda findings: audit_tables.table_of_examples(findings, examples),
        "sentences": audit_tables.table_of_sentences,
    }
    if format not in DRAWN:
        output.show(made["faults" if format == "json" else wanted[0]](findings), format, decimals)
        return
    tables: list[tuple[str, Table]] = [(name, made[name](findings)) for name in wanted]
    for name, table in tables:
        if len(tables) > 1:
            output.say(f"{HEADINGS.get(name, name.capitalize())}\n")
        output.show(table, format, decimals)
        output.say("")
    for each in findings.advice:
        output.say(f"- {each.text}")


command = command_of(audit)
