"""A game in progress on the screen, whoever plays it: board, hands, turn, clocks, moves, log."""

from functools import partial
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, OptionList, RichLog, Static

from ninefold.board_words import names_seen, opening_text, turn_text, winner_text
from ninefold.coach.review import only_human
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.narration import View
from ninefold.players import NoMove
from ninefold.referee.events import Event, Refused, SetAside
from ninefold.session import LiveGame, Session
from ninefold.tui.background import in_background
from ninefold.tui.base import ControlledPage
from ninefold.tui.board import Board, BoardFrame
from ninefold.tui.dialogs import Text
from ninefold.tui.game_words import heading, result_text
from ninefold.tui.panels import ClockBars, MoveList, in_minutes, move_lines
from ninefold.tui.position_tiles import hands_text, hint_marks, last_number, tiles_of

if TYPE_CHECKING:
    from ninefold.coach.hint import Hint

# Seconds before a computer moves, so that its move is seen.
PAUSE = 0.4
TICK = 0.2


class GamePage(ControlledPage):
    """Shows the games of a session and lets them go on; leaving it keeps the game for later."""

    def __init__(
        self,
        session: Session,
        results: tuple[int | None, ...] = (),
        game: LiveGame | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        self.game = game or session.next_game()
        self.view = View(session.book, session.settings.players, self.game.referee.humans)
        self.results = results  # the winners of the games before this one, in this sitting
        self._log_lines: list[str] = []
        self._is_thinking = False
        self._moment = 0  # grows with everything that happens, so that a late answer is dropped
        self.chosen: set[int] | None = None  # the numbers to declare; None: nothing is declared
        self._shown: int | None = None  # the move after which the board is shown; None: now
        self.hint: Hint | None = None
        self.hint_step = 0
        self.message = ""  # what the player is told below the board
        self._counted = False

    # What is on the screen

    def compose(self) -> ComposeResult:
        """The board on the left, everything else beside it; on a small screen, below it."""
        yield Static(id="title", markup=False)
        with Horizontal(id="main"):
            with Vertical(id="left"):
                yield Static(id="turn", markup=False)
                with BoardFrame(id="frame"):
                    yield Board(self.session.book.game.pool, self.preferences.tiles, id="board")
                yield Static(id="hands", markup=False)
                yield Static(id="message", markup=False)
            with Vertical(id="side"):
                yield ClockBars(id="clock", markup=False)
                yield MoveList(id="moves", compact=True)
                yield RichLog(id="log", wrap=True, markup=False, auto_scroll=True, min_width=10)
        yield from self.compose_controls()

    def on_mount(self) -> None:
        """Begin."""
        self.set_interval(TICK, self._tick)
        self.query_one("#log", RichLog).can_focus = False
        self._opening()

    def _opening(self) -> None:
        """Say how a new or resumed game begins, and go on with it."""
        referee = self.game.referee
        if self.game.resumed:
            self._say(f"You continue after move {referee.plies}." if referee.plies else "")
            if referee.outcome is not None:
                self._say(self.view.ended(referee.outcome, referee.position))
        else:
            players, first = referee.settings.players, referee.settings.first
            self._say(opening_text(first, players, self._reader))
        for words in self.session.limitations:
            self._say(words)
        self._next_turn()

    @property
    def has_next_game(self) -> bool:
        """Whether a match goes on after this game."""
        return self.session.match is not None and not self.session.match.over

    @property
    def is_showing_now(self) -> bool:
        """Whether the board shows the game as it stands, not an earlier position."""
        return self._shown is None

    @property
    def is_choosing(self) -> bool:
        """Whether numbers are being chosen for a declaration."""
        return self.chosen is not None

    @property
    def position(self) -> Position:
        """The position on the board: now, or an earlier one."""
        positions = self.game.referee.positions
        return positions[-1 if self._shown is None else self._shown]

    def refresh_all(self) -> None:
        """Show everything as it is now."""
        book, referee, position = self.session.book, self.game.referee, self.position
        threats = self.preferences.threats
        last = last_number(referee.moves[: self._shown])
        hints = hint_marks(self.hint, self.hint_step) if self.hint and self.is_showing_now else {}
        tiles = tiles_of(book, position, last, self.chosen or (), hints, threats)
        self.query_one(Board).show(tiles)
        title = heading(self.session, referee, self.results, self.has_class("-narrow"))
        self.query_one("#title", Static).update(title)
        hands = hands_text(book, self._names, position, threats)
        self.query_one("#hands", Static).update(hands)
        # What is said is about the game as it stands.
        self.query_one("#message", Static).update(self.message if self.is_showing_now else "")
        self._show_clock()
        self.query_one(MoveList).show(book, referee, self._shown)
        self.show_controls()

    def show_message(self, text: str) -> None:
        """Tell the player something below the board."""
        self.message = text
        self.query_one("#message", Static).update(text)

    def status(self) -> str:
        """Whose turn it is, or who won."""
        if self._shown is not None:
            return f"After move {self._shown} of {self.game.referee.plies}. Esc: back to the game"
        game, names = self.game, self._names
        if game.outcome is not None:
            return winner_text(game.outcome, names)
        return turn_text(game.position, names, self._is_thinking, self.is_choosing)

    @property
    def _reader(self) -> int | None:
        """The seat of the only person here."""
        return only_human(self.game.referee.humans)

    @property
    def _names(self) -> tuple[str, str]:
        """What to call the players."""
        return names_seen(self.game.referee.settings.players, self._reader)

    def _show_clock(self) -> None:
        """Show the time left: as bars or, where there is no room beside the board, above it."""
        referee, now, status = self.game.referee, self.program.clock(), self.status()
        self.query_one(ClockBars).show(referee, now)
        if self.has_class("-narrow") and referee.deadline is not None:
            status = f"{status} · {in_minutes(referee.deadline - now)}"
        self.query_one("#turn", Static).update(status)

    @on(events.Resize)
    def _resized(self) -> None:
        self.refresh_all()

    def show_controls(self) -> None:
        """Show what is possible now."""
        super().show_controls()
        label = "n Next game" if self.has_next_game else "n Rematch"
        self.query_one("#do-next", Button).label = label
        leave = self.query_one("#do-leave", Button)
        leave.label = "Esc Back" if self._may_cancel else "Esc Home"
        leave.set_class(not self.is_showing_now, "-impossible")  # Esc leads back to the game

    @property
    def _may_cancel(self) -> bool:
        """Whether numbers are being chosen for a declaration that nobody has asked for."""
        return self.chosen is not None and not self.game.position.asking

    def after_button(self) -> None:
        """Let the keys pick numbers again."""
        if self.is_current:
            self.query_one(Board).focus()

    # What happens

    def _say(self, text: str) -> None:
        """Add the book's words, or the program's, to the log."""
        lines = [line for line in text.split("\n") if line.strip()]
        self._log_lines += lines
        for line in lines:
            self.query_one("#log", RichLog).write(line)

    def _happened(self, events: list[Event]) -> None:
        """Show what an input caused, and go on."""
        if not events:
            return
        self._moment += 1
        self.message, refused = "", False
        for event in events:
            text = self.view.describe(event, self.game.referee)
            if isinstance(event, Refused):
                refused, self.message = True, self._refusal(event, text)
            else:
                self._say(text)
            if isinstance(event, SetAside):
                self.message = "Nobody is playing, so the game is set aside."
                self.app.notify(self.message)
                self._leave()
                return
        if not refused:
            self.chosen = None
            self.hint, self.hint_step = None, 0
            self._shown = None
        self._next_turn()

    def _refusal(self, event: Refused, text: str) -> str:
        """What is wrong and what to do; the book's own advice on declaring is about typing."""
        if self.chosen is None:
            return text.strip()
        instead = "p to pass" if self.game.position.asking else "Esc to take a number instead"
        return f"{event.error.reason} Choose other numbers, or press {instead}."

    def _next_turn(self) -> None:
        """Let the player to act act."""
        game = self.game
        if game.outcome is not None:
            self.finish()
        elif game.computer is not None:
            if not self._is_thinking:
                self._is_thinking = True
                in_background(self, game.think, partial(self._decided, self._moment))
        else:
            if game.referee.deadline is None:
                game.referee.begin_turn(self.program.clock())
            if game.position.asking and self.chosen is None:
                self.chosen = set()
                self.message = self.message or self.view.prompt(game.position).strip()
            if not game.position.hands[game.position.turn - 1]:
                goal = self.session.book.summary
                self.message = self.message or f"{goal} (r: rules, ?: keys)"
            self.query_one(Board).focus()
        self.refresh_all()

    def _decided(self, moment: int, decision: Move | NoMove | NinefoldError) -> None:
        """A computer has decided; it moves after a short pause, unless it is too late."""
        if self.pause:
            self.set_timer(self.pause, partial(self.answer, moment, decision))
        else:
            self.answer(moment, decision)

    @property
    def pause(self) -> float:
        """The seconds before a computer moves."""
        return PAUSE * self.preferences.animations

    def answer(self, moment: int, decision: Move | NoMove | NinefoldError) -> None:
        """Let a computer do what it decided at this moment, unless it is too late."""
        self._is_thinking = False
        if moment != self._moment or self.game.outcome is not None:
            return
        if isinstance(decision, NinefoldError) and not isinstance(decision, NoMove):
            self._say(decision.message)
            self.refresh_all()
            return
        self._happened(self.game.answer(decision, self.program.clock()))

    def finish(self) -> None:
        """Count the result, once, and explain it."""
        if not self._counted:
            self._counted = True
            self.session.finish(self.game)
            self.results += (self.game.outcome.winner if self.game.outcome else None,)
        self.message = result_text(self.view, self.game, self.session.match)

    def _tick(self) -> None:
        if self.game.referee.deadline is None:
            return
        if events := self.game.tick(self.program.clock()):
            self.query_one(Board).forget_typing()  # the next digit is somebody else's
            self._happened(events)
        else:
            self._show_clock()

    # Looking back, and going on or away

    def action_replay(self, by: int) -> None:
        """Show an earlier or later position."""
        plies = self.game.referee.plies
        at = max(0, min(plies, (plies if self._shown is None else self._shown) + by))
        self._shown = None if at == plies else at
        self.refresh_all()

    @on(OptionList.OptionHighlighted, "#moves")
    def _replayed(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list.has_focus and event.option_id is not None:
            at = int(event.option_id)
            self._shown = None if at == self.game.referee.plies else at
            self.refresh_all()

    def action_now(self) -> None:
        """Return from an earlier position to the game."""
        self._shown = None
        self.query_one(Board).focus()
        self.refresh_all()

    def action_history(self) -> None:
        """Show the moves and the log, where there is no room beside the board."""
        moves = move_lines(self.session.book, self.game.referee)
        text = "\n".join([*moves, "", *self._log_lines])
        self.app.push_screen(Text("Moves and log", text))

    def action_rules(self) -> None:
        """Show the rules."""
        self.program.show_rules(self.session.book)

    def action_next(self) -> None:
        """The next game of the match, or a rematch with the score kept."""
        try:
            if not self.has_next_game:
                session = self.session.rematch()
                self.program.begin(session, partial(self._show_rematch, session))
                return
            self.game = self.session.next_game()
        except NinefoldError as error:  # a program is not there any more
            self.tell(error.message)
            return
        self._counted, self.chosen, self.hint, self._shown = False, None, None, None
        self.message = ""
        self._moment += 1
        self._opening()

    def _show_rematch(self, session: Session, game: LiveGame) -> None:
        if self.is_active:
            self.app.switch_screen(self.again(session, game))
        else:
            session.close()

    def again(self, session: Session, game: LiveGame) -> "GamePage":
        """The screen of a rematch."""
        return type(self)(session, self.results, game)

    def action_review(self) -> None:
        """Judge every move of this game."""
        kept = self.game.recorder.saved and self.game.recorder.complete
        self.program.review_game(self.session.book, self.game.referee, kept)

    def action_leave(self) -> None:
        """One step back: from a declaration, an earlier position, or the game."""
        if self._shown is not None:
            self.action_now()
        elif self._may_cancel:
            self.chosen, self.message = None, ""
            self.refresh_all()
        else:
            self._leave()

    def _leave(self) -> None:
        if self.game.outcome is None and self.game.recorder.saved:
            self.app.notify("The game is saved. Continue it from Home.")
        if self in self.app.screen_stack:
            self.pop_until_active()  # a dialog may be open
            self.dismiss()

    def on_unmount(self) -> None:
        """Whatever ends this screen, the game can be resumed."""
        self.session.close()
