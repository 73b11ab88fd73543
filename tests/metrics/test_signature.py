"""Spellings and sacreBLEU-style signatures."""

import pytest
import sacrebleu

from tertium.errors import OptionError
from tertium.metrics.bleu import BLEU
from tertium.metrics.signature import sacrebleu_signature
from tertium.registry import metric

HYPOTHESES, STREAMS = ["a b c", "d e"], [["a b c", "d f"], ["a", "d"]]
BLEUS = [
    ("bleu", {}),
    ("bleu:lowercase=yes", {"lowercase": True}),
    ("bleu:effective_order=yes,tokenize=none", {"effective_order": True, "tokenize": "none"}),
    ("bleu:smoothing=floor", {"smooth_method": "floor"}),
    ("bleu:smoothing=floor,smoothing_value=0.25", {"smooth_method": "floor", "smooth_value": 0.25}),
    ("bleu:smoothing=add-k", {"smooth_method": "add-k"}),
    ("bleu:smoothing=none,tokenize=ja-mecab", {"smooth_method": "none", "tokenize": "ja-mecab"}),
    ("bleu:tokenize=ko-mecab", {"tokenize": "ko-mecab"}),
]
CHRFS = [
    ("chrf", {}),
    ("chrf:order=4,words=2,lowercase=yes", {"char_order": 4, "word_order": 2, "lowercase": True}),
    ("chrf:whitespace=yes,eps_smoothing=yes", {"whitespace": True, "eps_smoothing": True}),
]
TERS = [
    ("ter", {}),
    ("ter:normalized=yes,no_punct=yes", {"normalized": True, "no_punct": True}),
    ("ter:asian_support=yes,case_sensitive=yes", {"asian_support": True, "case_sensitive": True}),
]


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(
    ("spelling", "options", "peer"),
    [(*case, "BLEU") for case in BLEUS] + [(*case, "CHRF") for case in CHRFS] + [(*case, "TER") for case in TERS],
)
def test_signature_is_sacrebleus(spelling, options, peer, short):
    """The signature is character for character the one sacreBLEU prints."""
    original = getattr(sacrebleu.metrics, peer)(**options)
    original.corpus_score(HYPOTHESES, STREAMS)
    assert sacrebleu_signature(metric(spelling), 2, short) == original.get_signature().format(short)


def test_varying_references_and_bootstrap():
    """A varying number of references is "var"; what the caller knows stands where sacreBLEU puts it."""
    original = sacrebleu.metrics.BLEU()
    original.corpus_score(HYPOTHESES, [["a", "b"], ["c", None]], n_bootstrap=10)
    found = sacrebleu_signature(BLEU(), (1, 2), facts={"seed": 12345, "bs": 10})
    assert found == str(original.get_signature())


@pytest.mark.parametrize("spelling", ["bleu:smoothing=nltk1", "bleu:length=shortest", "bleu:order=1,weights=1"])
def test_what_sacrebleu_cannot(spelling):
    """Options that sacreBLEU does not have get no signature of its."""
    with pytest.raises(OptionError, match="sacreBLEU cannot"):
        sacrebleu_signature(metric(spelling), 1)
