"""A million different lines from files: peak memory over the interpreter's, and time against sacreBLEU.

sacreBLEU takes minutes and 9 GB for the million; without `--full` its time is ten times that of 100,000 lines.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import sacrebleu
import wmt22
from measure import Row, cpu, forget_peers, peak_over_base, times, within

LINES = 1_000_000
SETUP = "import tertium; from tertium.native import corpus_of_file; tertium.score({name!r}, ['a b'], ['a b'])"
WORK = (
    "references = tertium.References.from_streams([corpus_of_file({references!r})])\n"
    "assert tertium.score({name!r}, corpus_of_file({hypotheses!r}), references, threads=1).score > 0"
)


def rows(full: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        hypotheses, references = map(str, wmt22.written(LINES, Path(folder)))
        measured = {}
        for name, bar in (("bleu", 250), ("chrf", 300)):
            work = WORK.format(name=name, hypotheses=hypotheses, references=references)
            megabytes, seconds = peak_over_base(SETUP.format(name=name), work)
            measured[name] = seconds
            yield within(f"1M lines {name} from files, memory", megabytes, bar, "MB", note=f"{seconds:.2f} s of CPU")
    lines = LINES if full else LINES // 10
    stream, reference = wmt22.extended(lines)
    forget_peers()
    theirs = cpu(lambda: sacrebleu.corpus_bleu(stream, [reference]), repeat=1) * (LINES / lines)
    note = "" if full else "sacreBLEU: 10 x its time for 100k lines"
    yield times("1M lines bleu from files, time", "sacrebleu", measured["bleu"], theirs, 60, note=note)
