"""Lines over numbers as SVG, made for a page that holds it: beam widths and scores, steps and losses.

The x axis is linear, or logarithmic to base 2 where widths double. Ticks of the y axis are 1, 2 or 5 times a power of
ten apart. Points say their numbers when they are pointed at.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.report.html import Markup, joined, tag

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # told apart by the colour-blind, too
WIDTH, HEIGHT = 420, 260
LEFT, RIGHT, TOP, BOTTOM, LEGEND = 56, 16, 28, 44, 18


@dataclass(frozen=True)
class Line:
    """A line and its name."""

    name: str
    points: Sequence[tuple[float, float]]


def line_chart(lines: Sequence[Line], x: str, y: str, *, logarithmic: bool = False) -> Markup:
    """The picture of some lines; points that are not finite are left out.

    >>> line_chart([Line("bleu", [(1, 30.0), (2, 31.5)])], "width", "BLEU", logarithmic=True).count("<circle")
    2
    """
    lines = [Line(line.name, [point for point in line.points if all(map(math.isfinite, point))]) for line in lines]
    points = [point for line in lines for point in line.points]
    if not points:
        raise InputError("a chart needs at least one point")
    if logarithmic and min(each for each, _ in points) <= 0:
        raise InputError("a logarithmic axis has no place for 0 and below")
    axis_x = Axis.of([_scaled(each, logarithmic) for each, _ in points], LEFT, WIDTH - RIGHT)
    steps = ticks(min(each for _, each in points), max(each for _, each in points))
    axis_y = Axis.of(steps, HEIGHT - BOTTOM, TOP + (LEGEND if len(lines) > 1 else 0))
    drawn = [_grid(axis_y, steps), _labels(axis_x, sorted({each for each, _ in points}), logarithmic)]
    drawn += [_line(line, axis_x, axis_y, COLOURS[i % len(COLOURS)], logarithmic) for i, line in enumerate(lines)]
    drawn += [_legend(lines), _text(x, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "middle"), _text(y, 4, 14, "start")]
    names = ", ".join(line.name for line in lines)
    return tag(
        "svg",
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        aria_label=f"{names} over {x}",
    )


@dataclass(frozen=True)
class Axis:
    """From numbers to places in the picture."""

    low: float
    high: float
    first: float  # the place of `low`
    last: float

    @classmethod
    def of(cls, values: Sequence[float], first: float, last: float) -> "Axis":
        """The axis from the smallest to the largest value; around a single one."""
        low, high = min(values), max(values)
        return cls(low - 0.5, high + 0.5, first, last) if low == high else cls(low, high, first, last)

    def place(self, value: float) -> float:
        """Where a value stands."""
        return self.first + (value - self.low) / (self.high - self.low) * (self.last - self.first)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """At most so many round numbers, or one more, that reach from `low` or below to `high` or above.

    >>> ticks(29.3, 33.8)
    [29.0, 30.0, 31.0, 32.0, 33.0, 34.0]
    """
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = low - 0.5, high + 0.5
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(times * power for times in (1, 2, 5, 10) if (high - low) / (times * power) <= most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def _scaled(value: float, logarithmic: bool) -> float:
    return math.log2(value) if logarithmic else value


def _number(value: float) -> str:
    return f"{value:.6g}"


def _text(text: str, x: float, y: float, anchor: str) -> Markup:
    return tag("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def _grid(axis: Axis, steps: Sequence[float]) -> Markup:
    """Horizontal lines with their numbers."""
    pieces = []
    for step in steps:
        y = f"{axis.place(step):.1f}"
        pieces.append(tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, stroke="#8884", stroke_width=1))
        pieces.append(_text(_number(step), LEFT - 6, axis.place(step) + 4, "end"))
    return joined(*pieces)


def _labels(axis: Axis, values: Sequence[float], logarithmic: bool) -> Markup:
    """The numbers of the x axis: those of the points where there is room, else ticks."""
    shown = values if logarithmic or len(values) <= 8 else [t for t in ticks(axis.low, axis.high) if t <= axis.high]
    pieces, last = [], -math.inf
    for value in shown:
        place = axis.place(_scaled(value, logarithmic))
        if place >= LEFT - 1 and place - last >= 8 * len(_number(value)) + 4:
            pieces.append(_text(_number(value), place, HEIGHT - BOTTOM + 18, "middle"))
            last = place
    return joined(*pieces)


def _line(line: Line, axis_x: Axis, axis_y: Axis, colour: str, logarithmic: bool) -> Markup:
    places = [(axis_x.place(_scaled(x, logarithmic)), axis_y.place(y)) for x, y in line.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = [
        tag("circle", tag("title", f"{line.name}: {_number(x)}, {_number(y)}"), cx=f"{px:.1f}", cy=f"{py:.1f}", r=3)
        for (x, y), (px, py) in zip(line.points, places, strict=True)
    ]
    stroke = tag("polyline", points=path, fill="none", stroke=colour, stroke_width=2)
    return joined(stroke, tag("g", *dots, fill=colour))


def _legend(lines: Sequence[Line]) -> Markup:
    """Names below the heading, from the right; one line alone needs none."""
    if len(lines) < 2:
        return Markup("")
    pieces, x = [], float(WIDTH - RIGHT)
    for i in range(len(lines) - 1, -1, -1):
        pieces.append(_text(lines[i].name, x, TOP + 4, "end"))
        x -= 7 * len(lines[i].name) + 8
        pieces.append(tag("rect", x=f"{x:.1f}", y=TOP - 4, width=8, height=8, fill=COLOURS[i % len(COLOURS)]))
        x -= 10
    return joined(*pieces)
