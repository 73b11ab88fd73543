"""Tertium: measure a translation, trust the measure, see why, find the cause, improve it.

>>> import tertium
>>> result = tertium.score("bleu", ["the cat sat on the mat"], ["the cat is on the mat"])
>>> print(result)
bleu 38.0

The names below are imported when they are first used, so that a program which needs few of them (`tertium --version`)
does not wait for numpy, nor scoring for the statistics.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.data.segments import References
    from tertium.metrics.explain import Explanation, explain
    from tertium.metrics.scoring import Result, score, score_systems
    from tertium.registry import metric
    from tertium.stats.compare import Comparison, compare

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Explanation",
    "References",
    "Result",
    "__version__",
    "compare",
    "explain",
    "metric",
    "score",
    "score_systems",
]

WHEN_ASKED_FOR = {
    "Comparison": "tertium.stats.compare",
    "Explanation": "tertium.metrics.explain",
    "References": "tertium.data.segments",
    "Result": "tertium.metrics.scoring",
    "compare": "tertium.stats.compare",
    "explain": "tertium.metrics.explain",
    "metric": "tertium.registry",
    "score": "tertium.metrics.scoring",
    "score_systems": "tertium.metrics.scoring",
}


def __getattr__(name: str) -> Any:
    """What is imported only when it is asked for."""
    if name not in WHEN_ASKED_FOR:
        raise AttributeError(f"module 'tertium' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(WHEN_ASKED_FOR[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *WHEN_ASKED_FOR})
