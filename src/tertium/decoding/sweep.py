"""The beam sweep: the same test set at several widths, and what wider costs and brings.

A wider beam finds better sequences as the model sees it, mostly; whether people would agree is another matter, and from
some width on quality falls where the model is at fault (Koehn & Knowles, 2017; Stahlberg & Byrne, 2019). So a width is
shown with both: the objective, and the score of metrics.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tertium.decoding.beam import Beam
from tertium.decoding.frontier import Hypothesis
from tertium.decoding.search import DEFAULT_LIMITS, Limits
from tertium.decoding.translate import translating
from tertium.errors import OptionError
from tertium.metrics.scoring import score
from tertium.models.next_token import TextModel


@dataclass(frozen=True)
class Width:
    """What a beam of one width gives."""

    width: int
    seconds: float  # of CPU, all sentences
    metrics: dict[str, float]
    outputs: tuple[str, ...]
    found: tuple[Hypothesis, ...]

    @property
    def score(self) -> float:
        """The mean of the objective."""
        return sum(each.score for each in self.found) / len(self.found)

    @property
    def log_prob(self) -> float:
        """The mean of log P."""
        return sum(each.log_prob for each in self.found) / len(self.found)

    @property
    def tokens(self) -> float:
        """The mean length, the end included."""
        return sum(len(each.tokens) for each in self.found) / len(self.found)


def sweep(
    model: TextModel,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    beam: Beam,
    widths: Sequence[int],
    metrics: Sequence[str] = ("bleu", "chrf"),
    *,
    limits: Limits = DEFAULT_LIMITS,
    watch: Callable[[], None] = lambda: None,
) -> tuple[Width, ...]:
    """The beam at each width, narrowest first; its other options as they are, one hypothesis, no groups."""
    if any(width < 1 for width in widths):
        raise OptionError(f"widths of a sweep are {list(widths)}; they must be 1 or more")
    found = []
    for width in sorted(set(widths)):
        options = replace(beam, width=width, count=1, groups=1)
        began = time.process_time()
        hypotheses: list[Hypothesis | None] = [None] * len(sources)
        for number, translations in translating(model, sources, options, limits=limits):
            (hypotheses[number],) = translations[0].hypotheses
            watch()
        seconds = time.process_time() - began
        whole = tuple(each for each in hypotheses if each is not None)
        outputs = tuple(model.text(each.tokens) for each in whole)
        scores = {name: score(name, outputs, [list(each) for each in references]).score for name in metrics}
        found.append(Width(width, seconds, scores, outputs, whole))
    return tuple(found)
