"""Whatever it is given and however little the system grants: the core answers or raises, and never ends the process."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tertium import native
from tertium.errors import OptionError

KERNELS = {
    "bleu": native.bleu_statistics,
    "chrf": native.chrf_statistics,
    "nist": lambda *corpora, **options: native.nist_statistics(*corpora, tokenizer="13a", **options),
    "overlap": lambda *corpora, **options: native.overlap_statistics(*corpora, tokenizer="13a", **options),
    "ter": native.ter_statistics,
    "wer": native.wer_statistics,
    "cer": native.cer_statistics,
}
LITTLE_MEMORY = """
import resource, tertium
texts = [f"the cat {i} sat" for i in range(40_000)]
expected = tertium.score("bleu", texts, texts[::-1], threads=1).total.tolist()
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + 60 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
assert tertium.score("bleu", texts, texts[::-1], threads=64).total.tolist() == expected
"""


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes the address space")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and a limit of the address space")
def test_fewer_threads_than_asked_for():
    """Where the system refuses most of 64 threads (60 MB hold no more than seven stacks), the others do the work."""
    done = subprocess.run([sys.executable, "-c", LITTLE_MEMORY], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("kernel", KERNELS)
def test_corpora_of_different_length_are_refused(kernel):
    """A kernel called past the metrics' checks raises instead of reading beyond the shorter corpus."""
    long, short = native.corpus(["a b c"] * 1000), native.corpus(["a b"])
    for systems, references in (([long], [short]), ([long, short], [long]), ([short], [long])):
        with pytest.raises(ValueError, match="different numbers of segments"):
            KERNELS[kernel](systems, references)


@pytest.mark.parametrize("kernel", KERNELS)
def test_any_number_of_threads(kernel):
    """1 to 10**12 threads give equal rows; what is no number of threads is refused with the reason."""
    texts = native.corpus([f"the cat {i} sat on the mat" for i in range(1000)])
    expected = KERNELS[kernel]([texts], [texts], threads=1)
    for threads in (2, 3, 64, 2**32, 10**12):
        np.testing.assert_array_equal(KERNELS[kernel]([texts], [texts], threads=threads), expected)
    for threads in (-1, -(2**40), 1.5, "2", None):
        with pytest.raises(OptionError, match="threads is"):
            KERNELS[kernel]([texts], [texts], threads=threads)
