"""``ninefold games``: what has been played."""

import argparse
import json

from ninefold.core.errors import NinefoldError
from ninefold.line.note import note
from ninefold.line.wrap import wrap
from ninefold.match.recover import goes_on
from ninefold.record.parse import Record, read_record
from ninefold.record.store import Store


def run(options: argparse.Namespace) -> int:
    """List the records, the newest first; a damaged one is named on standard error."""
    store = Store()
    rows = []
    going_on: dict[str, bool] = {}
    for name in reversed(store.names()):
        try:
            record = read_record(store.path(name))
            match = record.header.match
            if match and match not in going_on:
                going_on[match] = goes_on(store, match)
            open_match = match is not None and going_on[match]
        except NinefoldError as error:
            note(f"ninefold: {error.message}")
            continue
        row = _row(name, record, open_match)
        if row["resumable"] or not options.unfinished:
            rows.append(row)
    if options.json:
        print(json.dumps(rows, indent=2))
    elif not rows:
        print("No games recorded yet." if not options.unfinished else "No unfinished games.")
    else:
        for row in rows:
            print(wrap(_line(row)))
    return 0


def _row(name: str, record: Record, open_match: bool) -> dict[str, object]:
    header = record.header
    return {
        "id": name,
        "game": header.game,
        "reading": header.reading,
        "date": header.date,
        "players": [header.player1, header.player2],
        "plies": record.plies,
        "result": record.result,
        "finished": record.finished,
        "match": header.match,
        "round": header.round if header.match else None,
        "resumable": open_match if header.match else not record.finished,
    }


def _line(row: dict[str, object]) -> str:
    state = str(row["result"]) if row["finished"] else "unfinished"
    if row["match"]:
        state += f", game {row['round']} of a match" + (" that goes on" * bool(row["resumable"]))
    players = row["players"]
    assert isinstance(players, list)
    moves = "1 move" if row["plies"] == 1 else f"{row['plies']} moves"
    return f"{row['id']}  {row['game']}  {' - '.join(players)}  {moves}  {state}"
