"""Translating a batch of 32 on one thread: the same weights, the same search, the same translations.

    tiny   2 + 2 layers of width 256, a vocabulary of 8000; captions of Multi30k
    base   6 + 6 layers of width 512, a vocabulary of 32000; every fifteenth sentence of WMT22 de-en

Sentences come in the order of the file, so their lengths differ. All search by one rule: a beam of 4 that stops at four
finished hypotheses, of which the one with the highest log P / T^0.7 is taken.
"""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import ctranslate2
import torch
import translators
import wmt22
from measure import Row, faster

from tertium.decoding.beam import Beam
from tertium.decoding.greedy import Greedy
from tertium.decoding.search import Limits, search
from tertium.models.ctranslate2_conversion import to_ctranslate2
from tertium.models.network import END, PADDING
from tertium.models.precision import apply
from tertium.models.trained import TrainedModel, padded
from tertium.models.transformer import TransformerOptions

BATCH, ALPHA, LONGEST = 32, 0.7, 200
Translate = Callable[[], list[list[int]]]


@dataclass
class Contest:
    """A model in three libraries, and what each makes of the same sources."""

    options: TransformerOptions
    vocabulary: int
    texts: list[str]
    model: TrainedModel = field(init=False)
    sources: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.model = translators.copying(self.options, self.vocabulary)
        self.sources = translators.sources(self.vocabulary, self.texts)[:BATCH]

    def ours(self, precision: str, width: int) -> Translate:
        """By our search."""
        model, limits = apply(self.model, precision), Limits(absolute=LONGEST)
        strategy = Greedy() if width == 1 else Beam(width=width, alpha=ALPHA, stop="patience")
        return lambda: [list(best.tokens) for best, *_ in search(model, self.sources, strategy, limits=limits)]

    def hugging_face(self, width: int) -> Translate:
        """By transformers' `generate`, in float32."""
        network = translators.as_hugging_face(self.model)
        beam = {"num_beams": width, "early_stopping": True, "length_penalty": ALPHA} if width > 1 else {}
        source = padded(self.sources)
        mask = (source != PADDING).long()

        def translate() -> list[list[int]]:
            found = network.generate(source, attention_mask=mask, do_sample=False, max_new_tokens=LONGEST, **beam)
            return [row[1 : row.index(END, 1) + 1] for row in found.tolist()]

        return translate

    def ctranslate2(self, precision: str, width: int) -> Translate:
        """By CTranslate2."""
        with tempfile.TemporaryDirectory() as folder:
            to_ctranslate2(self.model, folder, quantization=precision)
            engine = ctranslate2.Translator(folder, compute_type=precision, intra_threads=1, inter_threads=1)
        piece = self.model.source_vocabulary.piece
        pieces = [[piece(token) for token in source] for source in self.sources]
        known = {piece(token): token for token in range(self.vocabulary)}
        rule: dict[str, Any] = {"beam_size": width, "length_penalty": ALPHA, "max_decoding_length": LONGEST}

        def translate() -> list[list[int]]:
            found = engine.translate_batch(pieces, max_batch_size=BATCH, return_end_token=True, **rule)
            return [[known[each] for each in result.hypotheses[0]] for result in found]

        return translate


def row(what: str, peer: str, ours: Translate, theirs: Translate, bar: float | None, *, equal: bool = True) -> Row:
    """How many times faster; the translations must be equal, or how many are is said."""
    mine, others = ours(), theirs()
    same = sum(a == b for a, b in zip(mine, others, strict=True))
    assert same == len(mine) or not equal, f"{what}: {len(mine) - same} translations differ from those of {peer}"
    return faster(what, peer, ours, theirs, bar, note="" if same == len(mine) else f"{same} of {len(mine)} equal")


def rows(full: bool) -> Iterator[Row]:
    torch.set_num_threads(1)
    tiny = Contest(translators.TINY, 8000, translators.multi30k())
    beam, greedy = tiny.ours("float32", 4), tiny.ours("float32", 1)
    yield row("tiny, beam 4, float32", "transformers", beam, tiny.hugging_face(4), 2.0)
    yield row("tiny, greedy, float32", "transformers", greedy, tiny.hugging_face(1), 1.5)
    yield row("tiny, beam 4, float32", "CTranslate2", beam, tiny.ctranslate2("float32", 4), None)
    yield row("tiny, greedy, float32", "CTranslate2", greedy, tiny.ctranslate2("float32", 1), None)
    yield row("tiny, beam 4, int8", "CTranslate2", tiny.ours("int8", 4), tiny.ctranslate2("int8", 4), None, equal=False)
    base = Contest(translators.BASE, 32000, wmt22.columns()["src"][::15])
    theirs, int8 = base.hugging_face(4), base.ours("int8", 4)
    yield row("base, beam 4, int8 against float32", "transformers", int8, theirs, 3.5, equal=False)
    yield row("base, beam 4, int8", "CTranslate2", int8, base.ctranslate2("int8", 4), 0.8, equal=False)
    yield row("base, greedy, int8", "CTranslate2", base.ours("int8", 1), base.ctranslate2("int8", 1), None, equal=False)
    float32 = base.ours("float32", 4)
    yield row("base, beam 4, float32", "transformers", float32, theirs, None)
    yield row("base, beam 4, float32", "CTranslate2", float32, base.ctranslate2("float32", 4), None)
    bfloat16 = base.ours("bfloat16", 4)
    yield row("base, beam 4, bfloat16 against float32", "transformers", bfloat16, theirs, None, equal=False)
