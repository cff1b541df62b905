"""One game on the server: rebuilt from its events, and judged by the referee."""

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.board_words import isolated, log_text, opening_text
from ninefold.books import Book
from ninefold.coach.words import format_choice
from ninefold.core.errors import Illegal
from ninefold.match import Match
from ninefold.narration import View
from ninefold.record.text import format_fact, format_result, parse_fact
from ninefold.referee import Referee
from ninefold.referee.events import Event, Forfeited, Moved, Refused, TakenBack
from ninefold.referee.settings import GameSettings
from ninefold.web.server.game_rows import read_book, read_settings, summary_of
from ninefold.web.server.store import GameRow, StoredEvent
from ninefold.web.server.view import Json

# How long a computer may think before another process does it instead, in milliseconds.
THINKING = 20_000
_FACTS = (Moved, TakenBack, Forfeited)
_DECLARE_AGAIN = "Choose other numbers, or pass."
# What the log says about other events than moves, to others and to the player who does it.
_SAID = {
    "ask-undo": ("{} asks to take back a move.", "You ask to take back a move."),
    "decline-undo": (
        "{} does not want to take back a move.",
        "You do not want to take back a move.",
    ),
    "rematch": ("{} wants a rematch.", "You want a rematch."),
    "ready": ("{} is ready for the next game.", "You are ready for the next game."),
    "withdrawn": ("{} has withdrawn this challenge.", "You have withdrawn this challenge."),
}


class Entry(NamedTuple):
    """What the log says about an event."""

    seq: int
    kind: str
    seat: int  # the player it is about
    text: str
    yours: str  # the same to that player


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
        for event in events:
            self.apply(event)

    @property
    def match(self) -> Match:
        """The games before this one between the two, and how many wins decide."""
        winners = tuple(int(one) or None for one in self.row.winners.split())
        return Match(self.row.wins or 1, None, 1, winners)

    @property
    def score(self) -> tuple[int, int]:
        """How many games each has won against the other, with this one once it is over."""
        winners, outcome = self.row.winners, self.referee.outcome
        winner = None if outcome is None else outcome.winner
        return winners.count("1") + (winner == 1), winners.count("2") + (winner == 2)

    @property
    def copy(self) -> str | None:
        """The copy of the rule book; None for a built-in one."""
        return self.book.copy if self.row.book is not None else None

    def seat_of(self, who: str | None) -> int:
        """The seat of an identity; 0 for a spectator."""
        row = self.row
        if who is None:
            return 0
        return 1 if who == row.who1 else 2 if who == row.who2 else 0

    def wants_next(self, seat: int) -> bool:
        """Whether everybody wants the next game, once this player does; a computer always does."""
        people = {one for one in (1, 2) if self.settings.humans[one - 1]}
        return people <= {*self.ready, seat}

    @property
    def computer(self) -> int:
        """The seat of the computer player to act; 0 if it is a person's turn, or nobody's."""
        referee = self.referee
        if all(referee.humans) or self.row.state != "playing" or referee.outcome is not None:
            return 0
        turn = referee.position.turn
        return 0 if referee.humans[turn - 1] else turn

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
        self.seq = event.seq
        if event.key is not None:
            self.keys[event.key] = event.seq
        if event.kind == "fact":
            seat, text, yours = self._note_fact(event, caused)
        else:
            seat = int(event.body) if event.body in ("1", "2") else 0
            seat = self.referee.position.turn if event.kind == "begun" else seat
            text, yours = self._text(event, seat)
            self._note_other(event, seat)
        self.log.append(Entry(event.seq, event.kind, seat, text, yours))

    def _note_fact(self, event: StoredEvent, caused: Sequence[Event]) -> tuple[int, str, str]:
        """The seat of the player who acted or acts again, and what the log says about it."""
        self.last_fact, self.undo_asked_by = event.seq, 0
        self.lines.append(event.body)
        seat, told, to_you = 0, list[str](), list[str]()
        for one in caused:
            if not seat and isinstance(one, Moved | Forfeited):
                seat = one.seat
            text, yours = log_text(self.words, one, self.referee)
            if text:
                told.append(text)
                to_you.append(yours)
        return seat or self.referee.position.turn, "\n".join(told), "\n".join(to_you)

    def _note_other(self, event: StoredEvent, seat: int) -> None:
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

    def _text(self, event: StoredEvent, seat: int) -> tuple[str, str]:
        """What the log says to anybody, and to the player it is about."""
        names = self.words.names
        if event.kind == "begun":
            is_later = self.referee.plies > 0
            texts = (opening_text(seat, names, reader, is_later) for reader in (None, seat))
            return next(texts), next(texts)
        if event.kind == "given":
            moves = ", ".join(map(format_choice, self.referee.moves))
            text = f"After these moves of another game: {moves}."
            return text, text
        is_ready = event.kind == "rematch" and self.row.wins is not None
        text, yours = _SAID.get("ready" if is_ready else event.kind, ("", ""))
        return text.format(names[seat - 1]), yours

    def to_store(
        self, caused: Sequence[Event], at: int, key: str | None = None
    ) -> list[StoredEvent]:
        """The facts among these events as they are stored; raises NinefoldError if refused."""
        if caused and isinstance(caused[0], Refused):
            raise Illegal(caused[0].error.code, self._refusal(caused[0]))
        events, seq = list[StoredEvent](), self.seq
        for fact in caused:
            if isinstance(fact, _FACTS):
                seq += 1
                line = format_fact(fact, self.referee.plies).rstrip("\n")
                events.append(StoredEvent(seq, at, "fact", line, key))
                key = None
        return events

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
        if row.state != "playing":
            return row
        if referee.outcome is not None:
            return row._replace(state="over", wake=None, winner=referee.outcome.winner or 0)
        wake = now + THINKING if self.computer else None
        if referee.deadline is not None:
            wake = round(referee.deadline * 1000)
        return row if wake == row.wake else row._replace(wake=wake)

    @property
    def match_goes_on(self) -> bool:
        """Whether the game is over and another one decides the match."""
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
