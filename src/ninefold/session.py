"""A game or match in progress: its players, referee and record, for every front end."""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from ninefold.books import Book
from ninefold.books.safety import is_readable
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.invocation import command
from ninefold.match import Match, game_name, lock_of, match_of, read_match
from ninefold.players import (
    HUMAN,
    PROGRAM,
    Chance,
    NoMove,
    Player,
    limitation,
    make,
    runs_code,
)
from ninefold.record.replay import Replay
from ninefold.record.store import SUFFIX, Recorder, Store, locked, new_name
from ninefold.record.text import format_fact, format_settings, read_record
from ninefold.referee import Referee, decide
from ninefold.referee.events import Ended, Event, Moved
from ninefold.referee.settings import GameSettings

# How records write dates, in UTC.
DATE_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
Warn = Callable[[str], None]


class LiveGame:
    """One game being played: whatever happens in it is on disk before anybody is told."""

    def __init__(
        self,
        name: str,
        referee: Referee,
        recorder: Recorder,
        players: tuple[Player | None, Player | None] = (None, None),  # a person is None
        resumed: bool = False,
    ) -> None:
        self.name = name
        self.referee = referee
        self.recorder = recorder
        self.players = players
        self.resumed = resumed
        if referee.outcome is not None:  # the process died before the result was recorded
            self._record([Ended(referee.outcome)])

    @property
    def position(self) -> Position:
        """The position now."""
        return self.referee.position

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.referee.outcome

    @property
    def computer(self) -> Player | None:
        """The computer player to act; None if it is a person's turn, or nobody's."""
        return self.players[self.position.turn - 1] if self.outcome is None else None

    def submit(self, text: str, now: float) -> list[Event]:
        """The person to act types a line."""
        return self._record(self.referee.submit(self.position.turn, text, now))

    def move(self, move: Move, now: float) -> list[Event]:
        """The person to act makes a move."""
        return self._record(self.referee.choose(self.position.turn, move, now))

    def tick(self, now: float) -> list[Event]:
        """Check the clock."""
        return self._record(self.referee.tick(now))

    def undo(self, seat: int, now: float) -> list[Event]:
        """A person undoes the last move."""
        return self._record(self.referee.undo(seat, now))

    def resign(self, seat: int) -> list[Event]:
        """A player gives up."""
        return self._record(self.referee.resign(seat))

    def think(self) -> Move | NoMove:
        """What the computer player to act decides to do; changes nothing, and may take a while."""
        player = self.computer
        assert player is not None, "a computer player is to act"
        return decide(self.referee, player)

    def answer(self, decision: Move | NoMove, now: float) -> list[Event]:
        """The computer player to act does what it has decided."""
        return self._record(self.referee.answer(self.position.turn, decision, now))

    def _record(self, events: list[Event]) -> list[Event]:
        self.recorder.write(events, self.referee.plies)
        return events


