"""`tertium score`: scores of one or many systems by one or many metrics."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tertium import registry
from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.cli.progress import Steps, attend
from tertium.cli.score_tables import (
    print_numbers,
    table_of_groups,
    table_of_intervals,
    table_of_segments,
    table_of_systems,
)
from tertium.data.segments import References
from tertium.data.testset import TestSet, read_test_set
from tertium.errors import OptionError
from tertium.metrics.protocol import Metric
from tertium.metrics.scoring import score_systems

if TYPE_CHECKING:
    from tertium.stats.compare import Comparison  # the statistics are loaded only where they are asked for


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
    confidence: Annotated[
        bool, typer.Option("-ci", "--confidence", help="The 95% interval of each score, by bootstrap; see compare.")
    ] = False,
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
      tertium score sample/sample.tsv -i 'sample/sample.tsv:sys:*' --by domain
    """
    output.check_format(format)
    if bool(by) + per_segment + confidence > 1:
        raise OptionError("--by, --per-segment and --confidence exclude each other: choose one")
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
    if not systems and sys.stdin is not None and sys.stdin.isatty():
        print("tertium: reading the translations from the terminal, a line each; end with Ctrl-D", file=sys.stderr)
    test_set = read_groups(references, systems or ["-"], by, input_format)
    prepared = References.from_streams(list(test_set.references.values()))
    steps = Steps("scoring", wanted)
    if confidence:
        table = table_of_intervals(chosen, with_intervals(test_set, prepared, steps, threads))
    else:
        results = attend(lambda: score_systems(steps, test_set.systems, prepared, threads=threads), steps)
        if per_segment:
            table = table_of_segments(chosen, results)
        elif by:
            table = table_of_groups(chosen, results, test_set.domains or test_set.documents or (), by)
        else:
            table = table_of_systems(chosen, results)
    if score_only:
        print_numbers(table, len(chosen) * (3 if confidence else 1), decimals)
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


def with_intervals(test_set: TestSet, references: References, metrics: Steps[Metric], threads: int) -> "Comparison":
    """The scores with their intervals; the statistics are loaded only for them."""
    from tertium.stats.compare import compare

    return attend(lambda: compare(test_set.systems, references, metrics, threads=threads), metrics)


command = command_of(score)
