"""The options that several commands have, spelled and explained once."""

from typing import Annotated

import typer

References = Annotated[
    list[str], typer.Argument(metavar="REFERENCE...", help="Files of references, or columns as FILE:COLUMN.")
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--metrics",
        metavar="METRIC...",
        help="Metrics with their options, such as bleu chrf:words=2 ter; see tertium metrics.  [default: bleu]",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "-f",
        "--format",
        metavar="NAME",
        help="table, json, tsv, latex or markdown.  [default: table on a terminal, tsv in a pipe]",
    ),
]
Decimals = Annotated[
    int | None,
    typer.Option(
        "-w", "--width", min=0, max=15, metavar="N", help="Decimals of scores.  [default: 1; all in json and tsv]"
    ),
]
Threads = Annotated[int, typer.Option("--threads", min=0, metavar="N", help="Threads; 0 is one for each core.")]
InputFormat = Annotated[
    str | None,
    typer.Option(
        "--input-format",
        metavar="NAME",
        help="plain, tsv, jsonl, xml or parquet, for all files.  [default: by their suffix]",
    ),
]
Tokenizer = Annotated[
    str | None,
    typer.Option(
        "-tok", "--tokenize", metavar="NAME", help="BLEU's tokenizer: 13a, intl, zh, ja-mecab, char, none ..."
    ),
]
Lowercase = Annotated[bool, typer.Option("-lc", "--lowercase", help="BLEU without regard to case.")]
Smoothing = Annotated[
    str | None,
    typer.Option("-s", "--smooth-method", metavar="NAME", help="BLEU's smoothing: exp, floor, add-k or none."),
]
SmoothingValue = Annotated[
    str | None, typer.Option("-sv", "--smooth-value", metavar="NUMBER", help="What floor or add-k smoothing adds.")
]

Baseline = Annotated[
    str | None,
    typer.Option("--baseline", metavar="SYSTEM", help="The system others are tested against.  [default: the first]"),
]
Test = Annotated[
    str,
    typer.Option(
        "--test", metavar="NAME", help="permutation, randomisation, bootstrap or bootstrap-folded (sacreBLEU's)."
    ),
]
Samples = Annotated[
    int | None,
    typer.Option(
        "-n", "--samples", min=1, metavar="N", help="Trials, or draws of a bootstrap.  [default: 10000, or 1000]"
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="The seed of the draws.")]
Confidence = Annotated[
    float, typer.Option("--confidence", metavar="NUMBER", help="Of intervals, and one minus the level of clusters.")
]
Interval = Annotated[str, typer.Option("--interval", metavar="NAME", help="percentile, bca or none.")]
