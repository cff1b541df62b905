"""Reports on a tournament: for the terminal, as a page, as Markdown and as data."""

from pathlib import Path
from typing import Any

from ninefold.require import require_one_of

KINDS = ("text", "html", "markdown", "json")


def render(folder: Path, kind: str = "text", width: int = 80) -> str:
    """The report on the tournament in a folder; raises NinefoldError."""
    from ninefold.arena.report.played import read_played

    require_one_of("kind", kind, KINDS)
    played = read_played(folder)
    if kind == "json":
        from ninefold.arena.report.data import as_data

        return _json(as_data(played), indent=1)
    if kind == "html":
        from ninefold.arena.report.html import html

        return html(played)
    from ninefold.arena.report.document import document
    from ninefold.pages.markdown import markdown
    from ninefold.pages.text import text

    made = [document(played)]
    return markdown(made) if kind == "markdown" else text(made, width)


def show_game(folder: Path, name: str, width: int = 80) -> str:
    """One game of the tournament in words, with the value of every move; raises NinefoldError."""
    from ninefold.arena.report.one_game import one_game
    from ninefold.pages.text import text

    return text([one_game(folder, name)], width)


def game_data(folder: Path, name: str) -> str:
    """The row of one game, for programs; raises NinefoldError."""
    from ninefold.arena.report.one_game import find_row

    return _json(find_row(folder, name))


def _json(data: Any, indent: int | None = None) -> str:
    """JSON in visible ASCII: a stranger's text may hold what a terminal obeys, or no file can."""
    import json

    return json.dumps(data, indent=indent).replace("\x7f", "\\u007f") + "\n"
