"""The image of learning curves: one panel per book, readable on light and dark pages."""

from html import escape
from typing import Any

STYLE = """
  .page { fill: #ffffff; stroke: #d8dee6 }
  text { fill: #1f2933; font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
  .title { font-size: 17px; font-weight: 600 }
  .book { font-size: 13px; font-weight: 600 }
  .quiet { fill: #5a6875; font-size: 11px }
  .grid { stroke: #e3e8ee }
  .axis { stroke: #9aa7b4 }
  .area { fill: #1667b7; fill-opacity: 0.10 }
  .line { stroke: #1667b7; stroke-width: 2; fill: none; stroke-linejoin: round }
  .stop { fill: #1667b7 }
  .end { fill: #12518f; font-size: 11px; font-weight: 600 }
  .safe { stroke: #b3541e; stroke-dasharray: 3 3 }
  .dot { fill: #b3541e; stroke: #ffffff; stroke-width: 1.5 }
  .told { fill: #9c4513; font-size: 11px; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #12181f; stroke: #2c3742 }
    text { fill: #e6ebf0 }
    .quiet { fill: #9fb0bf }
    .grid { stroke: #26313b }
    .axis { stroke: #5b6b79 }
    .area { fill: #6cb4f5; fill-opacity: 0.14 }
    .line { stroke: #6cb4f5 }
    .stop { fill: #6cb4f5 }
    .end { fill: #9ccdf9 }
    .safe { stroke: #f0a06a }
    .dot { fill: #f0a06a; stroke: #12181f }
    .told { fill: #f5b183 }
  }
"""
COLUMNS = 3
WIDTH, HEIGHT = 230, 130  # of the plot in a panel
STEP_X, STEP_Y = 290, 215  # from one panel to the next
LEFT, TOP = 60, 110


def draw(results: list[dict[str, Any]]) -> str:
    """An SVG file, from the output of ``train.py --json``."""
    columns = min(COLUMNS, len(results))
    rows = -(-len(results) // COLUMNS)
    width = max(LEFT + STEP_X * (columns - 1) + WIDTH + 36, 660)
    height = TOP + STEP_Y * rows - 30
    most = max(result["curve"][-1]["games"] for result in results)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="title about">',
        '<title id="title">Learning curves</title>',
        f'<desc id="about">{escape(_in_words(results))}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        '<text class="title" x="24" y="36">Positions kept against every reply</text>',
        '<text class="quiet" x="24" y="56">Of all positions that are not lost, the share in which '
        "the agent gets what they are worth, whatever is replied.</text>",
    ]
    for at, result in enumerate(results):
        left, top = LEFT + STEP_X * (at % COLUMNS), TOP + STEP_Y * (at // COLUMNS)
        lines += [f'<g transform="translate({left} {top})">', *_panel(result, most), "</g>"]
    return "\n".join([*lines, "</svg>", ""])


def _panel(result: dict[str, Any], most: int) -> list[str]:
    points = [
        (WIDTH * point["games"] / most, HEIGHT * (1 - _share(point))) for point in result["curve"]
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    area = f"0,{HEIGHT} {path} {points[-1][0]:.1f},{HEIGHT}"
    return [
        f'<text class="book" x="0" y="-14">{escape(result["book"])}</text>',
        *_grid(most),
        f'<polygon class="area" points="{area}"/>',
        f'<polyline class="line" points="{path}"/>',
        *_safe(result, most),
        *_end(result, points[-1][0]),
    ]


def _share(point: dict[str, Any]) -> float:
    return float(point["mark"]["kept"] / point["mark"]["worth"])


def _grid(most: int) -> list[str]:
    lines = []
    for share in (0, 25, 50, 75, 100):
        y = HEIGHT * (1 - share / 100)
        kind = "axis" if share == 0 else "grid"
        lines.append(f'<line class="{kind}" x1="0" x2="{WIDTH}" y1="{y}" y2="{y}"/>')
        if share % 50 == 0:
            lines.append(
                f'<text class="quiet" text-anchor="end" x="-7" y="{y + 4}">{share} %</text>'
            )
    step = _round_step(most)
    for games in range(0, most + 1, step):
        x = WIDTH * games / most
        told = f"{games // 1000:,}k" if games else "0"
        lines.append(
            f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{HEIGHT}" y2="{HEIGHT + 4}"/>'
        )
        lines.append(
            f'<text class="quiet" text-anchor="middle" x="{x:.1f}" y="{HEIGHT + 18}">{told}</text>'
        )
    lines.append(
        f'<text class="quiet" text-anchor="middle" x="{WIDTH / 2}" y="{HEIGHT + 34}">'
        "games of self-play</text>"
    )
    return lines


def _round_step(most: int) -> int:
    """A round number of games between ticks, for two to five of them."""
    size = 1000
    while most > 5 * size:
        size *= 2 if str(size)[0] in "15" else 5
        if str(size)[0] == "2" and most > 5 * size:
            size = size // 2 * 5
    return size


def _safe(result: dict[str, Any], most: int) -> list[str]:
    """The point from which the better seat is safe."""
    if result["safe_after"] is None:
        return []
    point = next(point for point in result["curve"] if point["games"] == result["safe_after"])
    x, y = WIDTH * point["games"] / most, HEIGHT * (1 - _share(point))
    told = f"seat {result['seat']} safe after", f"{point['games']:,} games"
    at_end = x > WIDTH / 2
    place = f'text-anchor="{"end" if at_end else "start"}" x="{x - 8 if at_end else x + 8:.1f}"'
    return [
        f'<line class="safe" x1="{x:.1f}" x2="{x:.1f}" y1="{y:.1f}" y2="{HEIGHT}"/>',
        f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>',
        f'<text class="told" {place} y="{HEIGHT - 26}">{told[0]}</text>',
        f'<text class="told" {place} y="{HEIGHT - 12}">{told[1]}</text>',
    ]


def _end(result: dict[str, Any], x: float) -> list[str]:
    """How many positions are kept in the end, where the curve stops."""
    mark = result["curve"][-1]["mark"]
    kept, worth = f"{mark['kept']:,}", f"{mark['worth']:,}"
    told = f"all {worth} kept" if kept == worth else f"{kept} of {worth} kept"
    y = HEIGHT * (1 - mark["kept"] / mark["worth"])
    anchor = "end" if x > WIDTH / 2 else "start"
    return [
        f'<circle class="stop" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>',
        f'<text class="end" text-anchor="{anchor}" x="{x:.1f}" y="{y + 20:.1f}">{told}</text>',
    ]


def _in_words(results: list[dict[str, Any]]) -> str:
    parts = []
    for result in results:
        last = result["curve"][-1]
        parts.append(f"{result['book']}: {_share(last):.1%} after {last['games']:,} games")
    return "; ".join(parts) + "."
