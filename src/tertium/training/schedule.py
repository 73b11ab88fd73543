"""Learning rates, as factors of the highest one; all warm up linearly from 0.

    inverse-sqrt   falls with the square root of the steps: (warmup / step)^0.5      (Vaswani et al., 2017)
    cosine         falls to 0 on a cosine at the last step                          (Loshchilov and Hutter, 2017)
    linear         falls to 0 on a line
    constant       stays

The rate itself is an option of the training.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

from tertium.errors import OptionError, UnknownName
from tertium.spelling import spelled

SHAPES = ("inverse-sqrt", "cosine", "linear", "constant")


@spelled
@dataclass(frozen=True, repr=False)
class Schedule:
    """The factor at each step.

    >>> schedule = Schedule(shape="inverse-sqrt", warmup=100)
    >>> [round(schedule.factor(step, 1000), 2) for step in (0, 50, 100, 400)]
    [0.01, 0.51, 1.0, 0.5]
    """

    shape: str = "inverse-sqrt"
    warmup: int = 1000

    name: ClassVar[str] = "schedule"

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise UnknownName("schedule", self.shape, SHAPES)
        if self.warmup < 1:
            raise OptionError(f"schedule: warmup is {self.warmup}; it must be 1 or more")

    def factor(self, step: int, steps: int) -> float:
        """The factor at a step, counted from 0, of so many."""
        number = step + 1
        if number <= self.warmup:
            return number / self.warmup
        if self.shape == "constant":
            return 1.0
        if self.shape == "inverse-sqrt":
            return math.sqrt(self.warmup / number)
        left = max(0.0, (steps - number) / max(1, steps - self.warmup))
        return left if self.shape == "linear" else (1 - math.cos(math.pi * left)) / 2
