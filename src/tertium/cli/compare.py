"""`tertium compare`: do systems differ? Scores, intervals, p-values and clusters."""

from collections.abc import Sequence
from typing import Annotated

import typer

from tertium import registry
from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.cli.progress import Steps, attend
from tertium.cli.score import distinct, read_groups, with_bleu_options
from tertium.data.segments import References
from tertium.errors import InputError
from tertium.report.tables import DRAWN, Column, Table
from tertium.stats import CONFIDENCE, SEED
from tertium.stats.compare import Comparison
from tertium.stats.compare import compare as compare_systems
from tertium.stats.comparison import COLUMNS

P_VALUES = ("p", "p_holm")


def compare(
    references: options.References,
    systems: Annotated[
        list[str] | None,
        typer.Option("-i", "--input", metavar="FILE...", help="Files of systems' outputs, two or more."),
    ] = None,
    metrics: options.Metrics = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline", metavar="SYSTEM", help="The system others are tested against.  [default: the first]"
        ),
    ] = None,
    test: Annotated[
        str,
        typer.Option(
            "--test", metavar="NAME", help="bootstrap, bootstrap-folded (sacreBLEU's), randomisation or permutation."
        ),
    ] = "bootstrap",
    samples: Annotated[
        int | None,
        typer.Option(
            "-n", "--samples", min=1, metavar="N", help="Draws or trials.  [default: 1000 of a bootstrap, else 10000]"
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The seed of the draws.")] = SEED,
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="NUMBER", help="Of intervals, and one minus the level of clusters.")
    ] = CONFIDENCE,
    interval: Annotated[
        str, typer.Option("--interval", metavar="NAME", help="percentile, bca or none.")
    ] = "percentile",
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="GROUPS", help="Draw whole groups: doc, domain, or labels of a FILE[:COLUMN]."),
    ] = None,
    tokenize: options.Tokenizer = None,
    lowercase: options.Lowercase = False,
    decimals: options.Decimals = None,
    format: options.Format = None,
    input_format: options.InputFormat = None,
    threads: options.Threads = 0,
) -> None:
    """Compare systems: intervals, p-values, clusters.

    Differences are against the baseline, p-values two-sided; p_holm is corrected for the number of systems. Systems of
    different clusters differ significantly from each other.

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
    prepared = References.from_streams(list(test_set.references.values()))
    steps = Steps("comparing", wanted)
    comparison = attend(
        lambda: compare_systems(
            test_set.systems,
            prepared,
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
    output.show(table_of_comparison(comparison, chosen, drawn=format in DRAWN), format, decimals)


def table_of_comparison(comparison: Comparison, names: Sequence[str], *, drawn: bool) -> Table:
    """A row for each metric and system, best first; drawn tables leave out what is rarely looked at."""
    shown = ["metric", "system", "score", "low", "high", "difference", "p", "p_holm", "cluster"] if drawn else COLUMNS
    records = []
    for name, each in zip(names, comparison.metrics, strict=True):
        sign = -1 if each.metric.higher_is_better else 1
        ranked = sorted(zip(each.scores.tolist(), each.records(), strict=True), key=lambda pair: sign * pair[0])
        records += [{**record, "metric": name} for _, record in ranked]
    baseline = comparison.baseline
    return Table(
        tuple(Column(name, decimals=4 if name in P_VALUES else None) for name in shown),
        [[record[name] for name in shown] for record in records],
        notes=(
            f"low and high bound the {100 * comparison.settings.confidence:g}% interval of the score; difference and p "
            f"are against {baseline}; p_holm is corrected for {len(comparison.systems) - 1} tests.",
            *comparison.signatures,
        ),
        records=records,
    )


command = command_of(compare)
