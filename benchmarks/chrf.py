"""Corpus and sentence chrF of WMT22 de-en, one thread, texts as Python strings."""

from collections.abc import Iterator

import fastchrf
import sacrebleu
import wmt22
from measure import Row, faster

import tertium
from tertium.data.segments import References


def rows(full: bool) -> Iterator[Row]:
    hypotheses, reference = wmt22.texts()
    for name, words, bar in (("chrF", 0, 32), ("chrF++", 2, 30)):

        def ours(words: int = words) -> None:
            assert tertium.score(f"chrf:words={words}", hypotheses, reference, threads=1).score > 0

        def theirs(words: int = words) -> None:
            sacrebleu.corpus_chrf(hypotheses, [reference], word_order=words)

        yield faster(f"corpus {name}", "sacrebleu", ours, theirs, bar)

    def segments() -> None:
        assert tertium.score("chrf", hypotheses, reference, threads=1).segments.size == len(hypotheses)

    def sacrebleu_segments() -> None:
        metric = sacrebleu.CHRF()
        for hypothesis, text in zip(hypotheses, reference, strict=True):
            metric.sentence_score(hypothesis, [text])

    def fastchrf_segments() -> None:
        fastchrf.pairwise_chrf([[text] for text in hypotheses], [[text] for text in reference])

    yield faster("sentence chrF of all segments", "sacrebleu", segments, sacrebleu_segments, 25)
    yield faster("sentence chrF of all segments", "fastchrf (Rust)", segments, fastchrf_segments, 10)

    four = [*wmt22.references().values(), *list(wmt22.systems().values())[1:3]]

    def four_references() -> None:
        assert tertium.score("chrf", hypotheses, References.from_streams(four), threads=1).score > 0

    yield faster(
        "4 references: chrF", "sacrebleu", four_references, lambda: sacrebleu.corpus_chrf(hypotheses, four), 40
    )
