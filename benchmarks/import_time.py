"""Start-up: what `import tertium` costs beyond `import numpy`."""

import subprocess
import sys
from collections.abc import Iterator

import measure

RUNS = 15


def rows(full: bool) -> Iterator[measure.Row]:
    """CPU time, the best of several fresh interpreters; the two imports take turns."""
    best = {"import numpy": float("inf"), "import numpy, tertium": float("inf")}
    subprocess.run([sys.executable, "-c", "import numpy, tertium"], check=True)  # byte code is there, files are cached
    for _ in range(RUNS):
        for statement in best:
            best[statement] = min(best[statement], measure.cpu_of_process([sys.executable, "-c", statement], repeat=1))
    over = 1000 * (best["import numpy, tertium"] - best["import numpy"])
    yield measure.within("import tertium, over import numpy", over, 60, "ms")
