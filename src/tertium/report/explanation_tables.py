"""Tables of a score taken apart: its orders of n-grams, its segments, the n-grams of one segment."""

from tertium.errors import InputError, OptionError
from tertium.metrics.explain import Explanation
from tertium.report.tables import Cell, Column, Table


def table_of_orders(found: Explanation) -> Table:
    """A row for each order of n-grams; BLEU's brevity penalty stands below."""
    if not found.orders:
        raise OptionError(f"{found.metric.name} has no orders of n-grams; try --show segments")
    perfect = any(order.score_if_perfect is not None for order in found.orders)
    columns = [Column("order"), Column("matches", 0), Column("of", 0), Column("precision"), Column("contribution", 3)]
    rows: list[list[Cell]] = [
        [each.label, each.matches, each.total, each.precision, each.contribution] for each in found.orders
    ]
    if perfect:
        columns.append(Column("score if perfect"))
        rows = [[*row, each.score_if_perfect] for row, each in zip(rows, found.orders, strict=True)]
    notes = [f"{found.metric!r}: {found.score:.2f}"]
    if found.brevity_penalty is not None and found.score_without_penalty is not None:
        unpenalised = f"without it the score would be {found.score_without_penalty:.2f}"
        notes.append(f"brevity penalty {found.brevity_penalty:.3f}; {unpenalised}")
    records = {
        "metric": repr(found.metric),
        "score": found.score,
        "brevity_penalty": found.brevity_penalty,
        "score_without_penalty": found.score_without_penalty,
        "orders": [vars(order) for order in found.orders],
    }
    return Table(tuple(columns), rows, tuple(notes), records)


def table_of_segments(found: Explanation, top: int) -> Table:
    """The segments by what they do to the score, the most harmful first."""
    gain = found.contributions if found.metric.higher_is_better else -found.contributions
    worst = gain.argsort(kind="stable").tolist()[: top or None]
    rows: list[list[Cell]] = [
        [
            i + 1,
            float(found.segments[i]),
            float(found.without[i]),
            float(found.contributions[i]),
            found.hypotheses[i],
        ]
        for i in worst
    ]
    columns = (
        Column("segment"),
        Column("score"),
        Column("score without it", 2),
        Column("contribution", 3),
        Column("hypothesis", widest=70),
    )
    return Table(columns, rows, (f"{found.metric!r}: {found.score:.2f} with all {len(found.segments)} segments",))


def table_of_ngrams(found: Explanation, segment: int, names: list[str]) -> Table:
    """A row for each n-gram of one segment: how often it stands there, what was credited, thanks to which reference."""
    if segment >= len(found.hypotheses):
        raise InputError(f"there is no segment {segment + 1}: there are {len(found.hypotheses)}")
    rows: list[list[Cell]] = [
        [
            match.order,
            " ".join(match.ngram),
            match.count,
            match.clipped,
            "" if match.reference is None else names[match.reference],
        ]
        for match in found.ngrams(segment)
    ]
    columns = (Column("order"), Column("n-gram", widest=70), Column("count"), Column("credited"), Column("reference"))
    references = [stream[segment] for stream in found.references.streams]
    notes = [f"hypothesis: {found.hypotheses[segment]}"]
    notes += [f"reference {name}: {text}" for name, text in zip(names, references, strict=True) if text is not None]
    return Table(columns, rows, tuple(notes))
