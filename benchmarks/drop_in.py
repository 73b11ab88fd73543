"""The drop-in modules beside the libraries they stand for, on WMT22 de-en: the same calls, the same numbers.

Everything is called as in the original's own documentation, one call a text where that is the habit. The paired tests
draw their random numbers exactly as sacreBLEU does, which bounds how fast they can be; `tertium.compare` need not.
"""

from collections.abc import Iterator

import sacrebleu
import wmt22
from measure import Row, faster
from nltk.translate import bleu_score
from sacrebleu.significance import PairedTest as TheirTest

import tertium.compat.sacrebleu as face
from tertium.compat import nltk
from tertium.compat.sacrebleu.significance import PairedTest


def rows(full: bool) -> Iterator[Row]:
    hypotheses, reference = wmt22.texts()
    systems = list(wmt22.systems().items())
    pairs = list(zip(hypotheses, reference, strict=True))

    for name, at_least in (("bleu", 30), ("chrf", 30), ("ter", 130)):
        ours, theirs = (getattr(module, f"corpus_{name}") for module in (face, sacrebleu))
        yield faster(
            f"corpus_{name}",
            "sacrebleu",
            lambda ours=ours: ours(hypotheses, [reference]),
            lambda theirs=theirs: theirs(hypotheses, [reference]),
            at_least,
        )
    for name in ("BLEU", "CHRF", "TER"):
        options = {"effective_order": True} if name == "BLEU" else {}
        ours, theirs = (getattr(module, name)(**options) for module in (face, sacrebleu))
        yield faster(
            f"{name}.sentence_score, a call a segment",
            "sacrebleu",
            lambda ours=ours: [ours.sentence_score(text, [other]) for text, other in pairs],
            lambda theirs=theirs: [theirs.sentence_score(text, [other]) for text, other in pairs],
            None,
        )
    for kind, at_least in (("bs", 40), ("ar", 40)):
        yield faster(
            f"PairedTest {kind}, {len(systems)} systems, BLEU",
            "sacrebleu",
            lambda kind=kind: PairedTest(systems, {"BLEU": face.BLEU()}, [reference], test_type=kind)(),
            lambda kind=kind: TheirTest(systems, {"BLEU": sacrebleu.BLEU()}, [reference], test_type=kind)(),
            at_least,
        )
    tokens = [text.split() for text in hypotheses]
    references = [[text.split()] for text in reference]
    yield faster(
        "corpus_bleu on token lists",
        "nltk",
        lambda: nltk.corpus_bleu(references, tokens),
        lambda: bleu_score.corpus_bleu(references, tokens),
        10,
    )
