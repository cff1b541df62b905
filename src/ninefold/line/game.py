"""One game in line mode: ask for a move, let the referee judge it, record it, show it."""

import os
import sys
from time import monotonic, sleep
from typing import TYPE_CHECKING

from ninefold.books import Book
from ninefold.core.moves import PASS, SWAP, format_move
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.core.text import plural, shorten
from ninefold.line.console import Console, TimeUp, holding_ctrl_c
from ninefold.line.screen import Screen
from ninefold.line.wrap import patience
from ninefold.referee.events import Command, Ended, Event, SetAside
from ninefold.referee.parse import COMMANDS, VERBS
from ninefold.session import LiveGame

if TYPE_CHECKING:
    from ninefold.coach.hint import Hint


class Left(Exception):
    """The players left before the end; the text says why, unless they chose to."""


class Gone(Left):
    """Nobody answers any more, so nothing else is to be asked."""


class LineGame:
    """One game at a console."""

    def __init__(self, console: Console, book: Book, game: LiveGame, pace: float = 0.0) -> None:
        self.game = game
        self.pace = pace  # seconds before each move of a computer
        self.referee = game.referee
        self.screen = Screen(console, book, self.referee.settings.players, self.referee.humans)
        self._hinted: tuple[Hint | None, int] = (None, 0)

    def play(self) -> Outcome:
        """Play to the end; raises Left when the players leave, KeyboardInterrupt on Ctrl-C."""
        referee = self.referee
        if not self.game.resumed:
            self.screen.opening(referee.position)
        else:
            self.screen.resumed(referee.position, referee.outcome is not None)
            if referee.outcome is not None:
                self.screen.event(Ended(referee.outcome), referee)
        while referee.outcome is None:
            self._one_input()
        return referee.outcome

    def _one_input(self) -> None:
        """One answer of the player to act, with all its consequences."""
        referee, before = self.referee, self.referee.position
        computer = self.game.computer
        if computer is None:
            events = self._ask(before)
        else:
            name = self.screen.names[before.turn - 1]
            with patience(f"{name} is thinking ..." * self.screen.console.interactive):
                decision = self.game.think()
            if self.pace:
                sys.stdout.flush()
                sleep(self.pace)
            with holding_ctrl_c():  # a move is recorded, or it is not
                events = self.game.answer(decision, monotonic())
            self.screen.typed(before, events[0])
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
        screen = self.screen
        status = f"{screen.names[seat - 1]} to move. ? for help"
        if screen.console.accessible and referee.deadline is not None:
            left = max(0, round(referee.deadline - monotonic()))
            screen.show(f"You have {plural(left, 'second')}.\n")
        try:
            text: str | None = screen.console.ask(
                screen.prompt(position), referee.deadline, words, status
            )
        except TimeUp:
            text = None
        except EOFError:
            raise Gone from None
        with holding_ctrl_c():
            if text is None:
                return self.game.tick(max(monotonic(), referee.deadline or 0.0))
            return self.game.submit(text, monotonic())

    def _obey(self, event: Event) -> None:
        """Answer the commands that the referee leaves to the front end."""
        if isinstance(event, SetAside):
            raise Gone("Nobody is playing, so the game is set aside. ")
        if not isinstance(event, Command):
            return
        if event.name == "quit":
            raise Left
        if event.name == "board":
            self.screen.show(self.screen.board(self.referee.position))
        elif event.name == "help":
            asking = self.referee.position.asking
            self.screen.show(help_text(self.screen.book, self.game.recorder.complete, asking))
        elif event.name == "hint":
            self._hint()
        elif event.name == "rules":
            from ninefold.line.rules import rules_text

            self.screen.show(rules_text(self.screen.book))
        else:
            self._save(event.argument)

    def _hint(self) -> None:
        """Show a little more each time in the same position."""
        from ninefold.coach.hint import hint_for
        from ninefold.coach.words import STEPS, sentence

        position, (hint, step) = self.referee.position, self._hinted
        if hint is None or hint.position is not position:
            longer = "Still searching; the first time this takes half a minute ..."
            with patience("Searching for a few seconds ..."), patience(longer, 15):
                hint, step = hint_for(position), 0
        self._hinted = hint, min(step + 1, STEPS)
        self.screen.show(sentence(hint, self._hinted[1]) + "\n")

    def _save(self, argument: str) -> None:
        name = shorten(argument, 60)
        try:
            self.game.recorder.save_copy(os.path.expanduser(argument))
        except FileExistsError:
            self.screen.show(f"{name} already exists. Choose another name: save FILE\n", "refusal")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            self.screen.show(f"Cannot save to {name}: {reason}. Try: save FILE\n", "refusal")
        else:
            self.screen.show(f"Saved to {name}.\n")


def help_text(book: Book, recorded: bool, asking: bool = False) -> str:
    """What can be typed at the prompt, or at the question for a declaration."""
    smallest = min(book.game.sets, key=len, default=())
    shortest = " ".join(map(str, smallest)) or "A B C"
    special = {
        "declare": (f"declare {shortest}", "declare a winning set"),
        "pass": ("pass", "pass instead"),
        "swap": ("swap", "swap hands, in answer to the first turn"),
    }
    rows = [("4", "claim the number 4 (pick 4 does the same)")]
    if not book.game.rules.passing:
        del special["pass"]  # only the question for a declaration can be passed
    rows += [special[word] for word in book.game.turns.words if word in special]
    if asking:
        rows = [(shortest, "declare this set, if you hold it"), ("Enter", "pass")]
    rows += [
        ("hint", "hint (type it again for more)"),
        ("board", "show all numbers again"),
        ("rules", "the rules of this game"),
        ("undo", "undo a move"),
        ("resign", "give up the game"),
        ("save FILE", "save a copy of the game"),
        ("quit", f"leave{'; you can resume the game later' if recorded else ''}"),
    ]
    return "".join(f"{typed:<13}  {what}\n" for typed, what in rows)
