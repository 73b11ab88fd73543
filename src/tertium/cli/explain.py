"""`tertium explain`: what a score is made of, and which segments cost it."""

from typing import Annotated

import typer

from tertium import registry
from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.cli.progress import Steps, attend
from tertium.cli.score import with_bleu_options
from tertium.data.segments import References
from tertium.data.testset import TestSet, read_test_set
from tertium.errors import InputError, OptionError, UnknownName
from tertium.metrics.explain import Explanation
from tertium.metrics.explain import explain as explain_score
from tertium.native import corpus
from tertium.report.tables import Cell, Column, Table

VIEWS = ("orders", "segments", "ngrams")


def explain(
    references: Annotated[
        list[str], typer.Argument(metavar="REFERENCE...", help="Files of references, or texts with --text.")
    ],
    system: Annotated[
        str, typer.Option("-i", "--input", metavar="FILE", help="The system's output, or a text with --text.")
    ] = "-",
    metric: Annotated[str, typer.Option("-m", "--metric", metavar="METRIC", help="bleu, gleu, chrf ...")] = "bleu",
    text: Annotated[bool, typer.Option("--text", help="References and input are texts themselves, not files.")] = False,
    show: Annotated[
        str | None, typer.Option("--show", metavar="VIEW", help="orders, segments or ngrams.  [default: orders]")
    ] = None,
    segment: Annotated[
        int | None, typer.Option("--segment", min=1, metavar="N", help="The n-grams of segment N, counted from 1.")
    ] = None,
    top: Annotated[int, typer.Option("--top", min=0, metavar="N", help="So many segments, 0 for all.")] = 10,
    tokenize: options.Tokenizer = None,
    lowercase: options.Lowercase = False,
    decimals: options.Decimals = None,
    format: options.Format = None,
    input_format: options.InputFormat = None,
    threads: options.Threads = 0,
) -> None:
    """Explain a score: its orders, n-grams and segments.

    --show orders says what each order of n-grams contributes, --show ngrams which n-grams of a segment were credited
    and why, --show segments which segments cost most: those come first without which the score would be highest.

    Example:
      tertium explain --text "the cat is on the mat" "there is a cat on the mat" -i "the cat the cat on the mat"
      tertium explain --text "the cat is on the mat" -i "the cat the cat on the mat" --show ngrams
      tertium demo --write sample
      tertium explain sample/refA.txt sample/refB.txt -i sample/Fink.txt --show segments --top 3
      tertium explain sample/refA.txt -i sample/Fink.txt --segment 2
    """
    output.check_format(format)
    view = show or ("ngrams" if segment is not None else "orders")
    if view not in VIEWS:
        raise UnknownName("view", view, VIEWS)
    if segment is not None and view != "ngrams":
        raise OptionError(f"--segment chooses the segment of --show ngrams, not of --show {view}")
    (spelling,) = with_bleu_options([metric], tokenize=tokenize, lowercase=lowercase)
    test_set = _of_texts(references, system) if text else read_test_set(references, [system], format=input_format)
    if len(test_set.systems) != 1:
        raise InputError(f"{system} has {len(test_set.systems)} systems: choose one, {system}:COLUMN")
    if view == "ngrams" and segment is None and len(test_set) > 1:
        raise OptionError(f"there are {len(test_set)} segments: choose one with --segment")
    (hypotheses,) = test_set.systems.values()
    prepared = References.from_streams(list(test_set.references.values()))
    work = Steps("explaining", [registry.metric(spelling)])
    found = attend(lambda: explain_score(hypotheses, prepared, work[0], threads=threads), work)
    if view == "orders":
        table = table_of_orders(found)
    elif view == "segments":
        table = table_of_segments(found, top)
    else:
        table = table_of_ngrams(found, (segment or 1) - 1, list(test_set.references))
    output.show(table, format, decimals)


def _of_texts(references: list[str], system: str) -> TestSet:
    """One segment, given on the command line."""
    if system == "-":
        raise OptionError('--text needs a hypothesis: -i "the text"')
    return TestSet({str(i + 1): corpus([text]) for i, text in enumerate(references)}, {"text": corpus([system])})


def table_of_orders(found: Explanation) -> Table:
    """A row for each order of n-grams; BLEU's brevity penalty stands below."""
    if not found.orders:
        raise OptionError(f"{found.metric.name} has no orders of n-grams; try --show segments")
    perfect = any(order.score_if_perfect is not None for order in found.orders)
    columns = [Column("order"), Column("matches", 0), Column("of", 0), Column("precision"), Column("contribution", 3)]
    rows: list[list[Cell]] = [
        [each.label, each.matches, each.total, each.precision, each.contribution] for each in found.orders
    ]
    if perfect:
        columns.append(Column("score if perfect"))
        rows = [[*row, each.score_if_perfect] for row, each in zip(rows, found.orders, strict=True)]
    notes = [f"{found.metric!r}: {found.score:.2f}"]
    if found.brevity_penalty is not None and found.score_without_penalty is not None:
        unpenalised = f"without it the score would be {found.score_without_penalty:.2f}"
        notes.append(f"brevity penalty {found.brevity_penalty:.3f}; {unpenalised}")
    records = {
        "metric": repr(found.metric),
        "score": found.score,
        "brevity_penalty": found.brevity_penalty,
        "score_without_penalty": found.score_without_penalty,
        "orders": [vars(order) for order in found.orders],
    }
    return Table(tuple(columns), rows, tuple(notes), records)


def table_of_segments(found: Explanation, top: int) -> Table:
    """The segments by what they do to the score, the most harmful first."""
    gain = found.contributions if found.metric.higher_is_better else -found.contributions
    worst = gain.argsort(kind="stable").tolist()[: top or None]
    rows: list[list[Cell]] = [
        [
            i + 1,
            float(found.segments[i]),
            float(found.without[i]),
            float(found.contributions[i]),
            found.hypotheses[i],
        ]
        for i in worst
    ]
    columns = (
        Column("segment"),
        Column("score"),
        Column("score without it", 2),
        Column("contribution", 3),
        Column("hypothesis", widest=70),
    )
    return Table(columns, rows, (f"{found.metric!r}: {found.score:.2f} with all {len(found.segments)} segments",))


def table_of_ngrams(found: Explanation, segment: int, names: list[str]) -> Table:
    """A row for each n-gram of one segment: how often it stands there, what was credited, thanks to which reference."""
    if segment >= len(found.hypotheses):
        raise InputError(f"there is no segment {segment + 1}: there are {len(found.hypotheses)}")
    rows: list[list[Cell]] = [
        [
            match.order,
            " ".join(match.ngram),
            match.count,
            match.clipped,
            "" if match.reference is None else names[match.reference],
        ]
        for match in found.ngrams(segment)
    ]
    columns = (Column("order"), Column("n-gram", widest=70), Column("count"), Column("credited"), Column("reference"))
    references = [stream[segment] for stream in found.references.streams]
    notes = [f"hypothesis: {found.hypotheses[segment]}"]
    notes += [f"reference {name}: {text}" for name, text in zip(names, references, strict=True) if text is not None]
    return Table(columns, rows, tuple(notes))


command = command_of(explain)
