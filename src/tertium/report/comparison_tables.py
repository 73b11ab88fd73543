"""Tables of a comparison: a row for each system, or for each pair of systems."""

from collections.abc import Sequence

from tertium.report.tables import Column, Table
from tertium.stats.compare import Comparison
from tertium.stats.comparison import COLUMNS, PAIR_COLUMNS, Record

P_VALUES = ("p", "p_holm")
DRAWN_COLUMNS = ("metric", "system", "score", "low", "high", "difference", "p", "p_holm", "cluster")


def table_of_comparison(comparison: Comparison, names: Sequence[str], *, drawn: bool) -> Table:
    """A row for each metric and system, best first; drawn tables leave out what is rarely looked at."""
    columns = DRAWN_COLUMNS if drawn else COLUMNS
    records = []
    for name, each in zip(names, comparison.metrics, strict=True):
        sign = -1 if each.metric.higher_is_better else 1
        ranked = sorted(zip(each.scores.tolist(), each.records(columns), strict=True), key=lambda pair: sign * pair[0])
        records += [{**record, "metric": name} for _, record in ranked]
    systems = len(comparison.systems)
    note = (
        f"low and high bound the {_per_cent(comparison)} interval of the score; difference and p are against "
        f"{comparison.baseline}; p_holm is corrected for {_number(systems - 1, 'test')}. A cluster ends where every "
        f"system above differs from every one below, corrected for {_number(systems * (systems - 1) // 2, 'pair')}."
    )
    return _table(columns, records, note, comparison)


def table_of_pairs(comparison: Comparison, names: Sequence[str]) -> Table:
    """A row for each metric and pair of systems."""
    records = [
        {**record, "metric": name}
        for name, each in zip(names, comparison.metrics, strict=True)
        for record in each.pair_records()
    ]
    note = (
        f"difference is system less other, with its {_per_cent(comparison)} interval; p_holm is corrected for "
        f"{_number(len(comparison.metrics[0].pairs), 'pair')}."
    )
    return _table(PAIR_COLUMNS, records, note, comparison)


def _table(columns: Sequence[str], records: list[Record], note: str, comparison: Comparison) -> Table:
    return Table(
        tuple(Column(name, decimals=4, never_zero=True) if name in P_VALUES else Column(name) for name in columns),
        [[record[name] for name in columns] for record in records],
        notes=(note, *comparison.cautions, *comparison.signatures),
        records=records,
    )


def _per_cent(comparison: Comparison) -> str:
    return f"{round(100 * comparison.settings.confidence, 10):g}%"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
