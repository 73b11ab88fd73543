"""Names and spellings: what they stand for, and what is refused with the reason."""

import pytest

from tertium.errors import OptionError, UnknownName
from tertium.metrics.bleu import BLEU
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
