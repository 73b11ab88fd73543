"""Texts in, translations out: batches of like length, in the order that they came.

A text without words is its own translation. A text of more tokens than the model takes is an error that says which, or
is cut where a sentence or a word ends and translated piece by piece: never is a part of it lost in silence.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tertium.decoding.frontier import Hypothesis
from tertium.decoding.search import DEFAULT_LIMITS, Constraint, Limits, Strategy, WholeSearch, search
from tertium.errors import InputError, UnknownName
from tertium.models.next_token import TextModel

OVERLONG = ("error", "split")


@dataclass(frozen=True)
class Translation:
    """A text and how good the model thinks it is: the sum over its pieces, where the source was cut."""

    text: str
    score: float = 0.0
    log_prob: float = 0.0
    hypotheses: tuple[Hypothesis, ...] = field(default=(), repr=False)  # of each piece; none for an empty text


@dataclass(frozen=True)
class Piece:
    """What is searched at once: a whole text, or a part of one."""

    text: int  # its number
    tokens: list[int]


def translate(
    model: TextModel,
    texts: Sequence[str],
    strategy: Strategy | WholeSearch,
    constraints: Sequence[Constraint] = (),
    *,
    limits: Limits = DEFAULT_LIMITS,
    overlong: str = "error",
    tokens: int = 4096,
    first: int = 0,
) -> list[list[Translation]]:
    """The translations of each text, best first; as many as the strategy finds, one where a text had to be cut.

    A batch holds at most `tokens` source tokens, padding counted, times the hypotheses a search follows. `first` is the
    number of the first text, for messages and for the random numbers of sampling.
    """
    found: list[list[Translation]] = [[] for _ in texts]
    for number, translations in translating(
        model, texts, strategy, constraints, limits=limits, overlong=overlong, tokens=tokens, first=first
    ):
        found[number] = translations
    return found


def translating(
    model: TextModel,
    texts: Sequence[str],
    strategy: Strategy | WholeSearch,
    constraints: Sequence[Constraint] = (),
    *,
    limits: Limits = DEFAULT_LIMITS,
    overlong: str = "error",
    tokens: int = 4096,
    first: int = 0,
) -> Iterator[tuple[int, list[Translation]]]:
    """The number and the translations of each text, as they are found."""
    if overlong not in OVERLONG:
        raise UnknownName("way with texts that are too long", overlong, OVERLONG)
    pieces = [Piece(n, each) for n, text in enumerate(texts) for each in _pieces(model, text, overlong, first + n)]
    if len(pieces) > len(texts) and constraints:
        raise InputError("constraints cannot be kept where a text is cut: shorten the texts")
    waiting = [0] * len(texts)
    for piece in pieces:
        waiting[piece.text] += 1
    for number, parts in enumerate(waiting):
        if not parts:
            yield number, [Translation(text="")]
    done: dict[int, list[Hypothesis]] = {}
    places: dict[int, list[int]] = {}
    for index, piece in enumerate(pieces):
        places.setdefault(piece.text, []).append(index)
    width = getattr(strategy, "width", strategy.count)
    for batch in _batches([len(piece.tokens) for piece in pieces], max(1, tokens // width)):
        streams = [first + pieces[index].text for index in batch]
        results = search(
            model, [pieces[index].tokens for index in batch], strategy, constraints, limits=limits, streams=streams
        )
        for index, hypotheses in zip(batch, results, strict=True):
            done[index] = hypotheses
            number = pieces[index].text
            waiting[number] -= 1
            if not waiting[number]:
                yield number, _joined(model, [done.pop(part) for part in places[number]])


def _pieces(model: TextModel, text: str, overlong: str, number: int) -> list[list[int]]:
    """The tokens of a text, or of its parts where it is too long; none of a text without words."""
    if not text.strip():
        return []
    tokens = model.source_tokens(text)
    most = model.longest_source
    if most is None or len(tokens) <= most:
        return [tokens]
    if overlong == "error":
        raise InputError(
            f"text {number + 1} has {len(tokens)} tokens and the model takes {most}: cut it, or let it be split"
        )
    return [model.source_tokens(part) for part in _split(model, text, most)]


def _split(model: TextModel, text: str, most: int) -> Iterator[str]:
    """Parts of a text, cut after sentences, else after words, else anywhere; each fits."""
    if len(model.source_tokens(text)) <= most:
        yield text
        return
    if len(text) < 2:
        raise InputError(f"{text!r} alone has more than the {most} tokens that the model takes")
    middle = len(text) / 2
    for boundary in (r"[.!?…。！？؟]['\")\]»”]*\s+|[。！？]", r"[,;:،；]\s+", r"\s+", r""):
        places = [match.end() for match in re.finditer(boundary, text) if 0 < match.end() < len(text)]
        if places:
            cut = min(places, key=lambda place: abs(place - middle))
            for part in (text[:cut].strip(), text[cut:].strip()):
                if part:
                    yield from _split(model, part, most)
            return


def _joined(model: TextModel, pieces: Sequence[Sequence[Hypothesis]]) -> list[Translation]:
    """The translations of a text: those of its only piece, or the best of each piece side by side."""
    if len(pieces) == 1:
        return [Translation(model.text(each.tokens), each.score, each.log_prob, (each,)) for each in pieces[0]]
    best = tuple(hypotheses[0] for hypotheses in pieces)
    text = " ".join(model.text(each.tokens) for each in best)
    return [Translation(text, sum(each.score for each in best), sum(each.log_prob for each in best), best)]


def _batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Places in order of falling length, in runs whose longest, times their number, stays within `tokens`."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda each: -lengths[each]):
        if batch and lengths[batch[0]] * (len(batch) + 1) > tokens:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
