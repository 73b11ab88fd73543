"""`tertium score-translation`: what a model says of translations that are given."""

from typing import Annotated

import typer

from tertium.cli import options, output
from tertium.cli.command import command as command_of
from tertium.cli.progress import Steps, attend
from tertium.data.testset import read_test_set
from tertium.errors import InputError, OptionError


def score_translation(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model's folder.")],
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The source texts: FILE or FILE:COLUMN.")],
    translations: Annotated[
        list[str], typer.Argument(metavar="TRANSLATION...", help="Translations of them: FILE or FILE:COLUMN.")
    ],
    normalise: Annotated[
        str, typer.Option("--normalise", metavar="NAME", help="How the score counts length: power, gnmt or none.")
    ] = "power",
    alpha: Annotated[float, typer.Option("--alpha", min=0, metavar="N", help="The power of the length.")] = 0.7,
    per_segment: Annotated[bool, typer.Option("-sl", "--per-segment", help="A line for each segment.")] = False,
    per_token: Annotated[bool, typer.Option("--per-token", help="A line for each token.")] = False,
    precision: Annotated[
        str | None, typer.Option("--precision", metavar="NAME", help="float32, bfloat16 or int8.  [float32]")
    ] = None,
    decimals: options.Decimals = None,
    format: options.Format = None,
    input_format: options.InputFormat = None,
) -> None:
    """Say how probable a model finds given translations.

    log P is the natural logarithm of the probability of all tokens of a translation, its end included; the score is
    that divided for length, as a search with the same objective reports it. Perplexity is of a token.

    Example:
      tertium demo --write sample
      tertium train sample/numbers.toml -o numbers-model --set training.steps=4 validation.every=2
      tertium score-translation numbers-model sample/numbers.test.tsv:en sample/numbers.test.tsv:de
    """
    output.check_format(format)
    if per_segment and per_token:
        raise OptionError("--per-segment and --per-token exclude each other: choose one")
    test_set = read_test_set([], translations, source=source, format=input_format)
    from tertium.decoding.forced import score_texts  # torch is loaded only where it is asked for
    from tertium.decoding.length import Length
    from tertium.models.next_token import TextModel
    from tertium.models.opening import open_model
    from tertium.report.forced_tables import table_of_segments, table_of_systems, table_of_tokens

    length = Length(normalise, alpha)
    opened = open_model(model, precision=precision)
    if not isinstance(opened, TextModel):
        raise InputError(f"{model} decodes by itself and does not say how probable a translation is")
    assert test_set.source is not None
    sources = [test_set.source[i] or "" for i in range(len(test_set))]
    texts = {name: [system[i] or "" for i in range(len(system))] for name, system in test_set.systems.items()}
    steps = Steps("scoring", list(texts))
    scored = attend(lambda: {name: score_texts(opened, sources, texts[name], length) for name in steps}, steps)
    if per_token:
        tokens = {token for found in scored.values() for each in found for token in each.tokens}
        named = {token: opened.text([token]) if token != opened.end else "(end)" for token in tokens}
        output.show(table_of_tokens(scored, named), format, decimals)
    else:
        output.show((table_of_segments if per_segment else table_of_systems)(scored, length), format, decimals)


command = command_of(score_translation)
