"""Line charts as plain SVG that prints and scales, each with its data as a table."""

from collections.abc import Callable, Iterable
from html import escape
from typing import NamedTuple

from ninefold.pages.tables import PageTable

WIDTH, HEIGHT = 620, 240  # of the plot itself
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 14, 46
# Lines differ in colour, in dashes and in their marks: never in colour alone.
KINDS = 6


class Point(NamedTuple):
    """A point of a line, with its interval if it has one; ``n`` is what it is computed from."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    n: int | None = None


class Series(NamedTuple):
    """A line with its name."""

    name: str
    points: tuple[Point, ...]


class Chart(NamedTuple):
    """Lines over one axis; ``about`` says in a sentence what they show."""

    key: str
    title: str
    about: str
    x_name: str
    y_name: str
    series: tuple[Series, ...]

    @property
    def table(self) -> PageTable:
        """All of it as a table: a row for each place on the axis, a column for each line."""
        return self._table(written)

    @property
    def short_table(self) -> PageTable:
        """The same without intervals, for a narrow screen."""
        return self._table(lambda point: f"{point.y:.3f}")

    def _table(self, words: Callable[[Point], str]) -> PageTable:
        lines = [{point.x: words(point) for point in series.points} for series in self.series]
        places = sorted({x for line in lines for x in line})
        rows = ((f"{x:g}", *(line.get(x, "-") for line in lines)) for x in places)
        return PageTable((self.x_name, *(series.name for series in self.series)), tuple(rows))


def written(point: Point) -> str:
    """The value of a point with its interval and count: 0.125 (0.101-0.152) of 90."""
    if point.low is None or point.high is None:
        return f"{point.y:.3f}"
    count = "" if point.n is None else f" of {point.n:,}"
    return f"{point.y:.3f} ({point.low:.3f}-{point.high:.3f}){count}"


def figure(chart: Chart, table: str) -> str:
    """A chart for a page of HTML, with its key, and the table to open below it."""
    key = "".join(
        f'<span><svg viewBox="0 0 34 12" width="34" height="12" aria-hidden="true">'
        f'<g class="s{at % KINDS}">{polyline([(1, 6), (33, 6)])}{mark(at, 17, 6)}</g></svg>'
        f"{escape(series.name)}</span>"
        for at, series in enumerate(chart.series)
    )
    return (
        f'<figure class="plot" id="{chart.key}"><figcaption><strong>{escape(chart.title)}</strong> '
        f"{escape(chart.about)} Upright bars are 95% intervals.</figcaption>{draw(chart)}"
        f'<p class="legend">{key}</p>'
        f"<details><summary>The figures of this chart</summary>{table}</details></figure>\n"
    )


def draw(chart: Chart) -> str:
    """The chart as SVG; the page has its style."""
    most_x = max((point.x for series in chart.series for point in series.points), default=1.0)
    least_x = min((point.x for series in chart.series for point in series.points), default=0.0)
    least_x = 0.0 if least_x <= most_x / 3 else least_x
    tops = (point.high or point.y for series in chart.series for point in series.points)
    most_y = round_up(max((*tops, 0.001)))
    frame = Frame(least_x, most_x if most_x > least_x else least_x + 1, most_y)
    wide, high = WIDTH + _LEFT + _RIGHT, HEIGHT + _TOP + _BOTTOM
    lines = [
        f'<svg class="plot" role="img" viewBox="0 0 {wide} {high}" '
        f'aria-labelledby="{chart.key}-title {chart.key}-about">',
        f'<title id="{chart.key}-title">{escape(chart.title)}</title>',
        f'<desc id="{chart.key}-about">{escape(chart.about)} {escape(_in_words(chart))}</desc>',
        f'<g transform="translate({_LEFT} {_TOP})">',
        *_grid(chart, frame),
    ]
    for at, series in enumerate(chart.series):
        lines += [f'<g class="s{at % KINDS}">', *_line(at, series, frame), "</g>"]
    return "\n".join([*lines, "</g></svg>"])


class Frame(NamedTuple):
    """What the corners of a plot stand for."""

    least_x: float
    most_x: float
    most_y: float
    width: float = WIDTH
    height: float = HEIGHT

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point is drawn."""
        across = (x - self.least_x) / (self.most_x - self.least_x)
        return self.width * across, self.height * (1 - y / self.most_y)


