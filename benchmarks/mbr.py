"""Minimum Bayes risk decoding: 100 candidates of a sentence of WMT22 de-en, each the reference of all, one thread.

Candidates are the nine systems' translations of a sentence and mixtures of them, no two alike: the beginning of one
system's words, the end of another's, and one to four words left out or moved. Utilities are checked to be equal first.

mbrs, the toolkit with the most utilities, asks sacreBLEU for the sentence BLEU of each pair, in eight processes. It
imports COMET, BERTScore and BLEURT and cannot be installed beside a recent transformers, so the row measures the calls
it makes, in one process. Starting processes and sending them texts is left out: mbrs 0.1.8 with those three cut out
took 0.5 s of CPU time (0.3 s with one worker) where the calls alone take 0.27 s.
"""

import random
from collections.abc import Iterator

import fastchrf
import numpy as np
import sacrebleu
import wmt22
from measure import Row, faster

import tertium
from tertium.decoding.mbr import choose
from tertium.metrics.pairs import utilities

CANDIDATES = 100


def rows(full: bool) -> Iterator[Row]:
    candidates = candidates_of(segment_at(0.5))
    several = [candidates_of(segment_at(0.2 + 0.04 * i)) for i in range(20)]
    bleu = sacrebleu.BLEU(effective_order=True)

    def pairs() -> list[list[float]]:
        return [[bleu.sentence_score(one, [other]).score for other in candidates] for one in candidates]

    for metric, theirs in (("chrf", fastchrf.pairwise_chrf([candidates], [candidates])[0]), ("bleu", pairs())):
        ours = utilities(tertium.metric(f"{metric}{SENTENCE[metric]}"), candidates, candidates)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9)
    yield faster(
        "chrF, one sentence",
        "fastchrf (Rust)",
        lambda: choose([candidates], metric="chrf", threads=1),
        lambda: fastchrf.pairwise_chrf([candidates], [candidates]),
        50,
    )
    yield faster(
        "chrF, 20 sentences, short to long",
        "fastchrf (Rust)",
        lambda: choose(several, metric="chrf", threads=1),
        lambda: fastchrf.pairwise_chrf(several, several),
        50,
    )
    yield faster(
        "BLEU, one sentence",
        "sacrebleu (mbrs)",
        lambda: choose([candidates], metric=f"bleu{SENTENCE['bleu']}", threads=1),
        pairs,
        100,
    )
    mean = fastchrf.aggregate_chrf(several, several)
    for ranking, theirs in zip(choose(several, metric="chrf", aggregate=True), mean, strict=True):
        np.testing.assert_allclose(ranking.scores, theirs, rtol=0, atol=1e-9)
    yield faster(
        "chrF, 20 sentences, references aggregated",
        "fastchrf (Rust)",
        lambda: choose(several, metric="chrf", aggregate=True, threads=1),
        lambda: fastchrf.aggregate_chrf(several, several),
        10,
    )


SENTENCE = {"chrf": "", "bleu": ":effective_order=yes"}


def segment_at(share: float) -> int:
    """The segment whose first system's translation is longer than this share of all."""
    hypotheses, _ = wmt22.texts()
    return sorted(range(len(hypotheses)), key=lambda segment: len(hypotheses[segment]))[int(share * len(hypotheses))]


def candidates_of(segment: int) -> list[str]:
    """Different translations of a segment, always the same ones."""
    outputs = [texts[segment] for texts in wmt22.systems().values()]
    found = dict.fromkeys(outputs)
    rng = random.Random(segment)
    while len(found) < CANDIDATES:
        first, second = (rng.choice(outputs).split() for _ in range(2))
        share = rng.random()
        words = first[: round(share * len(first))] + second[round(share * len(second)) :]
        for _ in range(rng.randint(1, 4)):
            word = words.pop(rng.randrange(len(words))) if words else ""
            if rng.random() < 0.5:
                words.insert(rng.randrange(len(words) + 1), word)
        found[" ".join(words)] = None
    return list(found)
