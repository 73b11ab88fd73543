"""`tertium translate`: texts through a model, line by line."""

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, Any

import typer

from tertium.cli import output
from tertium.cli.command import command as command_of
from tertium.cli.progress import Steps, attend
from tertium.errors import InputError, OptionError, UnknownName

CHUNK = 1000  # lines that are sorted by length and translated together
FORMATS = ("text", "tsv", "jsonl")
DIGITS = 6  # of scores: the seventh depends on the batch that a text was in


def translate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model's folder, or command:PROGRAM ARGUMENTS.")],
    source: Annotated[
        str, typer.Argument(metavar="[SOURCE]", help="Texts: FILE or FILE:COLUMN.  [default: standard input]")
    ] = "-",
    search: Annotated[
        str | None,
        typer.Option("--search", metavar="NAME", help="greedy, beam, sample, exact or mbr, with options.  [beam]"),
    ] = None,
    n_best: Annotated[int, typer.Option("--n-best", min=1, metavar="N", help="Translations of each text.")] = 1,
    scores: Annotated[bool, typer.Option("--scores", help="The score of each translation before it.")] = False,
    file: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write there; goes on if it was interrupted.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option("-f", "--format", metavar="NAME", help="text, tsv or jsonl.  [text; tsv with scores or n-best]"),
    ] = None,
    overlong: Annotated[
        str, typer.Option("--overlong", metavar="NAME", help="What to do with texts too long: error or split.")
    ] = "error",
    least: Annotated[int, typer.Option("--min-length", min=1, metavar="N", help="Tokens of a translation.")] = 1,
    most: Annotated[
        int | None, typer.Option("--max-length", min=1, metavar="N", help="Tokens; else twice the source's and 10.")
    ] = None,
    precision: Annotated[
        str | None, typer.Option("--precision", metavar="NAME", help="float32, bfloat16 or int8.  [float32]")
    ] = None,
    tokens: Annotated[int, typer.Option("--batch-tokens", min=1, metavar="N", help="Source tokens of a batch.")] = 4096,
) -> None:
    """Translate texts, a line each; the lines that come out are in the order of those that came in.

    With --scores or --n-best a line is tab separated: the number of the text, the score, the translation. An output
    file that an interruption left unfinished is gone on with by the same command.

    Example:
      tertium demo --write sample
      tertium train sample/numbers.toml -o numbers-model --set training.steps=4 validation.every=2
      tertium translate numbers-model sample/numbers.test.tsv:en --search greedy
    """
    chosen = _format(format, n_best, scores)
    from tertium.decoding.search import Limits  # torch is loaded only where it is asked for
    from tertium.decoding.translator import Translator
    from tertium.models.opening import open_model

    limits = Limits(least=least, absolute=most)
    translator = Translator(open_model(model, precision=precision), search, n_best, limits, overlong, tokens)
    if file is None:
        for first, texts in _chunks(_lines(source), 0):
            output.say("\n".join(line for lines in _translated(translator, texts, first, chosen) for line in lines))
            output.flush()
        return
    from tertium.data.resumable import ResumableFile

    making = {"model": model, "search": repr(translator.strategy), "n_best": n_best, "format": chosen}
    making |= {"precision": precision, "limits": repr(limits), "overlong": overlong, "source": source}
    with ResumableFile(file, making, numbered=chosen == "tsv") as written:
        if written.records:
            print(f"tertium: going on after text {written.records}", file=sys.stderr)
        for first, texts in _chunks(_lines(source), written.records):
            for lines in _translated(translator, texts, first, chosen):
                written.write(lines)
        written.finish()


def _translated(translator: Any, texts: list[str], first: int, format: str) -> list[list[str]]:
    """The output lines of each text, in order."""
    steps = Steps("translating", texts)

    def work() -> list[Any]:
        found: list[Any] = [None] * len(texts)
        for number, translations in translator.translating(texts, first):
            found[number] = translations
            steps.done += 1
        return found

    found = attend(work, steps)
    return [
        _rendered(first + n, text, each, format) for n, (text, each) in enumerate(zip(texts, found, strict=True), 1)
    ]


def _rendered(number: int, source: str, translations: Sequence[Any], format: str) -> list[str]:
    """The lines of one text."""
    if format == "text":
        return [_one_line(translations[0].text)]
    if format == "tsv":
        return [f"{number}\t{each.score:.{DIGITS}g}\t{_one_line(each.text)}" for each in translations]
    best = [{"text": each.text, "score": float(f"{each.score:.{DIGITS}g}")} for each in translations]
    return [json.dumps({"number": number, "source": source, "translations": best}, ensure_ascii=False)]


def _one_line(text: str) -> str:
    """A text as a cell: line breaks and tabs that a model said are spaces there."""
    return text.replace("\n", " ").replace("\t", " ").replace("\r", " ")


def _format(format: str | None, n_best: int, scores: bool) -> str:
    if format is not None and format not in FORMATS:
        raise UnknownName("output format", format, FORMATS)
    if format == "text" and (n_best > 1 or scores):
        raise OptionError("--format text has a translation a line and nothing else: choose tsv or jsonl")
    return format or ("tsv" if n_best > 1 or scores else "text")


def _lines(source: str) -> Sequence[str] | Iterator[str]:
    """The texts: standard input as it comes, or a file's column."""
    if source == "-":
        return _standard_input()
    from tertium.data.testset import Files

    (stream,) = Files().streams(source, "source")[:1]
    return list(stream.texts())


def _standard_input() -> Iterator[str]:
    if sys.stdin is None:
        raise InputError("standard input is closed: name a file")
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            yield line.decode("utf-8").removesuffix("\n")
        except UnicodeDecodeError as error:
            raise InputError(f"standard input:{number} is not UTF-8: {error.reason}") from None


def _chunks(lines: Sequence[str] | Iterator[str], skip: int) -> Iterator[tuple[int, list[str]]]:
    """Texts to be translated together, with the number of the first; one at a time where a person types them."""
    iterator = iter(lines)
    first = len(list(islice(iterator, skip)))
    size = 1 if sys.stdin is not None and sys.stdin.isatty() and not isinstance(lines, Sequence) else CHUNK
    while texts := list(islice(iterator, size)):
        yield first, texts
        first += len(texts)


command = command_of(translate)
