"""The screen of a game: board, hands, turn, clocks, moves, log, and what to do afterwards."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, OptionList, RichLog, Static

from ninefold.coach.words import you_and_they
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import LOST, PASS, SWAP, Move, declare
from ninefold.core.position import Position
from ninefold.narration import View
from ninefold.players import NoMove
from ninefold.referee.events import Event, Refused, SetAside
from ninefold.session import LiveGame, Session
from ninefold.tui.background import in_background
from ninefold.tui.base import ControlledPage
from ninefold.tui.board import Board, BoardFrame
from ninefold.tui.dialogs import Confirm, Text
from ninefold.tui.line_of_play import LineOfPlay
from ninefold.tui.panels import ClockBars, MoveList, move_lines
from ninefold.tui.position_tiles import hands_text, last_number, tiles_of

if TYPE_CHECKING:
    from ninefold.coach.hint import Hint

# Seconds before a computer moves, so that its move is seen.
PAUSE = 0.4
TICK = 0.2


class GameScreen(ControlledPage):
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
        "now": "Back to the game",
        "hint": "h Hint",
        "undo": "u Undo",
        "resign": "x Resign",
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
        self._chosen: set[int] | None = None  # the numbers to declare; None: nothing is declared
        self._shown: int | None = None  # the move after which the board is shown; None: now
        self._hint: Hint | None = None
        self._hint_step = 0
        self._message = ""
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
            starter = self.session.settings.players[referee.settings.first - 1]
            self._say(f"{starter} goes first.")
        for words in self.session.limitations:
            self._say(words)
        self._next_turn()

    @property
    def message(self) -> str:
        """What the player is told below the board."""
        return self._message

    @property
    def is_showing_now(self) -> bool:
        """Whether the board shows the game as it stands, not an earlier position."""
        return self._shown is None

    @property
    def is_choosing(self) -> bool:
        """Whether numbers are being chosen for a declaration."""
        return self._chosen is not None

    @property
    def position(self) -> Position:
        """The position on the board: now, or an earlier one."""
        positions = self.game.referee.positions
        return positions[-1 if self._shown is None else self._shown]

    def refresh_all(self) -> None:
        """Show everything as it is now."""
        position, referee = self.position, self.game.referee
        moves = referee.moves if self._shown is None else referee.moves[: self._shown]
        board = self.query_one(Board)
        board.show(
            tiles_of(
                self.session.book,
                position,
                last_number(moves),
                self._chosen or (),
                self._hints(),
                self.preferences.threats,
            )
        )
        self.query_one("#title", Static).update(self._heading())
        self.query_one("#turn", Static).update(self.status())
        self.query_one("#hands", Static).update(self._hands(position))
        self.query_one("#message", Static).update(self._message)
        self._show_clock()
        self.query_one(MoveList).show(self.session.book, referee, self._shown)
        self.show_controls()

    def _hints(self) -> dict[int, str]:
        """The marks of the hint on the board."""
        hint = self._hint
        if hint is None or self._shown is not None:
            return {}
        if self._hint_step == 1:
            return dict.fromkeys(hint.area, "?")
        return {move: "!" for move in hint.moves if isinstance(move, int)}

    def _heading(self) -> str:
        book, match = self.session.book, self.session.match
        parts = [book.title, book.reading] if len(book.readings) > 1 else [book.title]
        parts += book.changes
        one, two = self.session.settings.players
        if match is not None:
            score = f"{one} {match.tally(1)}, {two} {match.tally(2)}"
            parts.append(f"Game {self.game.referee.settings.round}, first to {match.wins}: {score}")
        elif self.results:
            won = [self.results.count(seat) for seat in (1, 2)]
            parts.append(f"{one} {won[0]}, {two} {won[1]}")
        return " · ".join(parts)

    def status(self) -> str:
        """Whose turn it is, or who won."""
        if self._shown is not None:
            return f"After move {self._shown} of {self.game.referee.plies}. Esc: back to the game"
        outcome, position = self.game.outcome, self.game.position
        if outcome is not None:
            if outcome.winner is None:
                return "The game is drawn."
            return (
                "You win!"
                if self._is_me(outcome.winner)
                else f"{self._called(outcome.winner)} wins."
            )
        if self._is_thinking:
            return f"{self._called(position.turn)} is thinking …"
        whose = (
            "Your turn" if self._is_me(position.turn) else f"{self._called(position.turn)}'s turn"
        )
        if self._chosen is not None:
            return f"{whose}: choose the numbers of your set"
        if position.picks_left > 1:
            return f"{whose}: take {position.picks_left} numbers"
        return whose

    def _is_me(self, seat: int) -> bool:
        """Whether this player is the only person here."""
        humans = self.game.referee.humans
        return humans[seat - 1] and not all(humans)

    def _called(self, seat: int) -> str:
        return self.session.settings.players[seat - 1]

    def _hands(self, position: Position) -> str:
        one, two = ("You" if self._is_me(seat) else self._called(seat) for seat in (1, 2))
        return hands_text(self.session.book, (one, two), position, self.preferences.threats)

    def _show_clock(self) -> None:
        self.query_one(ClockBars).show(self.game.referee, self.program.clock())

    def show_controls(self) -> None:
        """Show what is possible now."""
        super().show_controls()
        match = self.session.match
        more = match is not None and not match.over
        self.query_one("#do-next", Button).label = "n Next game" if more else "n Rematch"

    def after_control(self) -> None:
        """Let the keys pick numbers again."""
        if self.is_current:
            self.query_one(Board).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Only what is possible now can be pressed or clicked; nothing without a board."""
        if not self.is_open:
            return False
        game, position = self.game, self.game.position
        mine = game.outcome is None and game.computer is None and self._shown is None
        asking = position.asking
        possible = {
            "declare": mine and self.session.book.game.rules.declare,
            "pass": mine and PASS in position.legal,
            "swap": mine and SWAP in position.legal,
            "give_up_turn": mine and LOST in position.legal and not asking,
            "hint": mine,
            "undo": mine and bool(game.referee.moves),
            "resign": mine,
            "next": game.outcome is not None,
            "review": game.outcome is not None and bool(game.referee.moves),
            "threats": game.outcome is None,
            "replay": bool(game.referee.moves),
            "now": self._shown is not None,
        }
        return possible.get(action, True)

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
        self._message, refused = "", False
        for event in events:
            text = self.view.describe(event, self.game.referee)
            if isinstance(event, Refused):
                refused, self._message = True, text.strip()
            else:
                self._say(text)
            if isinstance(event, SetAside):
                self._message = "Nobody is playing, so the game is set aside."
                self.app.notify(self._message)
                self._leave()
                return
        if not refused:
            self._chosen = None
            self._hint, self._hint_step = None, 0
            self._shown = None
        self._next_turn()

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
            if game.position.asking and self._chosen is None:
                self._chosen = set()
                self._message = self._message or self.view.prompt(game.position).strip()
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
            return
        self._happened(self.game.answer(decision, self.program.clock()))

    def finish(self) -> None:
        """Count the result, once, and explain it."""
        if not self._counted:
            self._counted = True
            self.session.finish(self.game)
            outcome = self.game.outcome
            self.results += (outcome.winner if outcome else None,)
        text = self.view.ended(self.game.outcome, self.game.position) if self.game.outcome else ""
        reason = [line for line in text.split("\n") if line.strip()]
        tie_break = self.view.tie_break(self.game.position)
        match = self.session.match
        if match is not None and match.over:
            winner = match.winner
            reason.append(
                "The match is level."
                if winner is None
                else f"{self._called(winner)} wins the match."
            )
        self._message = "\n".join([*reason, *([tie_break] if tie_break else [])])

    def _tick(self) -> None:
        deadline = self.game.referee.deadline
        if deadline is None:
            return
        if events := self.game.tick(self.program.clock()):
            self.query_one(Board).forget_typing()  # the next digit is somebody else's
            self._happened(events)
        else:
            self._show_clock()

    # What the player does

    @on(Board.Taken)
    def _take(self, event: Board.Taken) -> None:
        if not self._may_act():
            return
        if self._chosen is not None:
            self._toggle(event.number) if event.is_named else self._declare()
        elif self.game.position.attempt(event.number) is LOST:
            question = f"{event.number} cannot be taken. Choosing it costs your turn. Choose it?"
            self._confirm(question, partial(self._move, event.number))
        else:
            self._move(event.number)

    @on(Board.Toggled)
    def _toggled(self, event: Board.Toggled) -> None:
        if self._chosen is not None and self._may_act():
            self._toggle(event.number)
        else:
            self._take(Board.Taken(event.number))

    @on(Board.Moved)
    def _explain(self, event: Board.Moved) -> None:
        """Say why the number under the cursor may not be taken."""
        position, typed = self.game.position, self.query_one(Board).typed
        if self._may_act() and self._chosen is None:
            barred = event.number in position.available and event.number not in position.picks
            self._message = f"{typed}: press Enter to take it." if typed else ""
            if barred:
                self._message = position.why_barred(event.number, position.turn)
            self.query_one("#message", Static).update(self._message)

    def _may_act(self) -> bool:
        return self.game.outcome is None and self.game.computer is None and self._shown is None

    def _toggle(self, number: int) -> None:
        assert self._chosen is not None, "numbers are only marked for a declaration"
        if number in self.game.position.hands[self.game.position.turn - 1]:
            self._chosen ^= {number}
            self._message = (
                f"Declare {' '.join(map(str, sorted(self._chosen)))}: press d or Enter."
                if self._chosen
                else ""
            )
        else:
            self._message = f"{number} is not one of your numbers."
        self.refresh_all()

    def _declare(self) -> None:
        if self._chosen:
            self._move(declare(self._chosen))
        elif PASS in self.game.position.legal:
            self._move(PASS)
        else:
            self._message = "Choose the numbers of your set: arrows and Space, or click them."
            self.refresh_all()

    def _move(self, move: Move) -> None:
        self._happened(self.game.move(move, self.program.clock()))

    def _confirm(self, question: str, then: "partial[None]") -> None:
        moment = self._moment

        def answered(yes: bool | None) -> None:
            if yes and moment == self._moment and self.is_open:
                then()

        self.app.push_screen(Confirm(question), answered)

    def action_declare(self) -> None:
        """Start to choose the numbers of a set, or declare them."""
        if self._chosen is None:
            self._chosen = set()
            self._message = "Choose the numbers of your set: arrows and Space, or click them."
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
        self._confirm("Give up your turn?", partial(self._move, LOST))

    def action_undo(self) -> None:
        """Take the last move back."""
        self._happened(self.game.undo(self.game.position.turn, self.program.clock()))

    def action_resign(self) -> None:
        """Give the game up, after a question."""
        seat = self.game.position.turn
        self._confirm("Resign this game?", partial(self._resign, seat))

    def _resign(self, seat: int) -> None:
        self._happened(self.game.resign(seat))

    def action_threats(self) -> None:
        """Show or hide who is one number away from a set."""
        self.program.change_preferences(threats=not self.preferences.threats)
        self.refresh_all()

    def action_hint(self) -> None:
        """A little more each time: an area, a number, then a line of play on the board."""
        if self._hint is not None:
            self._hint_step = min(self._hint_step + 1, 3)
            self._show_hint()
            return
        from ninefold.coach.hint import hint_for

        self._message = "Looking for a hint …"
        self.query_one("#message", Static).update(self._message)
        position = self.game.position
        in_background(self, lambda: hint_for(position), partial(self._hinted, self._moment))

    def _hinted(self, moment: int, hint: "Hint | NinefoldError") -> None:
        if moment != self._moment:
            return
        if isinstance(hint, NinefoldError):
            self._message = hint.message
            self.refresh_all()
            return
        self._hint, self._hint_step = hint, 1
        self._show_hint()

    def _show_hint(self) -> None:
        from ninefold.coach.words import sentence

        assert self._hint is not None, "there is a hint to show"
        self._message = sentence(self._hint, self._hint_step)
        if self._hint_step < 3:
            self._message += " (h: more)"
        elif self._hint.line:
            position = self._hint.position
            names = you_and_they(position.turn)
            line = LineOfPlay(self.session.book, position, self._hint.line, names, self._message)
            self.app.push_screen(line)
        self.refresh_all()

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
        match = self.session.match
        if match is not None and not match.over:
            self.game = self.session.next_game()
            self._counted, self._chosen, self._hint, self._shown = False, None, None, None
            self._message = ""
            self._moment += 1
            self._opening()
            return
        try:
            session = self.session.rematch()
        except NinefoldError as error:  # a program is not there any more
            self.tell(error.message)
            return
        self.program.begin(session, partial(self._show_rematch, session))

    def _show_rematch(self, session: Session, game: LiveGame) -> None:
        if self.is_active:
            self.app.switch_screen(self.again(session, game))
        else:
            session.close()

    def again(self, session: Session, game: LiveGame) -> "GameScreen":
        """The screen of a rematch."""
        return GameScreen(session, self.results, game)

    def action_review(self) -> None:
        """Judge every move of this game."""
        kept = self.game.recorder.saved and self.game.recorder.complete
        self.program.review_game(self.session.book, self.game.referee, kept)

    def action_leave(self) -> None:
        """One step back: from a declaration, an earlier position, or the game."""
        if self._shown is not None:
            self.action_now()
        elif self._chosen is not None and not self.game.position.asking:
            self._chosen, self._message = None, ""
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
