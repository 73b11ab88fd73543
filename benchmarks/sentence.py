"""Sentence scores of every segment of WMT22 de-en, one thread.

Ours are one call for all segments; the row "a call a segment" is the habit of a loop over single texts.
"""

from collections.abc import Iterator

import fastchrf
import sacrebleu
import wmt22
from measure import Row, faster

import tertium


def rows(full: bool) -> Iterator[Row]:
    hypotheses, reference = wmt22.texts()
    pairs = list(zip(hypotheses, reference, strict=True))

    def segments(spelling: str) -> None:
        tertium.score(spelling, hypotheses, reference, threads=1).segments.tolist()

    bleu = sacrebleu.BLEU(effective_order=True)
    chrf = sacrebleu.CHRF()
    metric = tertium.metric("bleu:effective_order=yes")
    singles = [[text] for text in hypotheses], [[text] for text in reference]

    yield faster(
        "sentence BLEU",
        "sacrebleu",
        lambda: segments("bleu:effective_order=yes"),
        lambda: [bleu.sentence_score(hypothesis, [text]).score for hypothesis, text in pairs],
        40,
    )
    yield faster(
        "sentence chrF",
        "sacrebleu",
        lambda: segments("chrf"),
        lambda: [chrf.sentence_score(hypothesis, [text]).score for hypothesis, text in pairs],
        25,
    )
    yield faster(
        "sentence chrF", "fastchrf (Rust)", lambda: segments("chrf"), lambda: fastchrf.pairwise_chrf(*singles), 10
    )
    yield faster(
        "sentence BLEU, a call a segment",
        "sacrebleu",
        lambda: [tertium.score(metric, [hypothesis], [text], threads=1).score for hypothesis, text in pairs],
        lambda: [bleu.sentence_score(hypothesis, [text]).score for hypothesis, text in pairs],
        None,
    )
