"""``ninefold games``: list recorded games."""

import argparse

from ninefold.cli.common import print_json
from ninefold.line.wrap import note, wrap
from ninefold.match import recorded_games
from ninefold.record.store import Store
from ninefold.record.text import Record


def run(options: argparse.Namespace) -> int:
    """List the records, the newest first; damaged ones are reported on standard error."""
    found = recorded_games(Store(), lambda text: note(f"ninefold: {text}"))
    rows = [
        _row(name, record, resumable)
        for name, record, resumable in found
        if resumable or not options.unfinished
    ]
    if options.json:
        print_json(rows, indent=2)
    elif not rows:
        print("No games recorded yet." if not options.unfinished else "No unfinished games.")
    else:
        for row in rows:
            print(wrap(_line(row)))
    return 0


def _row(name: str, record: Record, resumable: bool) -> dict[str, object]:
    settings = record.settings
    return {
        "id": name,
        "game": settings.game,
        "reading": settings.reading,
        "date": settings.date,
        "players": [*settings.players],
        "plies": record.plies,
        "result": record.result,
        "finished": record.finished,
        "match": settings.match,
        "round": settings.round if settings.match else None,
        "resumable": resumable,
    }


def _line(row: dict[str, object]) -> str:
    state = str(row["result"]) if row["finished"] else "unfinished"
    if row["match"]:
        which = "an unfinished match" if row["resumable"] else "a match"
        state += f", game {row['round']} of {which}"
    players = row["players"]
    assert isinstance(players, list)
    moves = "1 move" if row["plies"] == 1 else f"{row['plies']} moves"
    return f"{row['id']}  {row['game']}  {' - '.join(players)}  {moves}  {state}"
