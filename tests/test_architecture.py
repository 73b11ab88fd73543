"""The rules of the house that a machine can hold: one-way imports, names, docstrings, lengths.

They are read from the syntax trees; nothing is imported.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "tertium"
MODULES = sorted(PACKAGE.rglob("*.py"))
HEADERS = sorted((ROOT / "cpp").glob("*.hpp"))

# Each line may import from itself and from the lines above it.
LAYERS = (
    ("errors", "spelling", "registry", "native"),
    ("text", "data"),
    ("models",),
    ("metrics",),
    ("stats", "losses", "decoding", "pretraining"),
    ("training", "prompting"),
    ("human", "meta", "report", "scale", "compat"),
    ("cli",),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
# The package's own face gathers names from everywhere; a part may ask it for its version only.
FACE = {"__init__", "__main__"}

# Longer than the limit, each for a reason.
LONG_FILES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}


def parts_of(path: Path) -> str:
    """The part of the package a module belongs to: `metrics` for metrics/bleu.py, `errors` for errors.py."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports_at_run_time(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import statement but those that only a type checker sees."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        else:
            yield from imports_at_run_time(node)


def parts_imported(path: Path) -> Iterator[str]:
    """The parts of the package that a module imports."""
    for node in imports_at_run_time(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            assert node.level == 0, f"{path}:{node.lineno} has a relative import: write the whole name"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "tertium" and rest and rest != "__version__":
                yield rest.split(".")[0]


def test_every_part_has_a_layer() -> None:
    """A new folder of the package has its place in the order of imports."""
    unknown = {parts_of(path) for path in MODULES} - set(RANK) - FACE
    assert not unknown, f"give these a layer in LAYERS: {sorted(unknown)}"


def test_imports_go_one_way() -> None:
    """No part imports from a layer above its own."""
    wrong = [
        f"{path.relative_to(ROOT)} imports {part}"
        for path in MODULES
        if parts_of(path) not in FACE
        for part in parts_imported(path)
        if RANK.get(part, len(LAYERS)) > RANK[parts_of(path)]
    ]
    assert not wrong


def test_parts_do_not_import_each_other_in_circles() -> None:
    """Within a layer too, imports between parts have no cycle."""
    edges: dict[str, set[str]] = {name: set() for name in RANK}
    for path in MODULES:
        if (part := parts_of(path)) not in FACE:
            edges[part] |= {other for other in parts_imported(path) if other != part}
    while leaves := [part for part, others in edges.items() if not others & set(edges)]:
        for part in leaves:
            del edges[part]
    assert not edges, f"circle among {sorted(edges)}"


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks", "docs"])
def test_every_module_says_what_it_is(folder: str) -> None:
    """Every Python file starts with a docstring, and none has a name that explains nothing."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), f"{path} has no docstring"
        if "compat" not in path.parts:  # whose modules have the names of the library they stand for
            assert path.stem not in {"utils", "helpers", "common", "misc", "util", "tools"}, path


@pytest.mark.parametrize("path", HEADERS, ids=lambda path: path.name)
def test_headers_explain_themselves_and_know_no_python(path: Path) -> None:
    """A header of the core is pure C++ and starts with a comment on what it does and how."""
    text = path.read_text(encoding="utf-8")
    assert text.startswith(("//", "/*")), f"{path.name} does not start with a comment"
    assert not re.search(r"#include\s*[<\"](Python\.h|nanobind|pybind)", text), f"{path.name} includes Python"


def test_files_and_functions_have_a_readable_length() -> None:
    """Files tend to 300 lines and functions to 40; beyond 400 and 80 they need a reason, given in this file."""
    long = []
    for path in MODULES:
        name = str(path.relative_to(PACKAGE))
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > 400 and name not in LONG_FILES:
            long.append(f"{name}: {text.count(chr(10))} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or 0) - node.lineno + 1
                if size > 80 and f"{name}:{node.name}" not in LONG_FUNCTIONS:
                    long.append(f"{name}:{node.lineno} {node.name}: {size} lines")
    assert not long


def test_nothing_is_left_undone() -> None:
    """No file of the package or the core has a note to finish it later."""
    marks = re.compile(r"\b(TO" + "DO|FIX" + "ME|XX" + r"X|NotImplementedError)\b")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in [*MODULES, *(ROOT / "cpp").rglob("*.[ch]pp")]
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if marks.search(line)
    ]
    assert not found
