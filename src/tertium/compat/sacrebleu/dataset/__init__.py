"""The built-in test sets of sacreBLEU, which Tertium does not have: the names resolve, asking for a set is an error."""

from tertium.compat.sacrebleu.utils import DATASETS

SUBSETS: dict[str, dict[str, str]] = {}
COUNTRIES: list[str] = []
DOMAINS: list[str] = []

__all__ = ["COUNTRIES", "DATASETS", "DOMAINS", "SUBSETS"]
