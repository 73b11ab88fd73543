"""`tertium explain`: what a score is made of, and which segments cost it."""

from typing import Annotated

import typer

from tertium import registry
from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.cli.progress import Steps, attend
from tertium.cli.spellings import with_bleu_options
from tertium.data.testset import TestSet, read_test_set
from tertium.errors import InputError, OptionError, UnknownName
from tertium.metrics.explain import explain as explain_score
from tertium.native import corpus
from tertium.report.explanation_tables import table_of_ngrams, table_of_orders, table_of_segments

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
    work = Steps("explaining", [registry.metric(spelling)])
    found = attend(lambda: explain_score(hypotheses, test_set.references, work[0], threads=threads), work)
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


command = command_of(explain)
