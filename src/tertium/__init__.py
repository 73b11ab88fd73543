"""Tertium: measure a translation, trust the measure, see why, find the cause, improve it.

>>> import tertium
>>> result = tertium.score("bleu", ["the cat sat on the mat"], ["the cat is on the mat"])
>>> print(result)
bleu 38.0
"""

from typing import TYPE_CHECKING, Any

from tertium.data.segments import References
from tertium.metrics.scoring import Result, score, score_systems
from tertium.registry import metric

if TYPE_CHECKING:
    from tertium.stats.compare import Comparison, compare

__version__ = "0.1.0"

__all__ = ["Comparison", "References", "Result", "__version__", "compare", "metric", "score", "score_systems"]


def __getattr__(name: str) -> Any:
    """The statistics are imported when they are asked for: scoring alone does not need them."""
    if name in ("Comparison", "compare"):
        from tertium.stats import compare

        return getattr(compare, name)
    raise AttributeError(f"module 'tertium' has no attribute {name!r}")
