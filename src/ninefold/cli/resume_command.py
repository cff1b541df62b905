"""``ninefold resume``: resume an unfinished game or match."""

import argparse

from ninefold.core.errors import NinefoldError
from ninefold.line.console import open_console
from ninefold.line.resume import resume
from ninefold.match import recorded_games
from ninefold.record.store import Store


def run(options: argparse.Namespace) -> int:
    """Resume the record named, or the newest unfinished one; the exit code."""
    store = Store()
    unfinished = (name for name, _, resumable in recorded_games(store) if resumable)
    wanted = options.game or next(unfinished, None)
    if wanted is None:
        raise NinefoldError("nothing-to-resume", "There is no unfinished game.")
    return resume(open_console(), store.find(wanted), options.run_programs)
