"""TER with tercom's shifts, one thread, texts as Python strings: WMT22 de-en, Chinese characters, 100,000 lines.

sacreBLEU takes half a minute for the Chinese set and many minutes for the 100,000 lines. Without `--full` both sides
score the first 300 Chinese segments, and sacreBLEU's time for 100,000 lines is 50 times that of the first 2,000.
"""

from collections.abc import Iterator

import sacrebleu
import wmt22
from measure import Row, cpu, faster, forget_peers, times, within

import tertium

ASIAN = "ter:normalized=yes,asian_support=yes"
LINES = 100_000
BARE_MILLISECONDS = 29.6  # a bare C++ program with a scalar edit distance that reuses rows, on the machine of the bars


def rows(full: bool) -> Iterator[Row]:
    hypotheses, reference = wmt22.texts()
    row = faster(
        "TER, de-en",
        "sacrebleu",
        lambda: tertium.score("ter", hypotheses, reference, threads=1).score,
        lambda: sacrebleu.corpus_ter(hypotheses, [reference]),
        130,
    )
    yield row
    note = f"1.6 x the {BARE_MILLISECONDS} ms of bare C++"
    yield within("TER, de-en, itself", 1000 * row.ours, 1.6 * BARE_MILLISECONDS, "ms", note=note)

    chinese, chinese_reference = (texts[: None if full else 300] for texts in wmt22.texts("en-zh"))
    yield faster(
        f"TER asian normalized, {len(chinese)} of en-zh",
        "sacrebleu",
        lambda: tertium.score(ASIAN, chinese, chinese_reference, threads=1).score,
        lambda: sacrebleu.corpus_ter(chinese, [chinese_reference], normalized=True, asian_support=True),
        130,
        rounds=1,
    )

    many, many_references = wmt22.extended(LINES)
    lines = LINES if full else LINES // 50
    ours = cpu(lambda: tertium.score("ter", many, many_references, threads=1).score, repeat=2)
    forget_peers()
    theirs = cpu(lambda: sacrebleu.corpus_ter(many[:lines], [many_references[:lines]]), repeat=1) * (LINES / lines)
    note = "" if full else "sacreBLEU: 50 x its time for 2,000 lines"
    yield times("TER, 100k lines", "sacrebleu", ours, theirs, 150, note=note)
