"""``ninefold resume``: go on where a game was left."""

import argparse

from ninefold.core.errors import NinefoldError
from ninefold.line.console import open_console
from ninefold.line.series import Series
from ninefold.match.series import unfinished
from ninefold.record.replay import Replay
from ninefold.record.store import Store, read_record


def run(options: argparse.Namespace) -> int:
    """Resume the record named, or the newest one that is not finished."""
    store = Store()
    wanted = options.game or unfinished(store)
    if wanted is None:
        raise NinefoldError("nothing-to-resume", "There is no unfinished game.")
    path = store.find(wanted)
    book = Replay(read_record(path)).book
    return Series(open_console(), store, book).resume(path)
