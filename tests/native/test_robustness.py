"""Whatever it is given and however little the system grants: the core answers or raises, and never ends the process."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

import tertium
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


@pytest.mark.parametrize(
    ("kernel", "options"),
    [
        (native.nist_statistics, {"tokenizer": "13a", "order": 0}),
        (native.bleu_statistics, {"order": 0}),
        (native.bleu_statistics, {"length": "longest"}),
        (native.bleu_statistics, {"tokenizer": "13b"}),
        (native.chrf_statistics, {"characters": 0, "words": 0}),
        (native.overlap_statistics, {"tokenizer": "none", "shortest": 0, "longest": 3}),
        (native.overlap_statistics, {"tokenizer": "none", "shortest": 3, "longest": 2}),
        (native.overlap_statistics, {"tokenizer": "none", "rule": "words"}),
    ],
)
def test_options_that_the_metrics_would_refuse(kernel, options):
    """A kernel called past the metrics' checks with an impossible option raises."""
    texts = native.corpus(["a b c"])
    with pytest.raises(ValueError, match=r"orders must be|unknown"):
        kernel([texts], [texts], **options)
    with pytest.raises(ValueError, match="no systems"):
        native.ter_statistics([], [texts])


@pytest.mark.parametrize("text", ["<skipped>", "&amp;", "-\n", "\n-"])
@pytest.mark.parametrize("metric", ["bleu", "ter:normalized=yes"])
def test_decoding_takes_linear_time(metric, text):
    """Ten times the text takes less than fifty times the time; moving the rest at each place took a hundred."""

    def seconds(times: int) -> float:
        start = time.process_time()
        tertium.score(metric, [text * times], [""], threads=1)
        return time.process_time() - start

    short, long = (min(seconds(times) for _ in range(3)) for times in (20_000, 200_000))
    assert long < 50 * max(short, 0.002)


INTERRUPTED = """
import os, signal, threading, tertium
from tertium.native import corpus as corpus_of
texts = [f"the cat {i} sat on the mat {i % 17} times" for i in range(100_000)] * 10
corpus = corpus_of(texts)
stop = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
stop.start()
try:
    while True:
        tertium.score("chrf:words=2", corpus, {"same": corpus}, threads=1)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_kernel_hears_ctrl_c():
    """Counting stops at the signal: the exception comes out of the call, and later calls work."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120)
    assert (done.stdout.strip(), done.stderr) == ("interrupted", "")


LONG_LINE = """
import random, resource, tertium
line = "".join(random.Random(1).choices("abcdefgh ", k=3_000_000))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
tertium.score("bleu", [line], [line[1:]], threads=1)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def test_a_long_line_takes_memory_for_its_distinct_ngrams():
    """A line of 3 MB whose n-grams recur: below 400 MB, where room for all of them at once would be more."""
    done = subprocess.run([sys.executable, "-c", LONG_LINE], capture_output=True, text=True, timeout=120)
    assert float(done.stdout) < 400
