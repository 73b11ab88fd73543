"""`tertium metrics`: the catalogue says what can be asked for."""

import json

import pytest

from commandline import Tertium
from tertium import metric, registry
from tertium.metrics.catalogue import catalogue


def test_every_metric_is_listed(tertium: Tertium) -> None:
    """One line each, with what it is and which way is better."""
    run = tertium("metrics")
    assert [row[0] for row in run.rows[1:]] == registry.names("metric")
    better = {row[0]: row[1] for row in run.rows[1:]}
    assert (better["bleu"], better["ter"]) == ("higher", "lower")
    assert all(row[2] for row in run.rows[1:])


def test_the_spelling_of_an_entry_is_the_default_metric() -> None:
    """What the catalogue prints can be typed back and means the metric without options."""
    for entry in catalogue():
        assert metric(entry.spelling) == metric(entry.name)


def test_one_metric_lists_its_options(tertium: Tertium) -> None:
    """Name, default and what it takes; as JSON with bounds."""
    rows = tertium("metrics", "bleu").rows
    assert rows[0] == ["option", "default", "takes"]
    assert ["order", "4", "a whole number"] in rows
    assert ["lowercase", "no", "yes or no"] in rows
    record = json.loads(tertium("metrics", "bleu", "-f", "json").out)
    assert record["bounds"] == [0.0, 100.0]


@pytest.mark.parametrize("name", ["blue", "bleu:order=2"])
def test_an_unknown_metric_is_refused(tertium: Tertium, name: str) -> None:
    """With its neighbours."""
    run = tertium("metrics", name)
    assert (run.code, run.out) == (2, "")
    assert "did you mean bleu" in run.err
