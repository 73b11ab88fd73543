"""Four references: WMT22 de-en with its two references and two other systems' translations as the other two."""

from collections.abc import Iterator

import sacrebleu
import wmt22
from measure import Row, faster

import tertium


def rows(full: bool) -> Iterator[Row]:
    hypotheses, _ = wmt22.texts()
    others = list(wmt22.systems().values())[1:3]
    streams = [*wmt22.references().values(), *others]
    segments = [list(texts) for texts in zip(*streams, strict=True)]
    for name, theirs, bar in (("bleu", sacrebleu.corpus_bleu, 60), ("chrf", sacrebleu.corpus_chrf, 40)):
        yield faster(
            f"corpus {name}, 4 references",
            "sacrebleu",
            lambda name=name: tertium.score(name, hypotheses, segments, threads=1).score,  # type: ignore[misc]
            lambda theirs=theirs: theirs(hypotheses, streams),  # type: ignore[misc]
            bar,
        )
