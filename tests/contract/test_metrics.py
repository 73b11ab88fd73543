"""Every metric of the registry keeps every promise of `checks.py`, and counts what its readable twin counts."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from strategies import corpora, texts
from tertium import registry
from tertium.metrics.bleu import BLEU
from tertium.spelling import spelled

sys.path.insert(0, str(Path(__file__).parent))

from checks import CHECKS
from twins import TWINS

pytestmark = pytest.mark.filterwarnings("ignore:.* segments with .* references each")  # as many of each by chance
NAMES = list(registry.TABLES["metric"])
VARIANTS = [  # options that change what is counted, or how
    "bleu:order=2,weights=0.7+0.3,length=shortest,lowercase=yes",
    "bleu:effective_order=yes,smoothing=floor,length=average",
    "bleu:smoothing=add-k",
    "bleu:smoothing=nltk1,tokenize=intl",
    "bleu:smoothing=nltk4",
    "bleu:smoothing=nltk5",
    "bleu:smoothing=nltk6",
    "cer:whitespace=no,lowercase=yes",
    "chrf:words=2,beta=3",
    "chrf:eps_smoothing=yes,whitespace=yes",
    "f1:clipped=yes",
    "gleu:min_len=2,max_len=3,tokenize=char",
    "nist:order=2,lowercase=yes",
    "precision:clipped=yes,tokenize=none",
    "recall:clipped=yes,tokenize=zh",
    "rouge:variant=1,part=recall",
    "rouge:variant=2,tokenize=13a",
    "ter:normalized=yes,asian_support=yes,no_punct=yes",
    "wer:tokenize=13a,lowercase=yes",
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("spelling", NAMES + VARIANTS)
def test_keeps_its_promises(spelling, check):
    """The metric keeps the promise that the check's docstring makes."""
    check(registry.metric(spelling))


@pytest.mark.parametrize("name", NAMES)
def test_native_equals_twin(name):
    """The kernel's rows are the readable twin's, on arbitrary Unicode; a metric without a twin fails."""
    assert name in TWINS, f"{name} has no readable twin: write one in tertium.native.reference and name it in twins.py"
    spelling, twin = TWINS[name]
    metric = registry.metric(spelling)

    @settings(max_examples=60)
    @given(corpora(texts))
    def rows_are_equal(corpus):
        hypotheses, references = corpus
        rows = metric.statistics(hypotheses, references)
        assert np.allclose(rows, twin(hypotheses, references), rtol=1e-15, atol=0)

    rows_are_equal()


def test_registry_and_class_agree_on_the_name():
    """A metric is registered under the name it calls itself."""
    assert [registry.load("metric", name).name for name in NAMES] == NAMES


@dataclass(frozen=True)
class Bare:
    """A metric that computes and declares nothing."""

    def statistics(self, hypotheses, references, *, threads=0):
        return np.ones((len(hypotheses), 1))

    def score(self, total):
        return total[..., 0]


@spelled
@dataclass(frozen=True, repr=False)
class Broken(BLEU):
    """BLEU with a mistake.

    >>> Broken().kind
    ''
    """

    kind: str = ""

    def statistics(self, hypotheses, references, *, threads=0):
        rows = super().statistics(hypotheses, references, threads=threads)
        match self.kind:
            case "order":
                rows[0] += 1
            case "not a number":
                rows[rows[:, 0] == 0] = np.nan
            case "threads":
                rows += threads
        return rows

    def score(self, total):
        scores = super().score(total)
        match self.kind:
            case "scalar":
                return np.float64(np.mean(scores))
            case "too high":
                return 2 * scores
            case "direction":
                return 100 - scores
        return scores


class TestTheSuiteItself:
    """The suite finds what it is there to find."""

    def test_bare(self):
        """A metric that declares nothing fails."""
        failed = [check.__name__ for check in CHECKS if not passes(check, Bare())]
        assert {"declares_itself", "is_spelled", "explains_itself"} <= set(failed)

    @pytest.mark.parametrize(
        ("kind", "check"),
        [
            ("order", "order_does_not_matter"),
            ("order", "rows_concatenate"),
            ("not a number", "survives_emptiness"),
            ("threads", "threads_do_not_matter"),
            ("scalar", "score_vectorises"),
            ("too high", "stays_in_bounds"),
            ("direction", "identity_is_best"),
        ],
    )
    def test_broken(self, kind, check):
        """Each kind of mistake is caught by the check that is there for it, and BLEU itself passes that check."""
        (wanted,) = [each for each in CHECKS if each.__name__ == check]
        assert not passes(wanted, Broken(kind=kind))
        assert passes(wanted, replace(Broken(kind=kind), kind=""))


def passes(check, metric):
    try:
        check(metric)
    except (AssertionError, AttributeError, TypeError, LookupError):
        return False
    return True
