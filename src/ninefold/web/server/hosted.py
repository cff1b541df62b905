"""One game on the server: rebuilt from its events, judged by the referee, shown to who watches."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from ninefold import books
from ninefold.board_words import isolated, log_text, names_seen, opening_text, winner_text
from ninefold.books import Book
from ninefold.coach.words import format_choice
from ninefold.core.errors import Illegal
from ninefold.core.outcome import Outcome
from ninefold.match import Match
from ninefold.narration import View
from ninefold.players import HUMAN
from ninefold.record.text import format_fact, format_result, parse_fact, parse_record
from ninefold.referee import Referee
from ninefold.referee.events import Event, Forfeited, Moved, Refused, TakenBack
from ninefold.referee.settings import GameSettings
from ninefold.web.server.choices import Times, clock_text, match_text
from ninefold.web.server.identity import is_bot
from ninefold.web.server.store import GameRow, StoredEvent
from ninefold.web.server.view import (
    Json,
    board_view,
    heading_of,
    lasting_view,
    own_key,
    own_view,
    to_text,
)

# How long a computer may think before another process does it instead, in milliseconds.
THINKING = 20_000
_ASKED = "{} asks to take back a move."
_DECLINED = "{} does not want to take back a move."
_WAITING = "Waiting for an opponent."
_DECLARE_AGAIN = "Choose other numbers, or pass."
_RESIGN = ("resign", "Resign", "Resign this game?")
_WITHDRAWN = "{} has withdrawn this challenge."
_REMATCH = {True: "{} is ready for the next game.", False: "{} wants a rematch."}


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

    def __init__(
        self,
        row: GameRow,
        events: Sequence[StoredEvent] = (),
        book: Book | None = None,
        settings: GameSettings | None = None,
    ) -> None:
        self.row = row
        self.settings = settings or read_settings(row.settings)
        self.book = book or read_book(self.settings)
        self.referee = Referee(self.book.game, self.settings)
        one, two = map(isolated, self.settings.players)
        self.words = View(self.book, (one, two), self.settings.humans)
        self.seq = 0
        self.last_fact = 0  # the number of the event that changed the position last
        self.log: list[Entry] = []
        self.lines: list[str] = []  # the facts, as in a record
        self.keys: dict[str | None, int] = {}
        self.undo_asked_by = 0
        self.ready: set[int] = set()  # who wants the next game
        self.next_game: str | None = None
        self._lasting = ""  # what everybody sees all the time, as JSON
        self._board = ""  # what everybody sees, as JSON; made again when the position changes
        self._own_views: dict[tuple[object, ...], str] = {}
        self._last_head = (-1, 0, "")
        for event in events:
            self.apply(event)

    @property
    def match(self) -> Match:
        """The games before this one between the two, and how many wins decide."""
        winners = tuple(int(one) or None for one in self.row.winners.split())
        return Match(self.row.wins or 1, None, 1, winners)

    @property
    def copy(self) -> str | None:
        """The copy of the rule book; None for a built-in one."""
        return self.book.copy if self.row.book is not None else None

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
        if event.kind == "given":
            for line in event.body.split("\n"):
                self.referee.replay(parse_fact(line, self.referee.plies))
        if event.kind == "fact":
            fact = parse_fact(event.body, self.referee.plies)
            self.note(event, self.referee.replay(fact, event.at / 1000))
        else:
            self.note(event, [])

    def note(self, event: StoredEvent, caused: Sequence[Event]) -> None:
        """Take note of an event that is stored, and of what the referee said about it."""
        self._last_head = (-1, 0, "")
        self.seq = event.seq
        if event.key is not None:
            self.keys[event.key] = event.seq
        if event.kind == "fact":
            seat, text = self._note_fact(event, caused)
        else:
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
        elif event.kind == "given":
            self.last_fact = event.seq
            self.lines += event.body.split("\n")
        self.log.append(Entry(event.seq, event.kind, seat, text))

    def _note_fact(self, event: StoredEvent, caused: Sequence[Event]) -> tuple[int, str]:
        """The seat of the player who acted, and what the log says about it."""
        self._board = ""
        self.last_fact, self.undo_asked_by = event.seq, 0
        self.lines.append(event.body)
        seat = next((one.seat for one in caused if isinstance(one, Moved | Forfeited)), 0)
        told = [log_text(self.words, one, self.referee) for one in caused]
        return seat, "\n".join(filter(None, told))

    def _text(self, event: StoredEvent, seat: int) -> str:
        name = self.words.names[seat - 1]
        if event.kind == "begun":
            return opening_text(self.settings.first, self.words.names, None)
        if event.kind == "given":
            moves = ", ".join(map(format_choice, self.referee.moves))
            return f"After these moves of another game: {moves}."
        is_match = self.row.wins is not None
        words = {
            "ask-undo": _ASKED,
            "decline-undo": _DECLINED,
            "rematch": _REMATCH[is_match],
            "withdrawn": _WITHDRAWN,
        }
        return words[event.kind].format(name) if event.kind in words else ""

    def to_store(self, caused: Sequence[Event], at: int, key: str | None) -> list[StoredEvent]:
        """The facts among these events as they are stored; raises NinefoldError if refused."""
        if caused and isinstance(caused[0], Refused):
            raise Illegal(caused[0].error.code, self._refusal(caused[0]))
        facts = [one for one in caused if isinstance(one, Moved | TakenBack | Forfeited)]
        lines = [format_fact(fact, self.referee.plies).strip() for fact in facts]
        return [
            StoredEvent(self.seq + number, at, "fact", line, key if number == 1 else None)
            for number, line in enumerate(lines, 1)
        ]

    def _refusal(self, refused: Refused) -> str:
        """What is wrong and what to do; the book's own advice on declaring is about typing."""
        if self.referee.outcome is not None:
            return refused.error.message
        if self.referee.position.asking:
            return f"{refused.error.reason} {_DECLARE_AGAIN}"
        text = self.words.refused(refused, self.referee.position).strip()
        return text or refused.error.message

    def row_now(self, now: int) -> GameRow:
        """The row as it must be stored: whether the game is over, and when to act next."""
        row, referee = self.row, self.referee
        if row.state in ("open", "withdrawn"):
            return row
        if referee.outcome is not None:
            return row._replace(state="over", wake=None, winner=referee.outcome.winner or 0)
        deadline = referee.deadline
        wake = now + THINKING if self.computer else None
        wake = wake if deadline is None else round(deadline * 1000)
        return row if wake == row.wake else row._replace(wake=wake)

    # What is shown

    def message(self, reader: int, since: int, now: int) -> str:
        """The state of the game for the player in this seat, with the log after an event."""
        self._board = self._board or self._shared()
        head, own = self._head(since, now), self._own_text(reader)
        return f'{head[:-1]},"view":{self._board[:-1]},{own[1:]}}}'

    def _own_text(self, reader: int) -> str:
        """What only this reader sees; few things that it depends on ever change in a game."""
        actions = self._actions(reader)
        seen = (reader, self.row.state, tuple(actions), *own_key(self.referee))
        if (text := self._own_views.get(seen)) is None:
            text = self._own_views[seen] = to_text(self._own(reader, actions))
        return text

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
            self._last_head = since, now, to_text(head)
        return self._last_head[2]

    def _shared(self) -> str:
        outcome = self.referee.outcome
        if outcome is not None or not self._lasting:
            won = self.match if outcome is None else self.match.add(outcome.winner)
            lasting = lasting_view(self.book, self.settings)
            lasting["bots"] = bots_of(self.row)
            lasting["score"] = [won.tally(1), won.tally(2)]
            lasting["match"] = self.row.wins and {"wins": self.row.wins, "over": won.over}
            self._lasting = to_text(lasting)
        return f"{self._lasting[:-1]},{to_text(board_view(self.words, self.referee))[1:]}"

    def _own(self, reader: int, actions: Sequence[tuple[str, ...]]) -> Json:
        """What this player sees besides what everybody does."""
        own = own_view(self.words, self.referee, reader)
        if self.row.state == "open":
            invited = f"{self.words.names[0]} invites you to play."
            own["status"] = _WAITING if reader else invited
        elif self.row.state == "withdrawn":
            own["status"] = "This challenge was withdrawn."
        fields = ("action", "label", "ask")
        return {**own, "actions": [dict(zip(fields, one, strict=False)) for one in actions]}

    def _actions(self, reader: int) -> list[tuple[str, ...]]:
        """What this player can do besides moving: the action, its label, and a question first."""
        state, referee = self.row.state, self.referee
        if state == "open":
            return [("withdraw", "Withdraw")] if reader else [("join", "Join")]
        if not reader or state == "withdrawn":
            return []
        if referee.outcome is not None:
            is_asked = self.next_game is None and reader not in self.ready
            label = "Next game" if self._match_goes_on else "Rematch"
            return [("rematch", label)] if is_asked else []
        if self.undo_asked_by == 3 - reader:
            return [("accept-undo", "Accept"), ("decline-undo", "Decline"), _RESIGN]
        can_undo = not self.undo_asked_by and referee.can_undo(reader, apart=True)
        return [("undo", "Undo"), _RESIGN] if can_undo else [_RESIGN]

    def standing(self, who: str) -> Json:
        """How the game stands for a player, in a list."""
        seat = self.seat_of(who)
        own = self._own(seat, ())
        is_on = self.row.state == "playing" and self.referee.outcome is None
        turn = self.referee.position.turn if is_on else 0
        return {"you": seat, "turn": turn, "winner": None, "status": own["status"]}

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
        limit = settings.time_limit
        return {"running": running, "limit": limit, "left": left, "deadline": turn}

    def record(self) -> str:
        """The game as a record that every command reads."""
        outcome = self.referee.outcome
        end = "*\n" if outcome is None else format_result(outcome)
        return self.row.settings + "".join(f"{line}\n" for line in self.lines) + end

    def summary(self) -> Json:
        """The game in a list."""
        return summary_of(self.row, self.settings)


