"""Names and spellings: what they stand for, and what is refused with the reason."""

import sys

import pytest

import tertium
from tertium import registry
from tertium.errors import OptionError, TertiumError, UnknownName
from tertium.metrics.bleu import BLEU
from tertium.metrics.catalogue import catalogue
from tertium.registry import metric


@pytest.mark.parametrize("wrong", [BLEU, None, 5, ["bleu"], str], ids=repr)
def test_what_is_no_metric_is_refused(wrong):
    """A class instead of an instance is the usual mistake; the message shows both ways to name a metric."""
    with pytest.raises(OptionError, match=r"is no metric: pass a spelling such as 'bleu:order=2', or an instance"):
        metric(wrong)


@pytest.mark.parametrize(
    ("spelling", "error", "message"),
    [
        ("bleu:order=2,order=3", OptionError, "'order' of bleu is given twice"),
        ("bleu:order", OptionError, "write order=VALUE"),
        ("bleu:weights=a", OptionError, r"takes numbers joined by \+ or none"),
        ("bleu:lowercase=maybe", OptionError, "takes yes or no"),
        ("bleu:=3", UnknownName, "unknown option of bleu ''"),
        (":", UnknownName, "unknown metric ''"),
        ("chrf++", UnknownName, "did you mean chrf"),
        ("BLEU", UnknownName, r"unknown metric 'BLEU'; did you mean bleu\?"),
        ("chrF:words=2", UnknownName, r"did you mean chrf\?"),
        ("BLUE", UnknownName, "did you mean bleu or"),
    ],
)
def test_odd_spellings_are_refused(spelling, error, message):
    """Each with what is wrong with it."""
    with pytest.raises(error, match=message):
        metric(spelling)


def test_an_instance_stays_itself():
    """A metric may be passed ready made."""
    bleu = BLEU(order=2)
    assert metric(bleu) is bleu


PLUGIN = """
from dataclasses import dataclass
from typing import ClassVar, Optional
import numpy as np
from tertium.data.segments import pair_systems

@dataclass(frozen=True)
class Length:
    "Characters of a text: a row (score, 1) a segment, as a learned metric has."
    scale: float = 1.0
    most: Optional[int] = None
    name: ClassVar[str] = "length"
    bounds: ClassVar[tuple] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = True
    columns: ClassVar[tuple] = ("score", "segments")

    def statistics(self, hypotheses, references, *, threads=0):
        return self.statistics_of_systems([hypotheses], references)[0]

    def statistics_of_systems(self, systems, references, *, threads=0):
        texts, _ = pair_systems(systems, references)
        most = self.most or 1000
        return np.array([[[self.scale * min(most, len(t[i])), 1.0] for i in range(len(t))] for t in texts])

    def score(self, total):
        return total[..., 0] / total[..., 1]

    def details(self, total):
        return {}

class NoDataclass:
    pass
"""
ENTRY_POINTS = """[tertium.metric]
length = length_metric:Length
nothing = length_metric:Nothing
nowhere = no_such_module:Nothing
plain = length_metric:NoDataclass
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """An installed package with one good metric and three broken ones."""
    (tmp_path / "length_metric.py").write_text(PLUGIN)
    facts = tmp_path / "length_metric-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: length-metric\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("length_metric", None)


def test_a_metric_of_another_package(plugin):
    """Found by its entry point, spelled with options, scored, resampled: (2 + 4) / 2 = 3 characters against 1."""
    assert tertium.score("length:scale=0.5,most=3", ["ab", "abcd"], ["a", "a"]).segments.tolist() == [1.0, 1.5]
    compared = tertium.compare({"one": ["a", "a"], "two": ["ab", "abcd"]}, ["a", "a"], "length", test="permutation")
    assert compared["length"].scores.tolist() == [1.0, 3.0]
    assert compared["length"].p_values[1] == 0.5  # exchanging both segments is as extreme, one is not: 2 of 4


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "metric nothing of length-metric cannot be loaded from length_metric:Nothing"),
        ("nowhere", "cannot be loaded from no_such_module:Nothing: No module named"),
        ("plain", "no dataclass"),
    ],
)
def test_a_broken_metric_of_another_package(plugin, name, message):
    """One clear error that names the package; no traceback on the command line, which prints a TertiumError."""
    with pytest.raises(TertiumError, match=message):
        registry.metric(name)


def test_broken_plugins_do_not_hide_the_catalogue(plugin):
    """The others are listed, with a warning for each that cannot be."""
    with pytest.warns(UserWarning, match="metric") as caught:
        names = [entry.name for entry in catalogue()]
    messages = " ".join(str(warning.message) for warning in caught)
    assert "cannot be loaded" in messages
    assert "NoDataclass, which is no dataclass" in messages
    assert {"bleu", "length", "ter"} <= set(names)
    assert "nowhere" not in names
