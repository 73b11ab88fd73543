"""A test set with the groups of segments that `--by` names."""

from collections.abc import Sequence

from tertium.data.testset import TestSet, read_test_set


def read_groups(references: Sequence[str], systems: Sequence[str], by: str | None, format: str | None) -> TestSet:
    """The test set with the labels of the groups asked for."""
    groups = {"domains": by} if by == "domain" else {"documents": by}
    return read_test_set(references, systems, format=format, **groups)
