"""One game in line mode: ask, let the referee judge, write it down, then show it."""

import os
from time import monotonic

from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import PASS, SWAP, format_move
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.core.text import shorten
from ninefold.line.console import Console, TimeUp
from ninefold.line.screen import Screen, answer_of
from ninefold.players import Chance, Player
from ninefold.record.format import Header
from ninefold.record.store import Recorder
from ninefold.referee import Referee
from ninefold.referee.events import Command, Ended, Event, SetAside
from ninefold.referee.parse import COMMANDS, VERBS
from ninefold.referee.turn import take_turn


class Left(Exception):
    """The players left before the end; ``how`` is quit, eof or lapsed."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class LineGame:
    """A game at the table: a referee, its record, a console to play it on, and the computers."""

    def __init__(
        self,
        console: Console,
        book: Book,
        header: Header,
        referee: Referee,
        recorder: Recorder,
        players: tuple[Player | None, Player | None],
    ) -> None:
        self.console = console
        self.book = book
        self.referee = referee
        self.recorder = recorder
        self._players = players
        self.screen = Screen(console, book, (header.player1, header.player2), referee.humans)
        self._chance = Chance(header.seed, header.round)
        self._hinted: tuple[Position | None, int] = (None, 0)

    def play(self, resumed: bool = False) -> Outcome:
        """Play to the end; raises Left when the players leave, KeyboardInterrupt on Ctrl-C."""
        referee = self.referee
        if not resumed:
            self.screen.opening(referee.position)
        else:
            self.screen.resumed(referee.position, referee.outcome is not None)
            self._supply_result()
        while referee.outcome is None:
            self._one_input()
        return referee.outcome

    def _supply_result(self) -> None:
        """If the last move was recorded, but the process died before the result: supply it."""
        if self.referee.outcome is not None:
            ended = Ended(self.referee.outcome)
            self.recorder.write([ended], self.referee.plies)
            self.screen.event(ended, self.referee)

    def _one_input(self) -> None:
        """One answer of the player to act, and everything that follows from it."""
        referee, before = self.referee, self.referee.position
        computer = self._players[before.turn - 1]
        if computer is None:
            events = self._ask(before)
            self.recorder.write(events, referee.plies)
        else:
            events = take_turn(referee, computer, self._chance, monotonic())
            self.recorder.write(events, referee.plies)
            self.screen.typed(before, answer_of(events[0]))
        for event in events:
            self.screen.event(event, referee)
            self._obey(event)
        self.screen.next_turn(before, referee)

    def _ask(self, position: Position) -> list[Event]:
        referee, seat = self.referee, position.turn
        if referee.deadline is None:
            referee.begin_turn(monotonic())
        words = [*map(str, position.picks), *COMMANDS, *VERBS[:1]]
        words += [format_move(move) for move in position.legal if move in (PASS, SWAP)]
        view = self.screen.view
        status = f"{view.names[seat - 1]} to move. ? for help"
        try:
            text = self.console.ask(view.prompt(position), referee.deadline, words, status)
        except TimeUp:
            return referee.tick(max(monotonic(), referee.deadline or 0.0))
        except EOFError:
            raise Left("eof") from None
        return referee.submit(seat, text, monotonic())

    def _obey(self, event: Event) -> None:
        """Answer what the referee leaves to the front end."""
        if isinstance(event, SetAside):
            raise Left("lapsed")
        if not isinstance(event, Command):
            return
        if event.name == "quit":
            raise Left("quit")
        if event.name == "board":
            self.screen.show(self.screen.view.board(self.referee.position))
        elif event.name == "help":
            self.screen.show(help_text(self.book, self.recorder.complete))
        elif event.name == "hint":
            self._hint()
        elif event.name == "rules":
            from ninefold.line.rules import rules_text

            self.screen.show(rules_text(self.book))
        else:
            self._save(event.argument)

    def _hint(self) -> None:
        """Tell a little more each time it is asked for in the same position."""
        from ninefold.coach.hint import hint_for
        from ninefold.coach.words import STEPS, sentence

        position = self.referee.position
        step = self._hinted[1] + 1 if self._hinted[0] is position else 1
        self._hinted = (position, min(step, STEPS))
        try:
            self.screen.show(sentence(hint_for(position), step) + "\n")
        except NinefoldError as error:
            self.screen.show(f"{error.message}\n", "refusal")

    def _save(self, argument: str) -> None:
        name = shorten(argument, 60)
        try:
            self.recorder.save_copy(os.path.expanduser(argument))
        except FileExistsError:
            self.screen.show(f"{name} exists already. Name another file: save FILE\n", "refusal")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            self.screen.show(f"Cannot save to {name}: {reason}. Try: save FILE\n", "refusal")
        else:
            self.screen.show(f"Saved to {name}.\n")


def help_text(book: Book, recorded: bool) -> str:
    """What can be typed at the prompt."""
    claim = _declaring(book) if book.game.rules.declare else ""
    claim += "pass           pass the turn on\n" if book.game.rules.passing else ""
    claim += "swap           answer the first turn: the hands change owners\n" * book.game.rules.pie
    later = "; the game can be resumed" if recorded else ""
    return (
        "4              claim the number 4 (pick 4 does the same)\n"
        f"{claim}"
        "hint           a hint; again for more\n"
        "board          show all numbers again\n"
        "rules          the rules of this game\n"
        "undo           take a move back\n"
        "resign         give the game up\n"
        "save FILE      save a copy of the game\n"
        f"quit           leave{later}\n"
    )


def _declaring(book: Book) -> str:
    """How to declare a set, with one of this game for an example."""
    shortest = min(book.game.sets, key=len, default=())
    example = f"declare {' '.join(map(str, shortest)) or 'A B C'}"
    return f"{example:<13}  claim that you hold a winning set\n"
