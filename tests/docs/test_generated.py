"""The generated pages are what the code says now."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def generated() -> dict[str, str]:
    """What docs/generate.py would write."""
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pages: dict[str, str] = module.pages()
    return pages


def test_generated_pages_are_current() -> None:
    """docs/metrics and docs/commands hold just the pages that registry and commands give: run `make docs`."""
    wanted = generated()
    there = {
        str(path.relative_to(DOCS)): path.read_text(encoding="utf-8")
        for folder in ("metrics", "commands")
        for path in (DOCS / folder).glob("*.md")
    }
    assert sorted(there) == sorted(wanted)
    stale = [path for path, text in wanted.items() if there[path] != text]
    assert not stale, f"stale pages, run `make docs`: {stale}"
