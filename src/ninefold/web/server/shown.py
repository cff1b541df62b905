"""A game as its players and spectators are shown it: every text is made once for all of them."""

from collections.abc import Sequence
from typing import Protocol

from ninefold.web.server.game_rows import bots_of
from ninefold.web.server.hosted import Hosted
from ninefold.web.server.view import Json, board_text, lasting_view, own_key, own_view, to_text

_WAITING = "Waiting for an opponent."
_RESIGN = ("resign", "Resign", "Resign this game?")
_FIELDS = ("action", "label", "ask")
# What single readers see is remembered so often; few games have nearly as many.
_MAX_OWN = 200


class Watcher(Protocol):
    """Somebody who is shown a game."""

    who: str

    def push(self, text: str) -> None:
        """Send this when there is time; never waits."""


class Shown:
    """What is shown of a game; texts that many want, or that seldom change, are remembered."""

    def __init__(self, game: Hosted, before: "Shown | None" = None) -> None:
        self._game = game
        self._lasting = ""  # what everybody sees all the time
        self._board = ""  # what everybody sees now
        self._board_at = -1  # after which event
        self._head = ""
        self._head_for = (-1, -1, -1)
        # The same two who play by the same rules again see the same.
        self._own_texts: dict[object, str] = {} if before is None else before._own_texts

    def message(self, reader: int, since: int, now: int) -> str:
        """The state of the game for the player in this seat, with the log after an event."""
        game = self._game
        if self._board_at != game.last_fact:
            self._board, self._board_at = self._make_board(), game.last_fact
        if self._head_for != (game.seq, since, now):
            self._head, self._head_for = self._make_head(since, now), (game.seq, since, now)
        return f'{self._head},"view":{{{self._board},{self._own_text(reader)}}}'

    def _own_text(self, reader: int) -> str:
        """What only this reader sees; few things that it depends on ever change in a game."""
        actions = self._actions(reader)
        seen = (reader, self._game.row.state, actions, own_key(self._game.referee))
        if (text := self._own_texts.get(seen)) is None:
            if len(self._own_texts) >= _MAX_OWN:
                self._own_texts.clear()
            text = self._own_texts[seen] = to_text(self._own(reader, actions))[1:]
        return text

    def _make_head(self, since: int, now: int) -> str:
        """What a message says before the view; many readers want the same."""
        game = self._game
        head = {
            "type": "event",
            "game": game.row.id,
            "seq": game.seq,
            "state": game.row.state if game.referee.outcome is None else "over",
            "next": game.next_game,
            "events": [entry._asdict() for entry in game.log[since:]],
            "clocks": game.clocks(now),
        }
        return to_text(head)[:-1]

    def _make_board(self) -> str:
        game, outcome = self._game, self._game.referee.outcome
        if outcome is not None or not self._lasting:
            wins, is_over = game.row.wins, outcome is not None and not game.match_goes_on
            lasting = lasting_view(game.book, game.settings)
            lasting["bots"] = bots_of(game.row)
            lasting["score"] = game.score
            lasting["match"] = wins and {"wins": wins, "over": is_over}
            self._lasting = to_text(lasting)[1:-1]
        return f"{self._lasting},{board_text(game.words, game.referee)}"

    def _own(self, reader: int, actions: Sequence[tuple[str, ...]]) -> Json:
        """What this player sees besides what everybody does."""
        game = self._game
        own = own_view(game.words, game.referee, reader)
        if game.row.state == "open":
            invited = f"{game.words.names[0]} invites you to play."
            own["status"] = _WAITING if reader else invited
        elif game.row.state == "withdrawn":
            own["status"] = "This challenge was withdrawn."
        return {**own, "actions": [dict(zip(_FIELDS, one, strict=False)) for one in actions]}

    def _actions(self, reader: int) -> tuple[tuple[str, ...], ...]:
        """What this player can do besides moving: the action, its label, and a question first."""
        game, state, referee = self._game, self._game.row.state, self._game.referee
        if state == "open":
            return (("withdraw", "Withdraw"),) if reader else (("join", "Join"),)
        if not reader or state == "withdrawn":
            return ()
        if referee.outcome is not None:
            is_asked = game.next_game is None and reader not in game.ready
            label = "Next game" if game.match_goes_on else "Rematch"
            return (("rematch", label),) if is_asked else ()
        if game.undo_asked_by == 3 - reader:
            return ("accept-undo", "Accept"), ("decline-undo", "Decline"), _RESIGN
        can_undo = not game.undo_asked_by and referee.can_undo(reader, apart=True)
        return (("undo", "Undo"), _RESIGN) if can_undo else (_RESIGN,)

    def standing(self, who: str) -> Json:
        """How the game stands for a player, in a list."""
        game = self._game
        seat = game.seat_of(who)
        own = self._own(seat, ())
        is_on = game.row.state == "playing" and game.referee.outcome is None
        turn = game.referee.position.turn if is_on else 0
        return {"you": seat, "turn": turn, "winner": None, "status": own["status"]}
