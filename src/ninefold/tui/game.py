"""The screen of a game that people play: they take numbers, declare, pass, undo, ask for hints."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widgets import Static

from ninefold.board_words import GIVE_UP_TURN, lost_turn_question
from ninefold.coach.hint import Hint, hint_for
from ninefold.coach.words import STEPS, sentence, you_and_they
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import LOST, PASS, SWAP, Move, declare
from ninefold.tui.background import in_background
from ninefold.tui.board import Board
from ninefold.tui.dialogs import Confirm
from ninefold.tui.game_page import GamePage
from ninefold.tui.line_of_play import LineOfPlay

CHOOSE = "Choose the numbers of your set: arrows and Space, or click them."


class GameScreen(GamePage):
    """Plays the games of a session; leaving it keeps the game for later."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "declare", "Declare"),
        Binding("p", "pass", "Pass"),
        Binding("s", "swap", "Swap"),
        Binding("g", "give_up_turn", "Give up turn"),
        Binding("n", "next", "Next game"),
        Binding("v", "review", "Review"),
        Binding("h", "hint", "Hint"),
        Binding("u", "undo", "Undo"),
        Binding("t", "threats", "Threats"),
        Binding("comma", "replay(-1)", "Back", key_display=","),
        Binding("full_stop", "replay(1)", "Forward", key_display="."),
        Binding("m", "history", "Moves"),
        Binding("r", "rules", "Rules"),
        Binding("x", "resign", "Resign"),
        Binding("escape", "leave", "Home"),
    ]
    CONTROLS: ClassVar[Mapping[str, str]] = {
        "declare": "d Declare",
        "pass": "p Pass",
        "swap": "s Swap",
        "give_up_turn": "g Give up turn",
        "next": "n Next game",
        "review": "v Review",
        "now": "Esc Back to the game",
        "hint": "h Hint",
        "undo": "u Undo",
        "resign": "x Resign",
        "rules": "r Rules",
        "leave": "Esc Home",
    }
    PALETTE: ClassVar[Mapping[str, tuple[str, str]]] = {
        "declare": ("Declare a set", "Choose its numbers on the board"),
        "pass": ("Pass", "Take no number this turn"),
        "swap": ("Swap hands", "Take over the other player's numbers"),
        "give_up_turn": ("Give up your turn", "Lose this turn"),
        "hint": ("Hint", "An area, then a number, then the reason"),
        "undo": ("Undo", "Take the last move back"),
        "threats": ("Show threats", "Who is one number away from a set"),
        "history": ("Moves and log", "Everything that has happened"),
        "review": ("Review", "Every move judged, and what was better"),
        "next": ("Next game", "The next game of the match, or a rematch"),
        "rules": ("Rules of this game", "How it is played"),
        "resign": ("Resign", "Give up this game"),
        "leave": ("Home", "Leave; the game is kept"),
    }

    _sought: int | None = None  # the moment for which a hint is being looked for

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Only what is possible now can be pressed or clicked; nothing without a board."""
        if not self.is_open:
            return False
        game, position, mine = self.game, self.game.position, self._may_act()
        possible = {
            "declare": mine and self.session.book.game.rules.declare,
            "pass": mine and PASS in position.legal,
            "swap": mine and SWAP in position.legal,
            "give_up_turn": mine and LOST in position.legal and not position.asking,
            "hint": mine,
            "undo": mine and game.referee.can_undo(position.turn),
            "resign": mine,
            "next": game.outcome is not None,
            "review": game.outcome is not None and bool(game.referee.moves),
            "threats": game.outcome is None,
            "replay": bool(game.referee.moves),
            "now": not self.is_showing_now,
        }
        return possible.get(action, True)

    # What the player does

    @on(Board.Taken)
    def _take(self, event: Board.Taken) -> None:
        if not self._may_act():
            if not self.is_showing_now:
                past = "This is an earlier position. Press Esc to return to the game."
                self.query_one("#message", Static).update(past)
            return
        if self.chosen is not None:
            self._toggle(event.number) if event.is_named else self._declare()
        elif self.game.position.attempt(event.number) is LOST:
            question = lost_turn_question(event.number)
            self._confirm(question, partial(self._move, event.number))
        else:
            self._move(event.number)

    @on(Board.Toggled)
    def _toggled(self, event: Board.Toggled) -> None:
        if self.chosen is not None and self._may_act():
            self._toggle(event.number)
        else:
            self._take(Board.Taken(event.number))

    @on(Board.Moved)
    def _explain(self, event: Board.Moved) -> None:
        """Say why the number under the cursor may not be taken."""
        position, number, board = self.game.position, event.number, self.query_one(Board)
        if self._may_act() and self.chosen is None:
            text = board.typing
            if number in position.available and number not in position.picks:
                text = position.why_barred(number, position.turn)
            elif board.typed == str(number) and number not in position.available:
                text = f"{number} is already taken."
            self.show_message(text)

    def _may_act(self) -> bool:
        """Whether a person is to act, and the board shows the game as it stands."""
        return self.game.outcome is None and self.game.computer is None and self.is_showing_now

    def _toggle(self, number: int) -> None:
        assert self.chosen is not None, "numbers are only marked for a declaration"
        if number in self.game.position.hands[self.game.position.turn - 1]:
            self.chosen ^= {number}
            numbers = " ".join(map(str, sorted(self.chosen)))
            self.message = f"Declare {numbers}: press d or Enter." if numbers else ""
        else:
            self.message = f"{number} is not one of your numbers."
        self.refresh_all()

    def _declare(self) -> None:
        if self.chosen:
            self._move(declare(self.chosen))
        elif PASS in self.game.position.legal:
            self._move(PASS)
        else:
            self.show_message(CHOOSE)

    def _move(self, move: Move) -> None:
        self._happened(self.game.move(move, self.program.clock()))

    def _confirm(self, question: str, then: Callable[[], None]) -> None:
        moment = self._moment

        def answered(yes: bool | None) -> None:
            if yes and moment == self._moment and self.is_open:
                then()

        self.app.push_screen(Confirm(question), answered)

    def action_declare(self) -> None:
        """Start to choose the numbers of a set, or declare them."""
        if self.chosen is None:
            self.chosen, self.message = set(), CHOOSE
            self.refresh_all()
        else:
            self._declare()

    def action_pass(self) -> None:
        """Pass, or answer a question with no."""
        self._move(PASS)

    def action_swap(self) -> None:
        """Swap hands."""
        self._move(SWAP)

    def action_give_up_turn(self) -> None:
        """Lose the turn on purpose."""
        self._confirm(GIVE_UP_TURN, partial(self._move, LOST))

    def action_undo(self) -> None:
        """Take the last move back."""
        self._happened(self.game.undo(self.game.position.turn, self.program.clock()))

    def action_resign(self) -> None:
        """Give the game up, after a question."""

        def resign() -> None:
            self._happened(self.game.resign(self.game.position.turn))

        self._confirm("Resign this game?", resign)

    def action_threats(self) -> None:
        """Show or hide who is one number away from a set."""
        self.program.change_preferences(threats=not self.preferences.threats)
        if self.chosen is None:  # otherwise, what is asked stays below the board
            none = not any(map(self.position.threats, (1, 2)))
            shown = "Nobody is one number away from a set." if none else ""
            hidden = "Threats are no longer marked."
            self.message = shown if self.preferences.threats else hidden
        self.refresh_all()

    def action_hint(self) -> None:
        """A little more each time: an area, a number, then a line of play on the board."""
        if self.hint is not None:
            self.hint_step = min(self.hint_step + 1, STEPS)
            self._show_hint()
            return
        if self._sought == self._moment:
            return
        self._sought = self._moment
        self.show_message("Looking for a hint …")
        position = self.game.position
        in_background(self, lambda: hint_for(position), partial(self._hinted, self._moment))

    def _hinted(self, moment: int, hint: Hint | NinefoldError) -> None:
        if moment != self._moment:
            return
        self._sought = None
        if isinstance(hint, NinefoldError):
            self.show_message(hint.message)
            return
        self.hint, self.hint_step = hint, 1
        self._show_hint()

    def _show_hint(self) -> None:
        assert self.hint is not None, "there is a hint to show"
        self.message = sentence(self.hint, self.hint_step)
        if self.hint_step < STEPS:
            self.message += " (h: more)"
        elif self.hint.line:
            position = self.hint.position
            names = you_and_they(position.turn)
            line = LineOfPlay(self.session.book, position, self.hint.line, names, self.message)
            self.app.push_screen(line)
        self.refresh_all()
