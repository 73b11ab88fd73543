"""The beam sweep: each width is the beam search of that width, with the metrics' own scores."""

import pytest

from decoding.test_audit import LIMITS, REFERENCES, SOURCES
from decoding.toy import Toy
from tertium.decoding.beam import Beam
from tertium.decoding.search import search
from tertium.decoding.sweep import sweep
from tertium.errors import OptionError
from tertium.metrics.scoring import score


def test_each_width_is_a_beam_search():
    """Narrowest first, each once, the other options kept; the metrics of the same texts."""
    toy = Toy(kind="flat")
    base = Beam(width=3, count=2, alpha=1.0, stop="first-finished")
    found = sweep(toy, SOURCES, REFERENCES, base, [4, 1, 4], ["chrf", "bleu:order=1"], limits=LIMITS)
    assert [each.width for each in found] == [1, 4]
    for each in found:
        options = Beam(width=each.width, alpha=1.0, stop="first-finished")
        expected = [best for (best,) in search(toy, [toy.source_tokens(s) for s in SOURCES], options, limits=LIMITS)]
        assert list(each.found) == expected
        assert list(each.outputs) == [toy.text(best.tokens) for best in expected]
        assert list(each.metrics) == ["chrf", "bleu:order=1"]
        assert each.metrics["chrf"] == score("chrf", list(each.outputs), REFERENCES).score
        assert each.score == pytest.approx(sum(best.score for best in expected) / 5)
        assert each.tokens == sum(len(best.tokens) for best in expected) / 5
        assert each.seconds > 0


def test_a_width_of_nothing_is_refused():
    """And no widths give no sweep."""
    with pytest.raises(OptionError, match=r"\[4, 0\]"):
        sweep(Toy(), SOURCES, REFERENCES, Beam(), [4, 0])
    assert sweep(Toy(), SOURCES, REFERENCES, Beam(), []) == ()
