"""Paired tests of nine systems of WMT22 de-en from their texts, scoring included, one thread.

The peer is sacreBLEU's `PairedTest`. It gives bootstrap intervals with the bootstrap test and none with approximate
randomisation, so ours are asked for the same; the row "with intervals" has both.
"""

from collections.abc import Callable, Iterator

import sacrebleu
import wmt22
from measure import Row, faster
from sacrebleu.significance import PairedTest

import tertium

PEERS = {"bleu": sacrebleu.BLEU, "chrf": sacrebleu.CHRF}
NAMES = {"bleu": "BLEU", "chrf": "chrF"}


def rows(full: bool) -> Iterator[Row]:
    yield row("bootstrap", 1000, ["bleu"], 40)
    yield row("bootstrap", 1000, ["bleu", "chrf"], 40)
    yield row("randomisation", 10_000, ["bleu"], 100, interval="none")
    yield row("randomisation", 10_000, ["bleu"], None, note="with intervals")
    yield row("randomisation", 10_000, ["bleu"], None, interval="none", pairs=True, note="all 36 pairs; the peer 8")


def row(
    test: str,
    samples: int,
    metrics: list[str],
    bar: float | None,
    *,
    interval: str = "percentile",
    pairs: bool = False,
    note: str = "",
) -> Row:
    """One test by some metrics, ours and sacreBLEU's."""
    systems, references = wmt22.systems(), next(iter(wmt22.references().values()))
    first = next(iter(systems))

    def ours() -> None:
        result = tertium.compare(
            systems, references, metrics, baseline=first, test=test, samples=samples, interval=interval, threads=1
        )
        for each in result.metrics:
            assert each.corrected_p_values.size == len(systems)
            assert not pairs or each.clusters.size == len(systems)

    what = f"{'paired bootstrap' if test == 'bootstrap' else 'approximate randomisation'}, {len(systems)} systems, "
    what += f"{samples:,} {'draws' if test == 'bootstrap' else 'trials'}, {'+'.join(NAMES[name] for name in metrics)}"
    return faster(what, "sacrebleu", ours, peer(systems, references, metrics, test, samples), bar, rounds=2, note=note)


def peer(
    systems: dict[str, list[str]], references: list[str], metrics: list[str], test: str, samples: int
) -> Callable[[], object]:
    """The same test by sacreBLEU."""
    kind = "bs" if test == "bootstrap" else "ar"
    return lambda: PairedTest(
        list(systems.items()),
        {NAMES[name]: PEERS[name]() for name in metrics},
        [references],
        test_type=kind,
        n_samples=samples,
    )()
