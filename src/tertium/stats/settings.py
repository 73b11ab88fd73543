"""How systems are compared: the test, its trials, the intervals.

The default test is the permutation test. It holds its level for any number of segments, and is exact where few differ;
a bootstrap's p-values are too small for few segments (`tertium.stats.bootstrap`).

The smallest p-value that t trials can show is 1 / (t + 1), and Holm's correction multiplies it by the number of pairs
of systems. So the number of trials grows with the number of systems where it is not given.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tertium.errors import UnknownName
from tertium.native.resample import checked_seed
from tertium.stats import CONFIDENCE, SEED, Floats
from tertium.stats.bootstrap import check_confidence, check_samples, folded_p_values, shifted_p_values
from tertium.stats.randomisation import permutation_p_values, randomisation_p_values

BOOTSTRAP_TESTS: dict[str, Callable[..., Floats]] = {
    "bootstrap": shifted_p_values,
    "bootstrap-folded": folded_p_values,
}
EXCHANGE_TESTS: dict[str, Callable[..., Floats]] = {
    "permutation": permutation_p_values,
    "randomisation": randomisation_p_values,
}
DEFAULT_TEST = "permutation"
DEFAULT_SAMPLES = {**dict.fromkeys(BOOTSTRAP_TESTS, 1000), **dict.fromkeys(EXCHANGE_TESTS, 10_000)}
DEFAULT_DRAWS = 1000  # for intervals
INTERVALS = ("percentile", "bca", "none")


@dataclass(frozen=True)
class Settings:
    """How systems are compared.

    `test` is permutation (all exchanges where few segments differ, else at random), randomisation (always at random),
    bootstrap (two-sided, Riezler & Maxwell's shift) or bootstrap-folded (sacreBLEU's p-value, for published numbers).
    `samples` are its trials or draws: 10,000, or 1,000 for a bootstrap, and more for many systems. The intervals take
    `interval_samples` bootstrap draws: 1,000, or those of a bootstrap test.
    """

    test: str = DEFAULT_TEST
    samples: int | None = None
    seed: int = SEED
    confidence: float = CONFIDENCE
    interval: str = "percentile"
    interval_samples: int | None = None
    threads: int = 0

    def __post_init__(self) -> None:
        if self.test not in DEFAULT_SAMPLES:
            raise UnknownName("test", self.test, DEFAULT_SAMPLES)
        if self.interval not in INTERVALS:
            raise UnknownName("interval", self.interval, INTERVALS)
        for name, value in (("samples", self.samples), ("interval_samples", self.interval_samples)):
            if value is not None:
                check_samples(value, name)
        check_confidence(self.confidence)
        checked_seed(self.seed)

    @property
    def level(self) -> float:
        """The level of the tests, 1 - confidence without the error of that subtraction."""
        return round(1 - self.confidence, 12)

    def trials(self, systems: int) -> int:
        """The trials or draws of the test: enough that a corrected p-value can be half the level.

        >>> Settings("bootstrap").trials(3), Settings("bootstrap").trials(20)
        (1000, 7600)
        """
        if self.samples is not None:
            return self.samples
        pairs = systems * (systems - 1) // 2
        return max(DEFAULT_SAMPLES[self.test], math.ceil(2 * pairs / self.level))

    def draws(self, systems: int) -> int:
        """The bootstrap draws of the intervals, which a bootstrap test shares."""
        if self.interval_samples is not None:
            return self.interval_samples
        return self.trials(systems) if self.test in BOOTSTRAP_TESTS else DEFAULT_DRAWS

    def described(self, systems: int) -> str:
        """All of it as a signature has it.

        >>> Settings().described(3)
        'test=permutation|samples=10000|interval=percentile:1000|confidence=0.95|seed=12345'
        """
        intervals = "" if self.interval == "none" else f"|interval={self.interval}:{self.draws(systems)}"
        facts = f"|confidence={self.confidence!r}|seed={self.seed}"
        return f"test={self.test}|samples={self.trials(systems)}{intervals}{facts}"


DEFAULTS = Settings()
