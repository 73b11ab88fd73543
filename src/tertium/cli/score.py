"""`tertium score`: scores of one or many systems by one or many metrics."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from tertium import registry
from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.cli.progress import Steps, attend
from tertium.data.segments import References
from tertium.data.testset import TestSet, read_test_set
from tertium.errors import OptionError
from tertium.metrics.scoring import Result, score_systems
from tertium.metrics.signature import sacrebleu_signature
from tertium.report.tables import Cell, Column, Table

Results = Mapping[str, Sequence[Result]]


def score(
    references: options.References,
    systems: Annotated[
        list[str] | None,
        typer.Option("-i", "--input", metavar="FILE...", help="Files of systems' outputs.  [default: standard input]"),
    ] = None,
    metrics: options.Metrics = None,
    tokenize: options.Tokenizer = None,
    lowercase: options.Lowercase = False,
    smoothing: options.Smoothing = None,
    smoothing_value: options.SmoothingValue = None,
    per_segment: Annotated[bool, typer.Option("-sl", "--per-segment", help="A line for each segment.")] = False,
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="GROUPS", help="A line for each doc or domain, or for each label of a FILE[:COLUMN]."
        ),
    ] = None,
    score_only: Annotated[bool, typer.Option("-b", "--score-only", help="Print the numbers and nothing else.")] = False,
    decimals: options.Decimals = None,
    format: options.Format = None,
    input_format: options.InputFormat = None,
    threads: options.Threads = 0,
) -> None:
    """Score translations against references.

    References come first, systems after -i, metrics after -m. A file is plain text with a segment a line, or has
    columns (tsv, jsonl, parquet, WMT xml): FILE:COLUMN chooses one, FILE:sys:* all that match, FILE alone those whose
    names say what they are. Files may be compressed (.gz, .xz, .bz2, .zst).

    Example:
      tertium demo --write sample
      tertium score sample/refA.txt sample/refB.txt -i sample/Amsel.txt sample/Fink.txt -m bleu chrf:words=2
      tertium score sample/sample.tsv -i sample/sample.tsv:sys:* --by domain
    """
    output.check_format(format)
    if by and per_segment:
        raise OptionError("--by and --per-segment exclude each other: choose one")
    chosen = distinct(metrics or ["bleu"])
    spellings = with_bleu_options(
        chosen,
        tokenize=tokenize,
        lowercase=lowercase,
        smoothing=smoothing,
        smoothing_value=smoothing_value,
        effective_order=per_segment,
    )
    wanted = [registry.metric(spelling) for spelling in spellings]
    test_set = read_groups(references, systems or ["-"], by, input_format)
    prepared = References.from_streams(list(test_set.references.values()))
    steps = Steps("scoring", wanted)
    results = attend(lambda: score_systems(steps, test_set.systems, prepared, threads=threads), steps)
    if per_segment:
        table = table_of_segments(chosen, results)
    elif by:
        table = table_of_groups(chosen, results, test_set.domains or test_set.documents or (), by)
    else:
        table = table_of_systems(chosen, results)
    if score_only:
        print_numbers(table, len(chosen), decimals)
    else:
        output.show(table, format, decimals)


def distinct(spellings: Sequence[str]) -> list[str]:
    """The metrics asked for, each once."""
    twice = next((spelling for spelling in spellings if list(spellings).count(spelling) > 1), None)
    if twice is not None:
        raise OptionError(f"metric {twice} is given twice: leave one out")
    return list(spellings)


def with_bleu_options(spellings: Sequence[str], **given: Any) -> list[str]:
    """The metrics' spellings with what sacreBLEU's flags say of BLEU, unless a spelling says it itself.

    >>> with_bleu_options(["bleu:order=2", "chrf"], tokenize="zh", lowercase=True)
    ['bleu:order=2,tokenize=zh,lowercase=yes', 'chrf']
    """
    flags = {"tokenize": "-tok", "lowercase": "-lc", "smoothing": "-s", "smoothing_value": "-sv"}
    given = {option: value for option, value in given.items() if value not in (None, False)}
    told = [option for option in given if option in flags]
    if told and not any(spelling.partition(":")[0] == "bleu" for spelling in spellings):
        raise OptionError(
            f"{flags[told[0]]} is an option of bleu, which is not among the metrics; others take theirs after a colon, "
            f"{spellings[0].partition(':')[0]}:option=value"
        )
    out = []
    for spelling in spellings:
        name, _, rest = spelling.partition(":")
        if name == "bleu":
            said = {part.partition("=")[0].strip() for part in rest.split(",")}
            parts = [
                f"{option}={'yes' if value is True else value}" for option, value in given.items() if option not in said
            ]
            rest = ",".join(filter(None, [rest, *parts]))
        out.append(f"{name}:{rest}" if rest else name)
    return out


def read_groups(references: Sequence[str], systems: Sequence[str], by: str | None, format: str | None) -> TestSet:
    """The test set with the labels of the groups asked for."""
    groups = {"domains": by} if by == "domain" else {"documents": by}
    return read_test_set(references, systems, format=format, **groups)


def table_of_systems(names: Sequence[str], results: Results) -> Table:
    """A row for each system, a column for each metric."""
    records = [
        {
            "system": system,
            "metric": name,
            "score": result.score,
            "signature": result.signature,
            "sacrebleu": signature_of_sacrebleu(result),
            "details": result.details,
        }
        for system, scored in results.items()
        for name, result in zip(names, scored, strict=True)
    ]
    return Table(
        (Column("system"), *map(Column, names)),
        [[system, *(result.score for result in scored)] for system, scored in results.items()],
        notes=signatures(results),
        records=records,
    )


def table_of_segments(names: Sequence[str], results: Results) -> Table:
    """A row for each segment of each system; segments are counted from 1, as lines are."""
    rows: list[list[Cell]] = []
    for system, scored in results.items():
        columns = [result.segments.tolist() for result in scored]
        rows += [[system, i + 1, *scores] for i, scores in enumerate(zip(*columns, strict=True))]
    return Table((Column("system"), Column("segment"), *map(Column, names)), rows, notes=signatures(results))


def table_of_groups(names: Sequence[str], results: Results, labels: Sequence[str], by: str) -> Table:
    """A row for each group of segments of each system, in the order in which the groups first appear."""
    sizes = dict.fromkeys(labels, 0)
    for label in labels:
        sizes[label] += 1
    rows: list[list[Cell]] = []
    for system, scored in results.items():
        groups = [result.by(labels) for result in scored]
        rows += [[system, label, size, *(group[label] for group in groups)] for label, size in sizes.items()]
    group = by if by in ("doc", "domain") else "group"
    columns = (Column("system"), Column(group), Column("segments"), *map(Column, names))
    return Table(columns, rows, notes=signatures(results))


def signatures(results: Results) -> tuple[str, ...]:
    """What to quote beside the scores: each metric's signature, and sacreBLEU's where sacreBLEU has the metric."""
    first = next(iter(results.values()), ())
    both = [(result.signature, signature_of_sacrebleu(result)) for result in first]
    return tuple(text for pair in both for text in pair if text)


def signature_of_sacrebleu(result: Result) -> str | None:
    """The signature that sacreBLEU gives this score, if it has the metric with these options."""
    try:
        return sacrebleu_signature(result.metric, result.reference_count)
    except OptionError:
        return None


def print_numbers(table: Table, scores: int, decimals: int | None) -> None:
    """The scores alone, which are the last cells of each row."""
    for row in table.rows:
        output.say("\t".join(f"{cell:.{1 if decimals is None else decimals}f}" for cell in row[-scores:]))


command = command_of(score)
