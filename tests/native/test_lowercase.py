"""The core's lower case is Python's `str.lower`, for every character and around every capital sigma."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium import native
from tertium.metrics.bleu import BLEU
from tertium.metrics.chrf import CHRF

peers = pytest.importorskip("sacrebleu.metrics")

# The tables hold Unicode 14, which Python 3.11 has; a later Python knows more letters.
LATER_PYTHON = unicodedata.unidata_version != "14.0.0"

POINTS = [chr(point) for point in range(1, 0x110000) if not 0xD800 <= point < 0xE000]
TELLING = st.sampled_from([*"ΣΣΣσςAΑa.'-: İIẞȺ\u212a\u212b\u2126\xad\u0345ʰ中ÉЯ𐐀\x01"])


@pytest.mark.skipif(LATER_PYTHON, reason="this Python has another version of Unicode than the core's tables")
def test_every_character() -> None:
    """Each code point of a text by itself has the lower case that Python gives it, U+0130's two characters included."""
    assert native.lowercase(POINTS) == [point.lower() for point in POINTS]


@pytest.mark.skipif(LATER_PYTHON, reason="this Python has another version of Unicode than the core's tables")
def test_sigma_beside_every_character() -> None:
    """A capital sigma before, after and between any characters becomes the same sigma as in Python."""
    points = [point for point in POINTS if point < "\U00020000" or "\U000e0000" < point < "\U000e0200"]
    for before, after in (("", "Σ"), ("AΣ", ""), ("AΣ", "A"), ("A", "Σ"), ("Σ", "Σ")):
        texts = [f"{before}{point}{after}" for point in points]
        assert native.lowercase(texts) == [text.lower() for text in texts]


@given(texts=st.lists(st.lists(TELLING, max_size=24).map("".join), min_size=1, max_size=4))
@settings(max_examples=400)
def test_equal_to_python(texts: list[str]) -> None:
    """Mixed texts of any length, lower cases that take more or fewer bytes among them, equal `str.lower`."""
    assert native.lowercase(texts) == [text.lower() for text in texts]


def test_lower_case_by_hand() -> None:
    """A final sigma ends a word after a letter; a sigma alone is not final; a dotted capital I gives two characters."""
    assert native.lowercase(["ΟΔΟΣ ΟΔΟΣ.", "Σ", "ΣΑΣ", "İSTANBUL", "STRAẞE"]) == [
        "οδος οδος.",
        "σ",
        "σας",
        "i̇stanbul",
        "straße",
    ]


@pytest.mark.parametrize("name", ["bleu", "chrf"])
def test_lower_cased_scores(name: str) -> None:
    """Lower-cased BLEU and chrF equal sacreBLEU's, and differ from the plain ones on texts that differ in case only."""
    hypotheses, references = ["THE ΟΔΟΣ Is İSTANBUL, ok", "Я HIER"], ["the οδος is i̇stanbul , OK", "я hier"]
    mine, peer = {
        "bleu": (lambda lower: BLEU(lowercase=lower), lambda lower: peers.BLEU(lowercase=lower)),
        "chrf": (lambda lower: CHRF(lowercase=lower), lambda lower: peers.CHRF(lowercase=lower)),
    }[name]
    scores = {}
    for lower in (False, True):
        scores[lower] = float(mine(lower).score(mine(lower).statistics(hypotheses, references).sum(axis=0)))
        assert scores[lower] == pytest.approx(peer(lower).corpus_score(hypotheses, [references]).score, abs=1e-9)
    assert scores[True] > scores[False]
