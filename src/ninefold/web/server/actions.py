"""What a player can do in a game: moves, and what players say to each other."""

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.core.errors import Illegal
from ninefold.core.moves import parse_move
from ninefold.referee.events import Event
from ninefold.web.server.hosted import Hosted
from ninefold.web.server.store import StoredEvent

# How many events a game can have; without moves that are taken back, no game has nearly as many.
MAX_EVENTS = 1_000
ACTIONS = ("move", "undo", "accept-undo", "decline-undo", "resign", "rematch", "withdraw")
_SAID = ("undo", "decline-undo", "rematch")


class Action(NamedTuple):
    """What a player wants to do: one of the ACTIONS, a move in its notation, after which event.

    The same ``key`` twice is the same action.
    """

    name: str
    move: str = ""
    after: int | None = None
    key: str | None = None


def judge(
    game: Hosted, seat: int, action: Action, key: str | None, now: int
) -> tuple[Sequence[StoredEvent], Sequence[Event]]:
    """The events of an action as they are to be stored, and what the referee said.

    Raises NinefoldError if it is refused.
    """
    name = action.name
    if name == "withdraw" or game.row.state in ("open", "withdrawn"):
        return [_withdrawn(game, name, key, now)], ()
    if action.after is not None and action.after < game.last_fact:
        raise Illegal("stale", "The position has changed in the meantime.")
    if game.seq >= MAX_EVENTS and name not in ("resign", "rematch"):
        raise Illegal("too-long", "Too much has happened in this game.", "Begin another one.")
    if name in _SAID and (said := _said(game, seat, name, key, now)):
        return [said], ()
    caused = _caused(game, seat, action, now / 1000)
    return game.to_store(caused, now, key), caused


def _withdrawn(game: Hosted, name: str, key: str | None, now: int) -> StoredEvent:
    """The event after which nobody can join an open game; raises NinefoldError."""
    if game.row.state == "withdrawn":
        raise Illegal("withdrawn", "This challenge was withdrawn.")
    if game.row.state != "open":
        raise Illegal("not-open", "Only an open challenge can be withdrawn.")
    if name != "withdraw":
        raise Illegal("not-begun", "Nobody has joined this game yet.")
    return StoredEvent(game.seq + 1, now, "withdrawn", "1", key)


def _said(game: Hosted, seat: int, name: str, key: str | None, now: int) -> StoredEvent | None:
    """The event of what players say to each other; raises NinefoldError."""
    referee = game.referee
    if name == "rematch" and referee.outcome is None:
        raise Illegal("not-over", "The game is not over.")
    if name == "rematch" and (game.next_game or seat in game.ready):
        raise Illegal("asked-already", "You have already asked for the next game.")
    if name == "decline-undo" and game.undo_asked_by != 3 - seat:
        raise Illegal("not-asked", "Nobody has asked to take back a move.")
    if name == "undo":
        if referee.outcome is not None or not all(referee.humans):
            return None  # a computer does not mind
        if game.undo_asked_by == seat:
            raise Illegal("asked-already", "You have already asked to take back a move.")
        if not referee.can_undo(seat, apart=True):
            raise Illegal("nothing-to-undo", "There is no move to undo.")
    kind = "ask-undo" if name == "undo" else name
    return StoredEvent(game.seq + 1, now, kind, str(seat), key)


def _caused(game: Hosted, seat: int, action: Action, now: float) -> list[Event]:
    """What the referee says to an action; raises NinefoldError."""
    referee = game.referee
    if action.name == "move":
        return referee.choose(seat, parse_move(action.move), now)
    if action.name == "resign":
        return referee.resign(seat)
    if action.name == "accept-undo" and game.undo_asked_by != 3 - seat:
        raise Illegal("not-asked", "Nobody has asked to take back a move.")
    asker = 3 - seat if action.name == "accept-undo" else seat
    return referee.undo(asker, now, apart=True)
