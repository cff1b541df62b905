"""The image of learning curves: one panel per book, readable on light and dark pages."""

from html import escape
from typing import Any

from ninefold.pages.charts import Frame, circle, label, polyline, round_step, rule

STYLE = """
  .page { fill: #ffffff; stroke: #d8dee6 }
  text { fill: #1f2933; font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
  .title { font-size: 17px; font-weight: 600 }
  .book { font-size: 13px; font-weight: 600 }
  .quiet { fill: #5a6875; font-size: 11px }
  .grid { stroke: #e3e8ee }
  .axis { stroke: #9aa7b4 }
  .base { stroke: #5a6875; stroke-dasharray: 4 3 }
  .line { stroke: #1667b7; stroke-width: 1.5; stroke-opacity: 0.75; fill: none }
  .stop { fill: #1667b7 }
  .end { fill: #12518f; font-size: 11px; font-weight: 600 }
  .dot { fill: #b3541e; stroke: #ffffff; stroke-width: 1.5 }
  .told { fill: #9c4513; font-size: 11px; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #12181f; stroke: #2c3742 }
    text { fill: #e6ebf0 }
    .quiet { fill: #9fb0bf }
    .grid { stroke: #26313b }
    .axis { stroke: #5b6b79 }
    .base { stroke: #9fb0bf }
    .line { stroke: #6cb4f5 }
    .stop { fill: #6cb4f5 }
    .end { fill: #9ccdf9 }
    .dot { fill: #f0a06a; stroke: #12181f }
    .told { fill: #f5b183 }
  }
"""
COLUMNS = 3
WIDTH, HEIGHT = 230, 130  # of the plot in a panel
STEP_X, STEP_Y = 290, 215  # from one panel to the next
LEFT, TOP = 60, 122


def draw(runs: list[dict[str, Any]], baselines: dict[str, float]) -> str:
    """An SVG file, from what ``ninefold train --json`` prints and the share of a simple player."""
    panels: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        panels.setdefault(run["book"], []).append(run)
    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // COLUMNS)
    width = max(LEFT + STEP_X * (columns - 1) + WIDTH + 36, 660)
    height = TOP + STEP_Y * rows - 30
    most = max(run["curve"][-1]["games"] for run in runs)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="title about">',
        '<title id="title">Learning curves</title>',
        f'<desc id="about">{escape(_in_words(runs, baselines))}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        '<text class="title" x="24" y="36">Positions kept against every reply</text>',
        '<text class="quiet" x="24" y="56">Of all positions that are not lost, the share in which '
        "the agent gets what they are worth, whatever is replied.</text>",
        '<text class="quiet" x="24" y="72">A line per seed. Dashed: what the player greedy is sure '
        "to keep.</text>",
    ]
    for at, (book, seeds) in enumerate(panels.items()):
        left, top = LEFT + STEP_X * (at % COLUMNS), TOP + STEP_Y * (at // COLUMNS)
        panel = _panel(book, seeds, baselines[book], most)
        lines += [f'<g transform="translate({left} {top})">', *panel, "</g>"]
    return "\n".join([*lines, "</svg>", ""])


def _panel(book: str, seeds: list[dict[str, Any]], baseline: float, most: int) -> list[str]:
    lines = [f'<text class="book" x="0" y="-14">{escape(book)}</text>', *_grid(most)]
    frame = Frame(0, most, 1, WIDTH, HEIGHT)
    _, y = frame.at(0, baseline)
    lines += [
        rule("base", (0, WIDTH), (y, y)),
        label(f"greedy {baseline:.0%}", WIDTH, y + 12, "end"),
    ]
    for run in seeds:
        points = [frame.at(point["games"], _share(point)) for point in run["curve"]]
        lines += [polyline(points), circle(*points[-1], 3, "stop")]
        # The point from which the better seat is safe.
        safe = [point for point in run["curve"] if point["games"] == run["safe_after"]]
        lines += [circle(*frame.at(point["games"], _share(point)), 4, "dot") for point in safe[:1]]
    return [*lines, *_labels(seeds)]


def _share(point: dict[str, Any]) -> float:
    return float(point["mark"]["kept"] / point["mark"]["worth"])


def _grid(most: int) -> list[str]:
    lines, frame = [], Frame(0, most, 1, WIDTH, HEIGHT)
    for share in (0, 25, 50, 75, 100):
        _, y = frame.at(0, share / 100)
        lines.append(rule("grid" if share else "axis", (0, WIDTH), (y, y)))
        lines += [label(f"{share} %", -7, y + 4, "end")] if share % 50 == 0 else []
    for games in range(0, most + 1, int(round_step(most, 1000))):
        x, _ = frame.at(games, 0)
        told = f"{games // 1000:,}k" if games else "0"
        lines.append(rule("axis", (x, x), (HEIGHT, HEIGHT + 4)))
        lines.append(label(told, x, HEIGHT + 18, "middle"))
    return [*lines, label("games of self-play", WIDTH / 2, HEIGHT + 34, "middle")]


def _labels(seeds: list[dict[str, Any]]) -> list[str]:
    """When the better seat was safe with every seed, and how much was kept in the end."""
    counts = sorted({run["safe_after"] for run in seeds if run["safe_after"] is not None})
    told = " to ".join(f"{count:,}" for count in dict.fromkeys((*counts[:1], *counts[-1:])))
    safe = f"seat {seeds[0]['seat']} safe after {told} games"
    if missing := sum(run["safe_after"] is None for run in seeds):
        safe = f"seat {seeds[0]['seat']} not safe with {missing} of {len(seeds)} seeds"
    worth = seeds[0]["curve"][-1]["mark"]["worth"]
    kept = min(run["curve"][-1]["mark"]["kept"] for run in seeds)
    end = f"all {worth:,} kept" if kept == worth else f"{kept:,} of {worth:,} kept"
    return [
        label(safe, WIDTH, HEIGHT - 26, "end", "told"),
        label(end, WIDTH, HEIGHT - 12, "end", "end"),
    ]


def _in_words(runs: list[dict[str, Any]], baselines: dict[str, float]) -> str:
    parts = []
    for run in runs:
        last = run["curve"][-1]
        told = f"{_share(last):.1%} after {last['games']:,} games"
        parts.append(f"{run['book']}, seed {run['seed']}: {told}")
    simple = (f"{book}: greedy {share:.1%}" for book, share in baselines.items())
    return "; ".join([*parts, *simple]) + "."
