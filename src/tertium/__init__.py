"""Tertium: measure a translation, trust the measure, see why, find the cause, improve it.

>>> import tertium
>>> result = tertium.score("bleu", ["the cat sat on the mat"], ["the cat is on the mat"])
>>> print(result)
bleu 38.0
"""

from tertium.data.segments import References
from tertium.metrics.scoring import Result, score, score_systems
from tertium.registry import metric

__version__ = "0.1.0"

__all__ = ["References", "Result", "__version__", "metric", "score", "score_systems"]
