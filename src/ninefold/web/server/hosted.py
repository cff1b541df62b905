"""One game on the server: rebuilt from its events, judged by the referee, shown to who watches."""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from ninefold import books
from ninefold.books import Book
from ninefold.core.errors import Illegal
from ninefold.match import Match
from ninefold.narration import View
from ninefold.players import HUMAN
from ninefold.record.text import format_fact, format_result, parse_fact, parse_record
from ninefold.referee import Referee
from ninefold.referee.events import Event, Forfeited, Moved, Refused, TakenBack
from ninefold.referee.settings import GameSettings
from ninefold.web.server.store import GameRow, StoredEvent
from ninefold.web.server.view import Json, board_view, heading_of, own_view

# How long a computer may think before another process does it instead, in milliseconds.
THINKING = 20_000
_ASKED = "{} asks to take back the last move."
_DECLINED = "{} does not want to take back a move."
_REMATCH = {True: "{} is ready for the next game.", False: "{} wants a rematch."}
_to_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


class Watcher(Protocol):
    """Somebody who is shown a game."""

    who: str

    def push(self, text: str) -> None:
        """Send this when there is time; never waits."""


class Entry(NamedTuple):
    """What the log says about an event."""

    seq: int
    kind: str
    seat: int
    text: str


class Hosted:
    """A game as it stands after the events that are stored."""

    def __init__(self, row: GameRow, events: Sequence[StoredEvent] = ()) -> None:
        self.row = row
        self.settings = read_settings(row.settings)
        self.book = read_book(self.settings, row.copy)
        self.referee = Referee(self.book.game, self.settings)
        self.words = View(self.book, self.settings.players, self.settings.humans)
        self.seq = 0
        self.last_fact = 0  # the number of the event that changed the position last
        self.log: list[Entry] = []
        self.lines: list[str] = []  # the facts, as in a record
        self.keys: dict[str | None, int] = {}
        self.undo_asked_by = 0
        self.ready: set[int] = set()  # who wants the next game
        self.next_game: str | None = None
        self._texts: dict[int, str] = {}
        self._last_head = (-1, 0, "")
        for event in events:
            self.apply(event)

    @property
    def match(self) -> Match:
        """The games before this one between the two, and how many wins decide."""
        winners = tuple(int(one) or None for one in self.row.winners.split())
        return Match(self.row.wins or 1, None, 1, winners)

    def seat_of(self, who: str | None) -> int:
        """The seat of an identity; 0 for a spectator."""
        if who is None:
            return 0
        return 1 if who == self.row.who1 else 2 if who == self.row.who2 else 0

    def wants_next(self, seat: int) -> bool:
        """Whether everybody wants the next game, once this player does; a computer always does."""
        people = {one for one in (1, 2) if self.settings.humans[one - 1]}
        return people <= {*self.ready, seat}

    @property
    def computer(self) -> int:
        """The seat of the computer player to act; 0 if it is a person's turn, or nobody's."""
        turn = self.referee.position.turn
        is_on = self.row.state == "playing" and self.referee.outcome is None
        return turn if is_on and not self.referee.humans[turn - 1] else 0

    # What happens

    def apply(self, event: StoredEvent) -> None:
        """Judge a stored event again; raises NinefoldError if it cannot have happened."""
        if event.kind != "fact":
            self.note(event, [])
            return
        fact = parse_fact(event.body, self.referee.plies)
        self.note(event, self.referee.replay(fact, event.at / 1000))

    def note(self, event: StoredEvent, caused: Iterable[Event]) -> None:
        """Take note of an event that is stored, and of what the referee said about it."""
        self._texts.clear()
        self._last_head = (-1, 0, "")
        self.seq = event.seq
        if event.key is not None:
            self.keys[event.key] = event.seq
        seat = int(event.body) if event.body in ("1", "2") else 0
        text = self._text(event, seat)
        if event.kind == "begun":
            self.referee.begin_turn(event.at / 1000)
        elif event.kind == "ask-undo":
            self.undo_asked_by = seat
        elif event.kind == "rematch":
            self.ready.add(seat)
        elif event.kind == "next":
            self.next_game = event.body
        elif event.kind == "decline-undo":
            self.undo_asked_by = 0
        else:
            self.last_fact, self.undo_asked_by = event.seq, 0
            self.lines.append(event.body)
            caused = list(caused)
            seat = next((one.seat for one in caused if isinstance(one, Moved | Forfeited)), 0)
            text = "".join(self.words.describe(one, self.referee) for one in caused).strip()
        self.log.append(Entry(event.seq, event.kind, seat, text))

    def _text(self, event: StoredEvent, seat: int) -> str:
        name = self.settings.players[seat - 1]
        if event.kind == "begun":
            return f"{self.settings.players[self.settings.first - 1]} goes first."
        is_match = self.row.wins is not None
        words = {"ask-undo": _ASKED, "decline-undo": _DECLINED, "rematch": _REMATCH[is_match]}
        return words[event.kind].format(name) if event.kind in words else ""

    def to_store(self, caused: Sequence[Event], at: int, key: str | None) -> list[StoredEvent]:
        """The facts among these events as they are stored; raises NinefoldError if refused."""
        if caused and isinstance(caused[0], Refused):
            refused = caused[0]
            text = self.words.refused(refused, self.referee.position).strip()
            raise Illegal(refused.error.code, text or refused.error.message)
        facts = [one for one in caused if isinstance(one, Moved | TakenBack | Forfeited)]
        lines = [format_fact(fact, self.referee.plies).strip() for fact in facts]
        return [
            StoredEvent(self.seq + number, at, "fact", line, key if number == 1 else None)
            for number, line in enumerate(lines, 1)
        ]

    def row_now(self, now: int) -> GameRow:
        """The row as it must be stored: whether the game is over, and when to act next."""
        row, referee = self.row, self.referee
        if row.state == "open":
            return row
        if referee.outcome is not None:
            return row._replace(state="over", wake=None)
        deadline = referee.deadline
        wake = now + THINKING if self.computer else None
        return row._replace(wake=wake if deadline is None else round(deadline * 1000))

    # What is shown

    def message(self, reader: int, since: int, now: int) -> str:
        """The state of the game for the player in this seat, with the log after an event."""
        if reader not in self._texts:
            if -1 not in self._texts:
                self._texts[-1] = self._shared()
            own = _to_text({**own_view(self.referee, reader), **self._own(reader)})
            self._texts[reader] = f"{self._texts[-1][:-1]},{own[1:]}"
        return f'{self._head(since, now)[:-1]},"view":{self._texts[reader]}}}'

    def _head(self, since: int, now: int) -> str:
        """What a message says before the view; many readers want the same."""
        if self._last_head[:2] != (since, now):
            head = {
                "type": "event",
                "game": self.row.id,
                "seq": self.seq,
                "state": self.row.state if self.referee.outcome is None else "over",
                "next": self.next_game,
                "events": [entry._asdict() for entry in self.log[since:]],
                "clocks": self.clocks(now),
            }
            self._last_head = since, now, _to_text(head)
        return self._last_head[2]

    def _shared(self) -> str:
        view = board_view(self.words, self.referee, heading_of(self.book))
        won = self.match
        outcome = self.referee.outcome
        if outcome is not None:
            won = won.add(outcome.winner)
        view["score"] = [won.tally(1), won.tally(2)]
        view["match"] = self.row.wins and {"wins": self.row.wins, "over": won.over}
        return _to_text(view)

    def _own(self, reader: int) -> Json:
        """What this player can do besides moving, as actions with their labels."""
        actions: list[tuple[str, str]] = []
        status: Json = {}
        other, referee = 3 - reader, self.referee
        if self.row.state == "open":
            actions = [] if reader else [("join", "Join")]
            status = {"status": "Waiting for an opponent."}
        elif reader and referee.outcome is None:
            if self.undo_asked_by == other:
                actions += [("accept-undo", "Accept"), ("decline-undo", "Decline")]
            elif not self.undo_asked_by and referee.can_undo(reader):
                actions.append(("undo", "Undo"))
            actions.append(("resign", "Resign"))
        elif reader and self.next_game is None and reader not in self.ready:
            label = "Next game" if self._match_goes_on else "Rematch"
            actions.append(("rematch", label))
        return {**status, "actions": [{"action": name, "label": label} for name, label in actions]}

    @property
    def _match_goes_on(self) -> bool:
        outcome = self.referee.outcome
        if self.row.wins is None or outcome is None:
            return False
        return not self.match.add(outcome.winner).over

    def clocks(self, now: int) -> Json | None:
        """What both have left, in seconds; None without a clock."""
        settings, referee = self.settings, self.referee
        if settings.time_limit is None and settings.game_time is None:
            return None
        at, deadline = now / 1000, referee.deadline
        game = [referee.clock.left(seat, at) for seat in (1, 2)]
        turn = None if deadline is None else round(max(0.0, deadline - at), 3)
        running = 0 if deadline is None else referee.position.turn
        left = [None if one is None else round(one, 3) for one in game]
        return {"running": running, "left": left, "deadline": turn}

    def record(self) -> str:
        """The game as a record that every command reads."""
        outcome = self.referee.outcome
        end = "*\n" if outcome is None else format_result(outcome)
        return self.row.settings + "".join(f"{line}\n" for line in self.lines) + end

    def summary(self) -> Json:
        """The game in a list."""
        return summary_of(self.row, self.settings, self.book)


@lru_cache(maxsize=1024)
def read_settings(text: str) -> GameSettings:
    """The settings of a game, as a row keeps them."""
    return parse_record(text.encode(), "a stored game").settings


def read_book(settings: GameSettings, copy: str | None) -> Book:
    """The book of a game: its copy, or a built-in one; raises NinefoldError if it has changed."""
    if copy is None:
        book = books.load_book(settings.game, settings.reading, settings.all_changes)
    else:
        book = books.load_copy(copy, settings.game, settings.reading, settings.all_changes)
    if book.game.fingerprint != settings.rules:
        raise Illegal("rules-changed", "The rules have changed since this game was played.")
    return book


def summary_of(row: GameRow, settings: GameSettings, book: Book) -> Json:
    """A game in a list."""
    summary: dict[str, Any] = {
        "id": row.id,
        "state": row.state,
        "title": heading_of(book),
        "names": list(settings.players),
        "computers": [kind for kind in settings.seats if kind != HUMAN],
        "first": settings.first,
        "wins": row.wins,
        "created": row.created,
    }
    for name in ("time_limit", "game_time", "increment"):
        summary[name] = getattr(settings, name)
    return summary
