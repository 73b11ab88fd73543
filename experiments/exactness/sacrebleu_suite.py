"""sacreBLEU's own test suite, run on `tertium.compat.sacrebleu`.

    .venv/bin/python experiments/exactness/sacrebleu_suite.py

fetches the source distribution of sacreBLEU 2.6.0 with pip, puts Tertium's modules in the places of sacreBLEU's (every
`tertium.compat.sacrebleu.x` as `sacrebleu.x`) and runs the distribution's tests unchanged. Further words go to pytest.
The tests that want sacreBLEU's built-in data sets, their texts or their names, fail, as Tertium has none; they are
listed by name, and any other failure makes the exit code 1.
"""

import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "2.6.0"
DATA_SETS = re.compile(
    r"test_api\.py::test_api_get_(source|reference|available_testsets|available_testsets_for_langpair)\b"
    r"|test_dataset\.py::test_(maybe_download|process_to_text|wmt22_references)\b"
)
ALIASES = '''
"""Puts Tertium's modules in the places of sacreBLEU's."""
import importlib, pkgutil, sys
import tertium.compat.sacrebleu as ours

for module in pkgutil.walk_packages(ours.__path__, ours.__name__ + "."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
for name in list(sys.modules):
    if name == ours.__name__ or name.startswith(ours.__name__ + "."):
        sys.modules["sacrebleu" + name.removeprefix(ours.__name__)] = sys.modules[name]
'''


def unpacked(folder: Path) -> Path:
    """The source distribution, fetched and unpacked."""
    wanted = ["--no-deps", "--no-binary", ":all:", "--dest", str(folder), f"sacrebleu=={VERSION}"]
    subprocess.run([sys.executable, "-m", "pip", "-q", "download", *wanted], check=True)
    with tarfile.open(folder / f"sacrebleu-{VERSION}.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return folder / f"sacrebleu-{VERSION}"


def main() -> int:
    """Run the suite; say what failed and whether it may."""
    with tempfile.TemporaryDirectory() as folder:
        place = unpacked(Path(folder))
        (place / "sacrebleu").rename(place / "original")  # it must not be imported by mistake
        (place / "test" / "conftest.py").write_text(ALIASES, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-rf", "--tb=no", "-o", "addopts=", *sys.argv[1:], "test"]
        run = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    print(run.stdout)
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.MULTILINE)
    unexpected = [name for name in failed if not DATA_SETS.search(name)]
    print(f"{len(failed) - len(unexpected)} failed for want of a data set, {len(unexpected)} for another reason")
    return 1 if unexpected or "passed" not in run.stdout else 0


if __name__ == "__main__":
    sys.exit(main())