class Session:
    """One game, or games until a match is decided; call ``close`` at the end, whatever happens."""

    def __init__(self, book: Book, settings: GameSettings, store: Store | None, warn: Warn) -> None:
        self.book = book
        self.settings = settings
        self.store = store
        self.name = new_name()
        self.match = match_for(settings)
        self.games: dict[str, LiveGame] = {}  # by the names of their records
        self.players = (make(settings.seat1, book.game), make(settings.seat2, book.game))
        self._pending: LiveGame | None = None
        self._closing = ExitStack()
        self._tell = warn
        self._failed = False
        self._closed = False

    @property
    def game(self) -> LiveGame | None:
        """The newest game."""
        return [*self.games.values()][-1] if self.games else self._pending

    @property
    def limitations(self) -> list[str]:
        """What to know about the computer players before the game."""
        kinds = dict.fromkeys(self.settings.seats)
        return [words for kind in kinds if (words := limitation(kind, self.book.game))]

    @property
    def commands(self) -> list[str]:
        """Code and models that play: programs as typed in a shell, others by their names."""
        seats = sorted({seat for seat in self.settings.seats if runs_code(seat)})
        return [seat.removeprefix(PROGRAM) for seat in seats]

    def next_game(self) -> LiveGame:
        """Begin the next game; first of all, continue the one that was resumed."""
        game = self._pending or self._new_game()
        self._pending = None
        for player in self.players:
            if player is not None:
                player.begin(self.book.game, self.settings.time_limit)
        self.games[game.name] = game
        return game

    def finish(self, game: LiveGame) -> None:
        """Count the result of a finished game."""
        if self.match is not None and game.outcome is not None:
            self.match = self.match.add(game.outcome.winner)
        if len(self.games) > 1:
            game.recorder.release()  # the first game of a match stays locked until its end

    def close(self) -> None:
        """Set an unfinished game aside, end the programs, and let others resume."""
        if self._closed:
            return
        self._closed = True
        try:
            for game in self.games.values():
                game.recorder.set_aside()
        finally:
            for player in self.players:
                if player is not None:
                    player.close()
            for game in self.games.values():
                game.recorder.release()
            self._closing.close()

    def rematch(self) -> "Session":
        """The same again: the loser starts, or after a draw the other player."""
        game = self.game
        outcome = game.referee.outcome if game else None
        single = Match(1, None, game.referee.settings.first if game else self.settings.first)
        first = (single if outcome is None else single.add(outcome.winner)).starter
        settings = self.settings._replace(
            first=first, date=timestamp(), seed=self.settings.seed + 1
        )
        return Session(self.book, settings, self.store, self._tell)

    @classmethod
    def play_on(
        cls,
        book: Book,
        settings: GameSettings,
        made: Sequence[Moved],
        store: Store | None,
        warn: Warn,
    ) -> "Session":
        """A single game that begins after these moves of another one; raises NinefoldError."""
        single = settings._replace(match=None, wins=None, max_games=None)
        session = cls(book, single, store, warn)
        session._pending = session._new_game(made)
        return session

    def _new_game(self, given: Sequence[Moved] = ()) -> LiveGame:
        settings = self.settings._replace(date=timestamp(), given=len(given) or None)
        name = self.name
        if self.match is not None:
            number = len(self.match.winners) + 1
            settings = settings._replace(match=name, round=number, first=self.match.starter)
            name = game_name(name, number)
        referee, facts = Referee(self.book.game, settings), ""
        for fact in given:
            referee.replay(fact)
            facts += format_fact(fact, referee.plies)
        if self.store is None or self._failed:
            recorder = Recorder(format_settings(settings) + facts, self._warn)
        else:
            recorder = self.store.recorder(name, settings, self._warn, self.book.copy, facts)
        return LiveGame(name, referee, recorder, self.players, bool(given))

    def _warn(self, text: str) -> None:
        """Say once that recording failed, and stop recording: a match must have no gaps."""
        if not self._failed:
            self._tell(text)
        self._failed = True

    @classmethod
    def resume(cls, path: str, warn: Warn) -> "Session":
        """The session of a recorded game or match, locked; raises NinefoldError."""
        store = Store(os.path.dirname(path) or os.curdir)
        record = read_record(path)
        name = match_of(record)
        with ExitStack() as stack:
            stack.enter_context(locked(lock_of(path, record)))
            # No tag is read after this, so the user gets what the user agreed to.
            match, replay = _judge(store, path, name)
            session = cls(replay.book, replay.record.settings, store, warn)
            session.name, session.match = name or handle(path), match
            if not replay.record.finished:
                one = session.name if name is None else replay.record.source.removesuffix(SUFFIX)
                at = path if name is None else store.path(one)
                recorder = store.reopen(at, replay.record.length, session._warn)
                session._pending = LiveGame(one, replay.referee, recorder, session.players, True)
            session._closing = stack.pop_all()
        return session


def new_settings(book: Book, seed: int | None = None, **given: object) -> GameSettings:
    """The settings of a new game; what is not given is as usual. The first player may be tossed."""
    chosen = int.from_bytes(os.urandom(4), "big") if seed is None else seed
    usual: dict[str, object] = {
        "player1": "Player 1",
        "player2": "Player 2",
        "seat1": HUMAN,
        "seat2": HUMAN,
        "first": 1,
        "time_limit": None,
        "on_timeout": book.on_timeout,
    }
    values = usual | {name: value for name, value in given.items() if value is not None}
    if values["first"] == "random":
        values["first"] = Chance(chosen).draw((1, 2), -1)
    return GameSettings(
        game=book.id,
        reading=book.reading,
        rules=book.game.fingerprint,
        date=timestamp(),
        seed=chosen,
        changes="; ".join(book.changes) or None,
        file=book.file if book.file and is_readable(book.file) else None,
        book=book.digest,
        **values,  # type: ignore[arg-type]
    )


def match_for(settings: GameSettings) -> Match | None:
    """The match that these settings begin, if they do."""
    if settings.wins is None:
        return None
    return Match(settings.wins, settings.max_games, settings.first)


def handle(path: str) -> str:
    """How to name this record on the command line: by its ID in the usual folder, or its path."""
    name = os.path.basename(path).removesuffix(SUFFIX)
    return name if Store().path(name) == path else path


def timestamp() -> str:
    """The date and time as records write it."""
    return time.strftime(DATE_FORMAT, time.gmtime())


def _judge(store: Store, path: str, name: str | None) -> tuple[Match | None, Replay]:
    """The score of the match, if any, and the game, judged again; raises NinefoldError."""
    match, record = (None, read_record(path)) if name is None else read_match(store, name)
    replay = Replay(record)
    replay.run()
    if match is None and record.finished:
        replay_it = f"To replay it: {command(f'show {handle(path)}')}"
        raise NinefoldError("finished", "This game is over.", replay_it)
    if match is not None and match.over:
        replay_it = f"To replay a game of it: {command(f'show {handle(path)}')}"
        raise NinefoldError("finished", "This match is over.", replay_it)
    return match, replay
