"""Corpus BLEU of WMT22 de-en, one thread, texts as Python strings."""

from collections.abc import Iterator

import bleuscore
import sacrebleu
import wmt22
from measure import Row, faster

import tertium


def rows(full: bool) -> Iterator[Row]:
    hypotheses, reference = wmt22.texts()

    def ours() -> None:
        assert tertium.score("bleu", hypotheses, reference, threads=1).score > 0

    yield faster("corpus BLEU 13a", "sacrebleu", ours, lambda: sacrebleu.corpus_bleu(hypotheses, [reference]), 60)
    each = [[text] for text in reference]
    yield faster("corpus BLEU 13a", "bleuscore (Rust)", ours, lambda: bleuscore.compute(each, hypotheses, 4, False), 15)
