"""``ninefold resume``: resume an unfinished game or match."""

import argparse

from ninefold.core.errors import NinefoldError
from ninefold.line.console import open_console
from ninefold.line.resume import resume
from ninefold.match import newest_unfinished
from ninefold.record.store import Store


def run(options: argparse.Namespace) -> int:
    """Resume the record named, or the newest unfinished one; the exit code."""
    store = Store()
    wanted = options.game or newest_unfinished(store)
    if wanted is None:
        raise NinefoldError("nothing-to-resume", "There is no unfinished game.")
    return resume(open_console(), store.find(wanted), options.run_programs)
