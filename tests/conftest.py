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
    slow_wanted = "slow" in (config.option.markexpr or "")
    for item in items:
        if "slow" in item.keywords and not slow_wanted:
            item.add_marker(pytest.mark.skip(reason="slow: run with -m slow"))
        if "data" in item.keywords and not realdata.FOLDER.is_dir():
            item.add_marker(
                pytest.mark.skip(reason=f"the real data set is not at {realdata.FOLDER} (see TERTIUM_DATA)")
            )
