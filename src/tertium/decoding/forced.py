"""The score of translations that are given: log P(y|x) of each token, of the whole, and under an objective.

All tokens of a translation are fed at once, padded on the right with the end: what follows a token does not change what
the model says of it. The numbers are those that a search reports for the same tokens, up to the rounding of sums. A
source that has several translations is read once.

A token that the model never predicts (the unknown token, padding) has log probability minus infinity, and so has a
translation with it: the model cannot say it.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

import torch

from tertium.decoding.frontier import Hypothesis
from tertium.decoding.length import Length
from tertium.errors import InputError
from tertium.models.next_token import NextToken, TextModel

CELLS = 2**24  # log probabilities that are held at once
BATCH = 4096  # source tokens, and tokens of translations, that are fed at once
RAW = Length(normalise="none")

Tokens = Sequence[int]


def score_texts(
    model: TextModel, sources: Sequence[str], translations: Sequence[str], length: Length = RAW
) -> list[Hypothesis]:
    """What a model says of the translation of each source text."""
    return score_tokens(
        model,
        [model.source_tokens(text) for text in sources],
        [model.target_tokens(text) for text in translations],
        length,
    )


def score_tokens(
    model: NextToken, sources: Sequence[Tokens], translations: Sequence[Tokens], length: Length = RAW
) -> list[Hypothesis]:
    """The same for tokens; a translation's end is among its tokens, where it is to count."""
    if len(sources) != len(translations):
        raise InputError(f"{len(sources)} sources and {len(translations)} translations: each source needs one")
    for number, (source, translation) in enumerate(zip(sources, translations, strict=True)):
        _check(model, number, source, translation)
    found: list[list[float]] = [[] for _ in sources]
    for batch in _batches(sources, translations):
        values = _log_probs(model, [sources[i] for i in batch], [translations[i] for i in batch])
        for number, value in zip(batch, values, strict=True):
            found[number] = value
    return [
        Hypothesis(tuple(tokens), tuple(values), sum(values), length.score(sum(values), len(tokens)))
        for tokens, values in zip(translations, found, strict=True)
    ]


def _check(model: NextToken, number: int, source: Tokens, translation: Tokens) -> None:
    if not translation:
        raise InputError(f"translation {number + 1} has no tokens, not even an end")
    for what, tokens, most in (
        ("source", source, model.longest_source),
        ("translation", translation, model.longest_target),
    ):
        if most is not None and len(tokens) > most:
            raise InputError(f"{what} {number + 1} has {len(tokens)} tokens and the model takes {most}: leave it out")
    if min(translation) < 0 or max(translation) >= model.vocabulary_size:
        raise InputError(f"translation {number + 1} has tokens outside the vocabulary of {model.vocabulary_size}")


def _batches(sources: Sequence[Tokens], translations: Sequence[Tokens]) -> Iterator[list[int]]:
    """Numbers of sources of like length, those that are equal side by side; at most BATCH tokens, padding counted."""
    batch: list[int] = []
    widest = 0
    for number in sorted(range(len(sources)), key=lambda i: (len(sources[i]), *sources[i], len(translations[i]))):
        wide = max(len(sources[number]), len(translations[number]))
        if batch and max(widest, wide) * (len(batch) + 1) > BATCH:
            yield batch
            batch, widest = [], 0
        batch.append(number)
        widest = max(widest, wide)
    if batch:
        yield batch


@torch.inference_mode()
def _log_probs(model: NextToken, sources: Sequence[Tokens], translations: Sequence[Tokens]) -> list[list[float]]:
    """The log probability of each token of each translation; equal sources stand side by side."""
    groups = [list(group) for _, group in groupby(sources, key=tuple)]
    first, state = model.start([group[0] for group in groups])
    rows = torch.arange(len(groups)).repeat_interleave(torch.tensor([len(group) for group in groups]))
    longest = max(map(len, translations))
    tokens = torch.tensor([[*each, *[model.end] * (longest - len(each))] for each in translations])  # (rows, longest)
    values = [first[rows].gather(1, tokens[:, :1])]
    state = state.pick(rows)
    piece = max(1, CELLS // (len(rows) * model.vocabulary_size))
    for begin in range(0, longest - 1, piece):
        end = min(begin + piece, longest - 1)
        log_probs, state = model.advance(state, tokens[:, begin:end])  # (rows, end - begin, vocabulary)
        values.append(log_probs.gather(2, tokens[:, begin + 1 : end + 1, None])[..., 0])
    together = torch.cat(values, 1).tolist()
    return [row[: len(each)] for row, each in zip(together, translations, strict=True)]
