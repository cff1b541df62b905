"""One game of a tournament, move by move, with what each move was worth."""

from pathlib import Path
from typing import Any

from ninefold.arena.faults import KNOWN
from ninefold.arena.game import UNFINISHED
from ninefold.arena.scores.rows import read_lines
from ninefold.arena.scores.rules import rules_of
from ninefold.coach.words import format_choice
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import parse_moves
from ninefold.core.position import Position
from ninefold.core.text import listed, shorten
from ninefold.pages.document import Document, Section
from ninefold.pages.shown import Evidence
from ninefold.pages.tables import PageTable

_WORDS = {1: "win", 0: "draw", -1: "loss", None: "unknown"}
LEAST_PREFIX = 4


def one_game(folder: Path, name: str) -> Document:
    """The game with this id, or whose id begins like this; raises NinefoldError."""
    row = find_row(folder, name)
    one, two = row["players"]
    rules = " ".join((row["book"], row["reading"], *row.get("changes", ()))).strip()
    lines = [
        f"{rules}: {one} is Player 1, {two} is Player 2. Pair {row['pair']}.",
        f"{_ended(row)} ({shorten(row['reason'], 40)}).",
    ]
    if row["opening"]:
        lines.append(f"The opening {row['opening']} was given: nobody is judged for it.")
    lines += [_fault(row, fault) for fault in row.get("faults", [])[:50]]
    game = rules_of(
        folder, row["book"], row["reading"], tuple(row.get("changes", ())), row["rules"]
    )
    if game.game is None:
        lines += [f"Moves: {shorten(row['moves'], 400)}.", f"They cannot be judged: {game.why}."]
        return Document(f"Game {row['id']}", (Section("game", "", tuple(map(Evidence, lines))),))
    table = _moves(row, game.game.start(row.get("first", 1)))
    if not table.rows:
        lines.append("No move was made.")
    section = Section("game", "", tuple(map(Evidence, lines)), table=table if table.rows else None)
    return Document(f"Game {row['id']}", (section,))


def find_row(folder: Path, name: str) -> dict[str, Any]:
    """The row of a game; raises NinefoldError."""
    similar = list[dict[str, Any]]()
    for line in read_lines(folder):
        if line.row is None:
            continue
        if line.row["id"] == name:
            return line.row
        if len(name) >= LEAST_PREFIX and line.row["id"].startswith(name) and len(similar) < 3:
            similar.append(line.row)
    if len(similar) == 1:
        return similar[0]
    advice = "The report lists the ids of games."
    if similar:
        advice = f"Do you mean {listed((row['id'] for row in similar), 'or')}?"
    reason = f"There is no game {shorten(name, 60)!r} in this tournament."
    raise NinefoldError("no-such-game", reason, advice)


def _ended(row: dict[str, Any]) -> str:
    """Who won or forfeited the game."""
    if not row["winner"]:
        is_cut = row["reason"] in UNFINISHED
        return "The game was not finished" if is_cut else "The game was drawn"
    if row["reason"] in KNOWN:
        return f"{row['players'][2 - row['winner']]} forfeited the game"
    return f"{row['players'][row['winner'] - 1]} won"


def _fault(row: dict[str, Any], fault: dict[str, Any]) -> str:
    who = row["players"][fault["seat"] - 1]
    raw = shorten(str(fault.get("raw", "")), 200)
    return f"Fault: {who}, {fault['kind']}" + (f": {raw.removesuffix('.')}" if raw else "") + "."


def _moves(row: dict[str, Any], position: Position) -> PageTable:
    """Every move after the opening."""
    opening, moves = parse_moves(row["opening"]), parse_moves(row["moves"])
    for move in opening:
        position = position.play(move)
    rows = []
    values = zip(row["before"], row["after"], row["depth"], row["worst"], row["good"], strict=True)
    for ply, (move, found) in enumerate(zip(moves, values, strict=True), len(opening) + 1):
        before, after, depth, _, _ = found
        length = "" if depth is None else f" in {depth}"
        rows.append(
            (
                str(ply),
                row["players"][position.turn - 1],
                format_choice(move),
                f"{_WORDS[before]}{length}",
                _WORDS[after],
                _verdict(*found),
            )
        )
        position = position.play(move)
    return PageTable(("move", "player", "played", "before", "after", ""), tuple(rows))


def _verdict(
    before: int | None, after: int | None, _depth: object, worst: int | None, good: int | None
) -> str:
    """What there is to say about a move."""
    if before is None or after is None or worst is None:
        return ""
    if after < before:
        return f"blunder: threw the {_WORDS[before]} away"
    if worst == before:
        return ""
    only = {1: "the only winning move", 0: "the only drawing move"}.get(before, "")
    return only if good == 1 else ""
