"""``ninefold`` alone, ``ninefold app`` and ``ninefold watch``: the full screen, where it works."""

import argparse
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ninefold.core.errors import NinefoldError
from ninefold.invocation import command

if TYPE_CHECKING:
    from ninefold.session import Session

# The full screen needs at least so many columns and rows.
SMALLEST = (20, 6)
PACE = 1.0


def wants_full_screen() -> bool:
    """Whether to open the full screen by default: it works here, and the user has not refused."""
    if os.environ.get("NINEFOLD_ACCESSIBLE", "0") not in ("", "0") or missing_for_full_screen():
        return False
    from ninefold import preferences

    return not preferences.load().accessible


def missing_for_full_screen() -> str:
    """What the full screen needs and does not find here; nothing if all is there."""
    streams = (sys.__stdin__, sys.__stdout__, sys.__stderr__)
    if not all(stream is not None and stream.isatty() for stream in streams):
        return "a terminal for its input and output"
    if os.environ.get("TERM", "") in ("", "dumb") and os.name == "posix":
        return "a terminal that can move the cursor (TERM is dumb or not set)"
    encoding = str(getattr(sys.__stderr__, "encoding", "")).replace("-", "").casefold()
    if encoding != "utf8":
        return f"a terminal that shows UTF-8 (this one has {encoding})"
    columns, rows = os.get_terminal_size(0)
    # A terminal that does not know its size says 0.
    if 0 < columns < SMALLEST[0] or 0 < rows < SMALLEST[1]:
        least = "{} columns and {} rows".format(*SMALLEST)
        return f"at least {least} (this terminal has {columns} and {rows})"
    return ""


def open_app(session: "Session | None" = None, pace: float | None = None) -> int:
    """Open Home, or a game with Home behind it; the exit code."""
    from ninefold.tui.run import run

    return run(session, pace)


def run_app(options: argparse.Namespace) -> int:
    """Open Home, or start a game at once; players that are not given are those of last time."""
    if missing := missing_for_full_screen():
        instead = command(f"play {options.game}" if options.game else "--line")
        raise NinefoldError("no-terminal", f"The full screen needs {missing}.", f"Try: {instead}")
    if options.game is None:
        return open_app()
    from ninefold import preferences
    from ninefold.cli.play_commands import new_session

    _fill_in(options, preferences.load().new_game)
    return open_app(new_session(options))


def run_watch(options: argparse.Namespace) -> int:
    """Show two computer players, in full screen or line by line."""
    from ninefold.cli.play_commands import new_session
    from ninefold.players import HUMAN

    if HUMAN in (options.p1, options.p2):
        reason = "ninefold watch shows computers and programs."
        raise NinefoldError("usage", reason, "To play yourself, use ninefold play.")
    _fill_in(options, {})
    session = new_session(options)
    if not options.accessible and wants_full_screen():
        return open_app(session, PACE if options.pace is None else options.pace)
    from ninefold.cli.common import pick
    from ninefold.line.console import open_console
    from ninefold.line.series import Series

    console = open_console(**pick(options, "accessible", "countdown"))
    pace = PACE * console.interactive if options.pace is None else options.pace
    Series(console, session, pace).play()
    return 0


def _fill_in(options: argparse.Namespace, last: Mapping[str, str]) -> None:
    """Take the opponent and the names that are not given from the last game, or as usual."""
    from ninefold.new_game import seat_of
    from ninefold.players import HUMAN, name_of

    if options.p1 is None and options.p2 is None:
        options.p2 = seat_of(last)
    options.p1, options.p2 = options.p1 or HUMAN, options.p2 or HUMAN
    kinds = enumerate((options.p1, options.p2), 1)
    one, two = (
        name_of(kind) if kind != HUMAN else last.get(f"name{seat}", "").strip() or f"Player {seat}"
        for seat, kind in kinds
    )
    if one.casefold() == two.casefold():
        one, two = f"{one} 1", f"{two} 2"
    options.name1, options.name2 = options.name1 or one, options.name2 or two
