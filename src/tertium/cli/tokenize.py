"""`tertium tokenize`: texts as a metric sees them."""

from typing import Annotated

import typer

from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.data.testset import Files
from tertium.text import scheme


def tokenize(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="A file, or FILE:COLUMN.", show_default=False)] = "-",
    tokenizer: Annotated[
        str,
        typer.Option("-tok", "--tokenize", metavar="NAME", help="13a, intl, zh, char, ja-mecab, spm:FILE, none ..."),
    ] = "13a",
    lowercase: Annotated[bool, typer.Option("-lc", "--lowercase", help="Lower-case the text first.")] = False,
    input_format: options.InputFormat = None,
) -> None:
    """Print texts cut into tokens.

    A line for each segment, a space between tokens.

    Example:
      tertium demo --write sample
      tertium tokenize sample/refA.txt -tok 13a
      tertium tokenize sample/sample.tsv:src -tok char -lc
    """
    cut = scheme(tokenizer)
    for stream in Files(input_format).streams(file, "source"):
        for i in range(len(stream.segments)):
            text = stream.segments[i] or ""
            output.say(" ".join(cut((text.lower() if lowercase else text).rstrip())))


command = command_of(tokenize)
