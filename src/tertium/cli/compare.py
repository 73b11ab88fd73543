"""`tertium compare`: do systems differ? Scores, intervals, p-values and clusters."""

from typing import Annotated

import typer

from tertium import registry
from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.cli.groups import read_groups
from tertium.cli.progress import Steps, attend
from tertium.cli.spellings import distinct, with_bleu_options
from tertium.errors import InputError
from tertium.report.comparison_tables import table_of_comparison, table_of_pairs
from tertium.report.tables import DRAWN
from tertium.stats import CONFIDENCE, SEED
from tertium.stats.compare import compare as compare_systems
from tertium.stats.settings import DEFAULT_TEST


def compare(
    references: options.References,
    systems: Annotated[
        list[str] | None,
        typer.Option("-i", "--input", metavar="FILE...", help="Files of systems' outputs, two or more."),
    ] = None,
    metrics: options.Metrics = None,
    baseline: options.Baseline = None,
    test: options.Test = DEFAULT_TEST,
    samples: options.Samples = None,
    seed: options.Seed = SEED,
    confidence: options.Confidence = CONFIDENCE,
    interval: options.Interval = "percentile",
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="GROUPS", help="Draw whole groups: doc, domain, or labels of a FILE[:COLUMN]."),
    ] = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="A line for each pair of systems.")] = False,
    tokenize: options.Tokenizer = None,
    lowercase: options.Lowercase = False,
    decimals: options.Decimals = None,
    format: options.Format = None,
    input_format: options.InputFormat = None,
    threads: options.Threads = 0,
) -> None:
    """Compare systems: intervals, p-values, clusters.

    Differences are against the baseline, p-values two-sided; p_holm is corrected for the number of systems. Systems of
    different clusters differ significantly from each other. The intervals are bootstrap intervals whatever the test.

    Example:
      tertium demo --write sample
      tertium compare sample/refA.txt -i sample/Drossel.txt sample/Amsel.txt sample/Fink.txt -m bleu chrf
      tertium compare sample/sample.tsv -i sample/sample.tsv --baseline Fink --test randomisation --by doc -n 2000
    """
    output.check_format(format)
    chosen = distinct(metrics or ["bleu"])
    wanted = [registry.metric(each) for each in with_bleu_options(chosen, tokenize=tokenize, lowercase=lowercase)]
    test_set = read_groups(references, systems or [], by, input_format)
    if len(test_set.systems) < 2:
        raise InputError("comparing needs two systems or more: -i FILE FILE, or a file with columns for them")
    steps = Steps("comparing", wanted)
    comparison = attend(
        lambda: compare_systems(
            test_set.systems,
            test_set.references,
            steps,
            baseline=baseline,
            test=test,
            samples=samples,
            seed=seed,
            confidence=confidence,
            interval=interval,
            groups=test_set.domains or test_set.documents,
            threads=threads,
        ),
        steps,
    )
    format = output.chosen(format)
    if pairs:
        table = table_of_pairs(comparison, chosen)
    else:
        table = table_of_comparison(comparison, chosen, drawn=format in DRAWN)
    output.show(table, format, decimals)


command = command_of(compare)
