"""A search audit as HTML: a section for a report, and a page of its own in one file."""

from typing import TYPE_CHECKING

from tertium.report import audit_tables
from tertium.report.html import Markup, joined, page, table_of, tag
from tertium.report.line_chart import Line, line_chart

if TYPE_CHECKING:
    from tertium.decoding.findings import Findings


def audit_page(findings: "Findings", title: str = "Search audit") -> str:
    """The whole page."""
    return page(title, audit_section(findings))


def audit_section(findings: "Findings") -> Markup:
    """What to do, then the numbers, the sweep's pictures and examples."""
    advice = [tag("li", each.text) for each in findings.advice]
    parts = [tag("h2", "What to do next"), tag("ul", *advice)] if advice else []
    parts += [tag("h2", "Who is at fault"), table_of(audit_tables.table_of_faults(findings))]
    if findings.exact is not None:
        parts += [tag("h2", "Exact search"), table_of(audit_tables.table_of_exact(findings))]
    if findings.sweep:
        parts += [tag("h2", "Beam sweep"), tag("div", *sweep_charts(findings), class_="charts")]
        parts += [table_of(audit_tables.table_of_sweep(findings))]
    parts += [tag("h2", "Examples"), table_of(audit_tables.table_of_examples(findings, count=5))]
    return tag("section", joined(*parts))


def sweep_charts(findings: "Findings") -> list[Markup]:
    """Pictures over the width: each metric, the objective, search errors, time."""
    widths = [float(each.width) for each in findings.sweep]

    def line(name: str, values: list[float]) -> Line:
        return Line(name, list(zip(widths, values, strict=True)))

    def chart(what: str, *lines: Line) -> Markup:
        return line_chart(lines, "beam width", what, logarithmic=True)

    names = list(findings.sweep[0].metrics)
    return [
        *(chart(name, line(name, [each.metrics[name] for each in findings.sweep])) for name in names),
        chart("mean score under the objective", line("score", [each.score for each in findings.sweep])),
        chart(
            "search errors, %",
            line("known to be missed", [100 * each.missed.value for each in findings.sweep]),
            line("a reference scores higher", [100 * each.search.value for each in findings.sweep]),
        ),
        chart("CPU seconds", line("seconds", [each.seconds for each in findings.sweep])),
    ]
