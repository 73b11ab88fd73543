"""Start-up: what `import tertium` costs beyond `import numpy`."""

import subprocess
import sys
from collections.abc import Iterator

import measure

RUNS = 15
# Names of the package are imported when they are first used; what scores and compares is used here.
LOADED = "import numpy, tertium; tertium.score, tertium.compare, tertium.metric('bleu')"


def rows(full: bool) -> Iterator[measure.Row]:
    """CPU time, the best of several fresh interpreters; the two imports take turns."""
    best = {"import numpy": float("inf"), LOADED: float("inf")}
    subprocess.run([sys.executable, "-c", LOADED], check=True)  # byte code is there, files are cached
    for _ in range(RUNS):
        for statement in best:
            best[statement] = min(best[statement], measure.cpu_of_process([sys.executable, "-c", statement], repeat=1))
    over = 1000 * (best[LOADED] - best["import numpy"])
    yield measure.within("import tertium and what it scores with, over numpy", over, 60, "ms")
