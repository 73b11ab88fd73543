"""What a run of the command line gave, for the tests of commands."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """What a command line said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[list[str]]:
        """The output read as TSV."""
        return [line.split("\t") for line in self.out.splitlines()]


Tertium = Callable[..., Run]
