"""Tables of scores: by system, segment or group, and with intervals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.errors import OptionError
from tertium.metrics.scoring import Result
from tertium.metrics.signature import sacrebleu_signature
from tertium.report.tables import Cell, Column, Table

if TYPE_CHECKING:
    from tertium.stats.compare import Comparison  # the statistics are loaded only where they are asked for

Results = Mapping[str, Sequence[Result]]


def table_of_systems(names: Sequence[str], results: Results) -> Table:
    """A row for each system, a column for each metric."""
    records = [
        {
            "system": system,
            "metric": name,
            "score": result.score,
            "signature": result.signature,
            "sacrebleu": signature_of_sacrebleu(result),
            "details": result.details,
        }
        for system, scored in results.items()
        for name, result in zip(names, scored, strict=True)
    ]
    return Table(
        (Column("system"), *map(Column, names)),
        [[system, *(result.score for result in scored)] for system, scored in results.items()],
        notes=signatures(results),
        records=records,
    )


def table_of_intervals(names: Sequence[str], comparison: "Comparison") -> Table:
    """A row for each system; beside each score the bounds of its interval."""
    columns = [Column(f"{name}{bound}") for name in names for bound in ("", " low", " high")]
    rows: list[list[Cell]] = [
        [
            system,
            *(
                float(value)
                for each in comparison.metrics
                for value in (each.scores[i], each.intervals[0][i], each.intervals[1][i])
            ),
        ]
        for i, system in enumerate(comparison.systems)
    ]
    return Table((Column("system"), *columns), rows, notes=comparison.signatures)


def table_of_segments(names: Sequence[str], results: Results) -> Table:
    """A row for each segment of each system; segments are counted from 1, as lines are."""
    rows: list[list[Cell]] = []
    for system, scored in results.items():
        columns = [result.segments.tolist() for result in scored]
        rows += [[system, i + 1, *scores] for i, scores in enumerate(zip(*columns, strict=True))]
    return Table((Column("system"), Column("segment"), *map(Column, names)), rows, notes=signatures(results))


def table_of_groups(names: Sequence[str], results: Results, labels: Sequence[str], by: str) -> Table:
    """A row for each group of segments of each system, in the order in which the groups first appear."""
    sizes = Counter(labels)
    rows: list[list[Cell]] = []
    for system, scored in results.items():
        groups = [result.by(labels) for result in scored]
        rows += [[system, label, size, *(group[label] for group in groups)] for label, size in sizes.items()]
    group = by if by in ("doc", "domain") else "group"
    columns = (Column("system"), Column(group), Column("segments"), *map(Column, names))
    return Table(columns, rows, notes=signatures(results))


def signatures(results: Results) -> tuple[str, ...]:
    """What to quote beside the scores: each metric's signature, and sacreBLEU's where sacreBLEU has the metric."""
    first = next(iter(results.values()), ())
    both = [(result.signature, signature_of_sacrebleu(result)) for result in first]
    return tuple(text for pair in both for text in pair if text)


def signature_of_sacrebleu(result: Result) -> str | None:
    """The signature that sacreBLEU gives this score, if it has the metric with these options."""
    try:
        return sacrebleu_signature(result.metric, result.facts.reference_count)
    except OptionError:
        return None
