"""Settings of the whole suite: hypothesis profiles, and the real data set."""

import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

import realdata

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile("long", deadline=None, max_examples=3000)
settings.load_profile("default")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "slow" not in (config.option.markexpr or ""):  # they are asked for by `-m slow`
        slow = [item for item in items if "slow" in item.keywords]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if "slow" not in item.keywords]
    absent = pytest.mark.skip(reason=f"the real data set is not at {realdata.FOLDER} (see TERTIUM_DATA)")
    for item in items:
        if "data" in item.keywords and not realdata.FOLDER.is_dir():
            item.add_marker(absent)