def polyline(points: Iterable[tuple[float, float]], kind: str = "line") -> str:
    """A line through these points."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="{kind}" points="{path}"/>'


def circle(x: float, y: float, radius: float, kind: str) -> str:
    """A dot."""
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>'


def rule(kind: str, x: tuple[float, float], y: tuple[float, float]) -> str:
    """A straight line, of a grid or an axis."""
    ends = (
        f'{name}{at}="{_short(value)}"'
        for name, pair in (("x", x), ("y", y))
        for at, value in enumerate(pair, 1)
    )
    return f'<line class="{kind}" {" ".join(ends)}/>'


def label(words: str, x: float, y: float, anchor: str = "", kind: str = "quiet") -> str:
    """Words in a drawing."""
    where = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}"{where} x="{_short(x)}" y="{_short(y)}">{escape(words)}</text>'


def mark(at: int, x: float, y: float) -> str:
    """The mark of one line among several: each has another shape."""
    shapes = (
        f"M{x - 4:.1f} {y:.1f}a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
        f"M{x - 3.5:.1f} {y - 3.5:.1f}h7v7h-7z",
        f"M{x:.1f} {y - 4.5:.1f}l4.5 8h-9z",
        f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5-5z",
        f"M{x:.1f} {y + 4.5:.1f}l4.5-8h-9z",
        f"M{x - 4:.1f} {y - 1.5:.1f}h8v3h-8z",
    )
    return f'<path class="point" d="{shapes[at % KINDS]}"/>'


def round_step(most: float, least: float = 1.0) -> float:
    """A round number between ticks (1, 2 or 5 and zeros), for two to five of them."""
    size = least
    while most > 5 * size:
        size *= 2 if f"{size:e}"[0] in "15" else 5
        if f"{size:e}"[0] == "2" and most > 5 * size:
            size = size / 2 * 5
    return size


def round_up(most: float) -> float:
    """The end of an axis that holds so much, and is a round number."""
    step = round_step(most, 1e-4)
    return step * -int(-most / step // 1)


def ticks(most: float, least: float, smallest: float) -> list[float]:
    """Round numbers along an axis."""
    step = round_step(most - least, smallest)
    first = -int(-least / step // 1)
    return [step * at for at in range(first, int(most / step + 1e-9) + 1)]


def _grid(chart: Chart, frame: Frame) -> list[str]:
    lines, wide, high = [], frame.width, frame.height
    for value in ticks(frame.most_y, 0, 1e-4):
        _, y = frame.at(frame.least_x, value)
        lines += [
            rule("grid" if value else "axis", (0, wide), (y, y)),
            label(f"{value:.4g}", -7, y + 4, "end"),
        ]
    for value in ticks(frame.most_x, frame.least_x, 1):
        x, _ = frame.at(value, 0)
        lines += [
            rule("axis", (x, x), (high, high + 4)),
            label(f"{value:,g}", x, high + 18, "middle"),
        ]
    return [*lines, label(chart.x_name, wide / 2, high + 36, "middle")]


def _line(at: int, series: Series, frame: Frame) -> list[str]:
    """A line with its marks, and the interval of each point as a bar."""
    places = [frame.at(point.x, point.y) for point in series.points]
    found = [polyline(places)]
    for point, (x, y) in zip(series.points, places, strict=True):
        if point.low is not None and point.high is not None:
            ends = frame.at(point.x, point.low)[1], frame.at(point.x, point.high)[1]
            found.append(rule("spread", (x, x), ends))
        found.append(mark(at, x, y))
    return found


def _in_words(chart: Chart, most: int = 6) -> str:
    """Where each line begins and ends, for those who cannot see it."""
    parts = []
    for series in chart.series[:most]:
        if series.points:
            first, last = series.points[0], series.points[-1]
            parts.append(
                f"{series.name}: {first.y:.3f} at {first.x:g}, {last.y:.3f} at {last.x:g}."
            )
    return " ".join(parts)


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
