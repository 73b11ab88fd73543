"""Corpus chrF and chrF++ of WMT22 de-en, one thread, texts as Python strings."""

from collections.abc import Iterator

import sacrebleu
import wmt22
from measure import Row, faster

import tertium


def rows(full: bool) -> Iterator[Row]:
    hypotheses, reference = wmt22.texts()
    for name, words, bar in (("chrF", 0, 32), ("chrF++", 2, 30)):

        def ours(words: int = words) -> None:
            assert tertium.score(f"chrf:words={words}", hypotheses, reference, threads=1).score > 0

        def theirs(words: int = words) -> None:
            sacrebleu.corpus_chrf(hypotheses, [reference], word_order=words)

        yield faster(f"corpus {name}", "sacrebleu", ours, theirs, bar)
