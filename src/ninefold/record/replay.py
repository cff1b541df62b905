"""A record judged again, move by move: nothing in it is taken on trust."""

from collections.abc import Iterator

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.record.errors import RecordError
from ninefold.record.format import RESULTS
from ninefold.record.parse import Record
from ninefold.record.seats import seat_referee
from ninefold.referee import Referee
from ninefold.referee.events import Event


class Replay:
    """A record, its book, and a referee that has seen as much of it as ``steps`` has shown.

    Raises RecordError if the book is unknown or its rules have changed.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        header = record.header
        try:
            self.book = books.load(header.game, header.reading, header.all_changes)
            self.referee = seat_referee(header, self.book)
        except NinefoldError as error:
            raise RecordError(record.source, 0, error.message) from None
        if self.book.game.fingerprint != header.rules:
            raise RecordError(
                record.source,
                0,
                f"the rules of {header.game} ({header.reading}) have changed since this game "
                f"was recorded (then {header.rules}, now {self.book.game.fingerprint})",
            )

    def steps(self) -> Iterator[list[Event]]:
        """The events of each recorded fact in turn; raises RecordError at an impossible one."""
        source = self.record.source
        last = 0
        for fact, line, _ in self.record.entries:
            last = line
            try:
                yield self.referee.replay(fact)
            except NinefoldError as error:
                raise RecordError(source, line, f"impossible: {error.reason}") from None
        self._check_result(last)

    def run(self) -> Referee:
        """The referee after everything recorded; raises RecordError."""
        for _ in self.steps():
            pass
        return self.referee

    def _check_result(self, line: int) -> None:
        outcome, result = self.referee.outcome, self.record.result
        if outcome is None and self.record.finished:
            raise RecordError(
                self.record.source, line, f"the result is {result}, but the game is not over"
            )
        if outcome is not None and self.record.finished and RESULTS[outcome.winner] != result:
            raise RecordError(
                self.record.source,
                line,
                f"the result is {result}, but the moves say {RESULTS[outcome.winner]}",
            )
