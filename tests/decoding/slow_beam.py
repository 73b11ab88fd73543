"""Beam search once more, slow and readable: one sentence, lists of prefixes, no tensors.

It stops only by the rule given, never because nothing can win any more; `stop="end"` runs until no prefix is left.
"""

import math
from collections import Counter

from decoding.toy import Source, Toy
from tertium.decoding.beam import Beam

Prefix = tuple[tuple[int, ...], float]


def slow_beam(
    toy: Toy, source: Source, options: Beam, most: int, least: int = 1, stop: str = "end"
) -> list[tuple[float, tuple[int, ...]]]:
    """The hypotheses wanted, each with its score, best first."""
    size = options.width // options.groups
    groups: list[list[Prefix]] = [[((), 0.0)] for _ in range(options.groups)]
    finished: dict[tuple[int, ...], float] = {}
    for length in range(1, most + 1):
        taken: Counter[int] = Counter()  # tokens that earlier groups go on with at this step
        for number, prefixes in enumerate(groups):
            ranked = sorted(
                (
                    (total + log_prob - options.diversity * taken[token] * (options.groups > 1), total, prefix, token)
                    for prefix, total in prefixes
                    for token, log_prob in enumerate(toy.distribution(source, prefix).tolist())
                    if allowed(token == toy.end, length, most, least)
                ),
                key=lambda child: -child[0],
            )
            for _, total, prefix, token in ranked[:size]:
                if token == toy.end:
                    finished[(*prefix, token)] = options.length.score(
                        total + float(toy.distribution(source, prefix)[token]), length
                    )
            live = [child for child in ranked if child[3] != toy.end][:size]
            groups[number] = [
                ((*prefix, token), total + float(toy.distribution(source, prefix)[token]))
                for _, total, prefix, token in live
            ]
            taken.update(token for *_, token in live)
        wanted = {"end": math.inf, "first-finished": options.count}.get(
            stop, max(options.count, math.ceil(options.patience * options.width))
        )
        if len(finished) >= wanted:
            break
    best = sorted(finished.items(), key=lambda found: (-found[1], len(found[0])))
    return [(score, tokens) for tokens, score in best[: options.count]]


def allowed(ends: bool, length: int, most: int, least: int) -> bool:
    """Whether a token may be the one at this length."""
    return length >= least if ends else length < most
