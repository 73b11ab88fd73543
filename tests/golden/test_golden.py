"""Every metric gives the numbers of its golden file: `NAME.toml` beside this file.

A file has named texts and cases over them. A case says where its numbers come from: `hand`, with the derivation, or a
peer and its version. Such a file is written once and changed only when a score is meant to change.
"""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from tertium import registry
from tertium.metrics.scoring import score

FOLDER = Path(__file__).parent
NAMES = list(registry.TABLES["metric"])
CLOSE = {"rel": 1e-9, "abs": 1e-9}


def cases():
    """Every case of every file, with its texts."""
    for path in (FOLDER / f"{name}.toml" for name in NAMES):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        for number, case in enumerate(content["case"], 1):
            yield pytest.param(case, content["texts"][case["texts"]], id=f"{path.stem}-{number}")


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_has_a_file(name):
    """A metric of the registry has a golden file with a case by hand, and all cases name it and their source."""
    path = FOLDER / f"{name}.toml"
    assert path.exists(), f"{name} has no golden file: write tests/golden/{name}.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    assert {case["metric"].partition(":")[0] for case in found} == {name}
    by_hand = [case for case in found if case["source"] == "hand"]
    assert by_hand
    assert all(case["derivation"] for case in by_hand)
    assert any("details" in case for case in by_hand), "a case by hand says what the score is made of"
    peers = {case["source"] for case in found} - {"hand"}
    assert all(len(peer.split()) == 2 and peer.split()[1][0].isdigit() for peer in peers), "a peer has a version"


@pytest.mark.filterwarnings("ignore:.* segments with .* references each")
@pytest.mark.parametrize(("case", "texts"), list(cases()))
def test_numbers(case, texts):
    """Rows, corpus score, segment scores and details are the file's."""
    result = score(case["metric"], texts["hypotheses"], texts["references"])
    if "rows" in case:
        assert result.rows == pytest.approx(np.array(case["rows"]), **CLOSE)
    if "segments" in case:
        assert result.segments == pytest.approx(np.array(case["segments"]), **CLOSE)
    assert result.score == pytest.approx(case["score"], **CLOSE)
    for name, value in case.get("details", {}).items():
        assert result.details[name] == pytest.approx(value, **CLOSE), name