@lru_cache(maxsize=1024)
def read_settings(text: str) -> GameSettings:
    """The settings of a game, as a row keeps them."""
    return parse_record(text.encode(), "a stored game").settings


def read_book(settings: GameSettings) -> Book:
    """The built-in book of a game; raises NinefoldError if it has changed."""
    book = books.load_book(settings.game, settings.reading)
    check_rules(book, settings)
    return book


def check_rules(book: Book, settings: GameSettings) -> None:
    """Raises NinefoldError if the rules of a game are no longer those of its book."""
    if book.game.fingerprint != settings.rules:
        raise Illegal("rules-changed", "The rules have changed since this game was played.")


def bots_of(row: GameRow) -> list[int]:
    """The seats of bots."""
    return [seat for seat, who in enumerate((row.who1, row.who2), 1) if who and is_bot(who)]


def ended_for(row: GameRow, who: str) -> Json:
    """How a finished game ended for a player, in a list."""
    seat = 1 if who == row.who1 else 2
    one, two = map(isolated, read_settings(row.settings).players)
    text = winner_text(Outcome(row.winner or None, ""), names_seen((one, two), seat))
    return {"you": seat, "turn": 0, "winner": row.winner, "status": text}


def summary_of(row: GameRow, settings: GameSettings) -> Json:
    """A game in a list."""
    summary: dict[str, Any] = {
        "id": row.id,
        "state": row.state,
        "title": row.title or heading_of(read_book(settings)),
        "names": list(settings.players),
        "computers": [kind for kind in settings.seats if kind != HUMAN],
        "bots": bots_of(row),
        "first": settings.first,
        "wins": row.wins,
        "created": row.created,
    }
    times = Times(settings.time_limit, settings.game_time, settings.increment)
    terms = [] if times == Times() else [clock_text(times)]
    terms += [match_text(row.wins)] if row.wins is not None else []
    return {**summary, **times._asdict(), "terms": terms}
