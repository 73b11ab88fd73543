"""`tertium score`: scores of one or many systems by one or many metrics."""

import sys
from typing import Annotated

import typer

from tertium import registry
from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.cli.groups import read_groups
from tertium.cli.progress import Steps, attend
from tertium.cli.spellings import distinct, with_bleu_options
from tertium.errors import OptionError
from tertium.metrics.scoring import score_systems
from tertium.report.score_tables import table_of_groups, table_of_intervals, table_of_segments, table_of_systems


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
    steps = Steps("scoring", wanted)
    if confidence:
        from tertium.stats.compare import compare  # the statistics are loaded only where they are asked for

        found = attend(lambda: compare(test_set.systems, test_set.references, steps, threads=threads), steps)
        table = table_of_intervals(chosen, found)
    else:
        results = attend(lambda: score_systems(steps, test_set.systems, test_set.references, threads=threads), steps)
        if per_segment:
            table = table_of_segments(chosen, results)
        elif by:
            table = table_of_groups(chosen, results, test_set.domains or test_set.documents or (), by)
        else:
            table = table_of_systems(chosen, results)
    if score_only:
        output.show_numbers(table, len(chosen) * (3 if confidence else 1), decimals)
    else:
        output.show(table, format, decimals)


command = command_of(score)
