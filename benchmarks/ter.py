"""TER, WER and CER, one thread, texts as Python strings; TER's distance from bare C++ (`floor/ter.cpp`).

sacreBLEU takes minutes for 100,000 lines; without `--full` its time is fifty times that of every fiftieth of them.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jiwer
import sacrebleu
import wmt22
from cpp_floor import compiled, scored
from measure import Row, cpu, faster, forget_peers, share, times

import tertium

LINES = 100_000
STEP = 50


def rows(full: bool) -> Iterator[Row]:
    hypotheses, reference = wmt22.texts()
    yield faster(
        "TER de-en",
        "sacrebleu",
        lambda: tertium.score("ter", hypotheses, reference, threads=1).score,
        lambda: sacrebleu.corpus_ter(hypotheses, [reference]),
        130,
    )
    chinese, chinese_reference = wmt22.texts("en-zh")
    yield faster(
        "TER en-zh, normalized, asian",
        "sacrebleu",
        lambda: tertium.score("ter:normalized=yes,asian_support=yes", chinese, chinese_reference, threads=1).score,
        lambda: sacrebleu.corpus_ter(chinese, [chinese_reference], normalized=True, asian_support=True),
        130,
    )
    yield many_lines(full)
    yield faster(
        "WER de-en",
        "jiwer",
        lambda: tertium.score("wer", hypotheses, reference, threads=1).score,
        lambda: jiwer.process_words(reference, hypotheses),
        None,
    )
    yield faster(
        "CER de-en",
        "jiwer",
        lambda: tertium.score("cer", hypotheses, reference, threads=1).score,
        lambda: jiwer.process_characters(reference, hypotheses),
        None,
    )
    yield floor(hypotheses, reference)


def many_lines(full: bool) -> Row:
    """100,000 lines that are all different."""
    hypotheses, reference = wmt22.extended(LINES)
    ours = cpu(lambda: tertium.score("ter", hypotheses, reference, threads=1).score, repeat=3)
    step = 1 if full else STEP
    forget_peers()
    theirs = step * cpu(lambda: sacrebleu.corpus_ter(hypotheses[::step], [reference[::step]]), repeat=1)
    note = "" if full else f"sacrebleu's time from every {STEP}th line"
    return times("TER, 100k different lines", "sacrebleu", ours, theirs, 150, note=note)


def floor(hypotheses: list[str], reference: list[str]) -> Row:
    """From files to the score, against bare C++ on the same files, which must find the same edits."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / "hypotheses", folder / "reference"]
        for path, lines in zip(paths, (hypotheses, reference), strict=True):
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        output = subprocess.run([compiled("ter", folder), *paths, "10"], check=True, capture_output=True, text=True)
        seconds, edits, length = output.stdout.split()
        total = scored("ter", paths).total.tolist()
        if total != [float(edits), float(length)]:
            raise AssertionError(f"the floor finds {edits} edits over {length} words, Tertium {total}")
        ours = cpu(lambda: scored("ter", paths), repeat=20)
    return share("TER de-en, files to score", "bare C++", ours, float(seconds), 1.6)
