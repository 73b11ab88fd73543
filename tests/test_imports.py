"""What `import tertium` may cost: no optional package, nothing slow; measured in a fresh interpreter."""

import subprocess
import sys

import pytest

HEAVY = (
    "MeCab",
    "accelerate",
    "aiohttp",
    "ctranslate2",
    "datasets",
    "evaluate",
    "fastapi",
    "hypothesis",
    "importlib.metadata",
    "lightning",
    "lxml",
    "matplotlib",
    "nltk",
    "pandas",
    "pyarrow",
    "regex",
    "rich",
    "sacrebleu",
    "safetensors",
    "scipy",
    "sentencepiece",
    "sqlite3",
    "tokenizers",
    "torch",
    "torchmetrics",
    "transformers",
    "typer",
    "zstandard",
)


def loaded_after(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_import_loads_no_optional_package() -> None:
    """`import tertium` loads none of the packages that only some users need, and none of its own big parts."""
    loaded = loaded_after("import tertium")
    without = loaded_after("import numpy")
    assert "tertium" in loaded
    assert not (loaded - without) & set(HEAVY)
    assert not any(name.startswith(("tertium.cli", "tertium.compat")) for name in loaded)


@pytest.mark.parametrize("spelling", ["bleu", "chrf"])
def test_scoring_loads_no_optional_package(spelling: str) -> None:
    """Scoring with a counted metric loads none of them either."""
    loaded = loaded_after(f"import tertium; tertium.score({spelling!r}, ['a b'], ['a b'])")
    without = loaded_after("import numpy")
    assert not (loaded - without) & set(HEAVY)


def test_import_prints_nothing_and_warns_of_nothing() -> None:
    """Importing is silent, even where every warning is an error."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import tertium"], capture_output=True, text=True, check=True
    )
    assert run.stdout == run.stderr == ""
