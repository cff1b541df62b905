"""``ninefold bridge``: a program plays on a server."""

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.core.text import shorten
from ninefold.players import PROGRAM, name_of
from ninefold.require import require_package

if TYPE_CHECKING:
    from ninefold.web.bridge.account import Account


def run_bridge(options: argparse.Namespace) -> None:
    """Play until Ctrl-C, or until the server refuses the bot."""
    require_package("websockets", "serve")
    from ninefold.players.process import find_program
    from ninefold.players.program import split_command
    from ninefold.web.bridge.account import open_account

    command = options.program.removeprefix(PROGRAM)
    arguments = split_command(command)
    find_program(arguments)
    for game in options.game:
        if game not in books.names():
            reason = f"There is no game {shorten(game, 40)!r} on servers."
            raise NinefoldError("unknown-game", reason, f"There are {', '.join(books.names())}.")
    name = options.name or name_of(f"{PROGRAM}{command}")
    account = open_account(options.server, options.token_file, name)
    asyncio.run(_play(account, arguments, options))


async def _play(account: "Account", arguments: list[str], options: argparse.Namespace) -> None:
    from ninefold.web.bridge.bridge import Bridge
    from ninefold.web.bridge.programs import Programs

    programs = Programs(arguments, options.copies, options.time_limit)
    try:
        await Bridge(account, programs, options.game, _say).run()
    finally:
        programs.close()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
