"""The command line's module of sacreBLEU: there is none here, `tertium score` takes its place."""

import sys
from typing import NoReturn

from tertium.compat.sacrebleu.version import __version__ as VERSION

__all__ = ["VERSION", "main"]


def main() -> NoReturn:
    """Say which command to run and end with exit code 2."""
    sys.exit("use `tertium score REFERENCE ... -i HYPOTHESIS ... -m bleu chrf ter`: it takes -tok, -lc and -b as well")
