"""A single game or a whole match in line mode, begun or resumed, and left cleanly."""

import os
import sys
import time
from collections.abc import Callable

from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.line.console import Console
from ninefold.line.game import Left, LineGame
from ninefold.match import Match
from ninefold.match.series import game_name, recover
from ninefold.record.replay import Replay, seat_referee
from ninefold.record.store import SUFFIX, Lock, Recorder, Store, new_name, read_record
from ninefold.record.text import Header
from ninefold.referee import Referee

INTERRUPTED = 130


class Series:
    """Plays what a header describes: one game, or games until a match is decided."""

    def __init__(self, console: Console, store: Store | None, book: Book) -> None:
        self.console = console
        self.store = store
        self.book = book
        self._lock: Lock | None = None
        self._recorded = False

    def begin(self, header: Header) -> int:
        """Start a new game or match; the exit code."""
        name = new_name()
        if header.wins is None:
            return self._guard(lambda: self._new_game(header, name), name)
        header = header._replace(match=name)
        match = Match(header.wins or 1, header.max_games, header.first)
        return self._guard(lambda: self._play_match(header, match), name)

    def resume(self, path: str) -> int:
        """Go on with the game or match in this file; the exit code. Raises NinefoldError."""
        assert self.store is not None, "only a recorded game can be resumed"
        record = read_record(path)
        name = os.path.basename(path).removesuffix(SUFFIX)
        header = record.header
        match = header.match
        if match is None or name != game_name(match, header.round):
            self._lock = _lock(path)
            return self._guard(lambda: self._resumed_game(path), name)
        self._lock = _lock(self.store.path(match))
        return self._guard(lambda: self._resume_match(header), match)

    def _guard(self, play: Callable[[], object], name: str) -> int:
        """Play; on leaving, say on standard error how to go on."""
        try:
            play()
        except Left as left:
            self._farewell(name, left.how)
        except KeyboardInterrupt:
            self._farewell(name, "interrupt")
            return INTERRUPTED
        finally:
            if self._lock:
                self._lock.release()
                self._lock = None
        return 0

    def _farewell(self, name: str, how: str) -> None:
        sys.stdout.flush()
        why = "Nobody is playing any more: the game is set aside. " if how == "lapsed" else ""
        if self.store is None or not self._recorded:
            note(f"{why}This game was not recorded, so it cannot be resumed.")
        else:
            note(f"{why}The game is saved. To go on: ninefold resume {name}")

    def _new_game(self, header: Header, name: str) -> int | None:
        recorder = self._recorder(header, name)
        return self._play(header, seat_referee(header, self.book), recorder, resumed=False)

    def _resumed_game(self, path: str) -> int | None:
        """Judge the record again, then go on behind its last move."""
        assert self.store is not None
        record = read_record(path)
        referee = Replay(record).run()
        if record.finished:
            raise NinefoldError("finished", "This game is over; ninefold show replays it.")
        recorder = self.store.reopen(record, path, note)
        note(f"Resuming {record.header.game} after move {referee.plies}.")
        return self._play(record.header, referee, recorder, resumed=True)

    def _play(
        self, header: Header, referee: Referee, recorder: Recorder, resumed: bool
    ) -> int | None:
        self._recorded = recorder.recording
        game = LineGame(self.console, self.book, header, referee, recorder)
        try:
            outcome = game.play(resumed)
        except BaseException:
            self._recorded = recorder.recording
            recorder.set_aside()
            raise
        recorder.close()
        return outcome.winner

    def _play_match(self, header: Header, match: Match) -> None:
        name = header.match
        assert name is not None, "a match has a name"
        names = (header.player1, header.player2)
        while not match.over:
            number = len(match.winners) + 1
            header = header._replace(round=number, first=match.starter, date=now())
            starter = names[match.starter - 1]
            self.console.show(f"Game {number}, first to {match.wins}. {starter} starts.\n\n")
            winner = self._new_game(header, game_name(name, number))
            match = self._count(match.add(winner), names)

    def _resume_match(self, header: Header) -> None:
        assert self.store is not None and header.match is not None
        match, record = recover(self.store, header)
        names = (header.player1, header.player2)
        if match.over:
            raise NinefoldError("finished", "This match is over; ninefold show replays its games.")
        if not record.finished:
            path = self.store.path(game_name(header.match, record.header.round))
            match = self._count(match.add(self._resumed_game(path)), names)
        self._play_match(header, match)

    def _count(self, match: Match, names: tuple[str, str]) -> Match:
        """Show the tally after a game, and the result after the last."""
        drawn = f", drawn {match.drawn}" if match.drawn else ""
        one, two = match.tally(1), match.tally(2)
        self.console.show(f"\nMatch: {names[0]} {one}, {names[1]} {two}{drawn}.\n")
        if not match.over:
            self.console.show("\n")
        elif match.winner is None:
            self.console.show("The match is level.\n", "win")
        else:
            self.console.show(f"{names[match.winner - 1]} wins the match.\n", "win")
        return match

    def _recorder(self, header: Header, name: str) -> Recorder:
        if self.store is None:
            return Recorder("", None, note)
        recorder, lock = self.store.create(header, name, note)
        self._lock = self._lock or lock
        return recorder


def _lock(path: str) -> Lock:
    try:
        return Lock(path)
    except OSError as error:
        raise NinefoldError("no-such-record", f"Cannot open {path}: {error.strerror}.") from None


def now() -> str:
    """The date and time as records write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def note(text: str) -> None:
    """A line on standard error."""
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)
