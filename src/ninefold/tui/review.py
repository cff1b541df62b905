"""The review of a game: how it stood after each move, what was better, and how to play on."""

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ninefold.board_words import names_seen
from ninefold.books import Book
from ninefold.coach.mistakes import missed_wins
from ninefold.coach.review import Judgement, Review, judge, only_human, sum_up
from ninefold.coach.review_words import label, legend, made_by, overview, remarks, verdict_line
from ninefold.coach.words import format_choice
from ninefold.core.errors import NinefoldError
from ninefold.core.position import Position
from ninefold.core.text import plural
from ninefold.narration import View
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import read_record
from ninefold.referee import Referee
from ninefold.session import Session
from ninefold.solver import is_small
from ninefold.tui.background import in_background
from ninefold.tui.base import ControlledPage
from ninefold.tui.board import Board, BoardFrame
from ninefold.tui.course import Cell, Course
from ninefold.tui.dialogs import Text
from ninefold.tui.line_of_play import LineOfPlay
from ninefold.tui.panels import highlight
from ninefold.tui.position_tiles import hands_text, last_number, tiles_of

if TYPE_CHECKING:
    from ninefold.tui.app import NinefoldApp


class ReviewScreen(ControlledPage):
    """Judges a game move by move while it is looked at; leaving at any time is fine."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,comma", "step(-1)", "Back", key_display="←"),
        Binding("right,full_stop", "step(1)", "Forward", key_display="→"),
        Binding("up", "scroll_verdict(-1)", "Scroll up", show=False),
        Binding("down", "scroll_verdict(1)", "Scroll down", show=False),
        Binding("home", "jump(0)", "Start", show=False),
        Binding("end", "jump(-1)", "End", show=False),
        Binding("m", "mistake", "Next mistake"),
        Binding("b", "better", "What was better"),
        Binding("p", "play_on", "Play on from here"),
        Binding("z", "puzzles", "Puzzles"),
        Binding("i", "summary", "Summary"),
        Binding("r", "rules", "Rules"),
        Binding("escape", "leave", "Close"),
    ]

    ACTIONS: ClassVar = {"back": "step(-1)", "forward": "step(1)"}
    CONTROLS: ClassVar = {
        "back": "←",
        "forward": "→",
        "mistake": "m Mistake",
        "better": "b Better",
        "play_on": "p Play on",
        "puzzles": "z Puzzles",
        "summary": "i Text",
        "leave": "Esc Close",
    }
    PALETTE: ClassVar = {
        "mistake": ("Next mistake", "Where a win or a draw was thrown away"),
        "better": ("What was better", "Play it out on the board"),
        "play_on": ("Play on from here", "Against the same opponent, from this position"),
        "puzzles": ("Practise what was missed", "Missed wins of your games are puzzles"),
        "summary": ("The review as text", "Every move with its verdict"),
        "rules": ("Rules of this game", "How it is played"),
        "leave": ("Close the review", "Back to where you were"),
    }

    def __init__(self, book: Book, referee: Referee, kept: bool = True) -> None:
        super().__init__()
        self.book = book
        self.referee = referee
        self._kept = kept  # whether the game is recorded, so that its mistakes become puzzles
        self._positions, self._moves = referee.positions, referee.moves
        self._reader = only_human(referee.humans)
        self._names = names_seen(referee.settings.players, self._reader)
        self._found: list[Judgement] = []
        self._review: Review | None = None  # when everything is judged
        self._puzzles = 0
        self._trouble = ""
        self._at = 0  # the move after which the board is shown

    # What is on the screen

    def compose(self) -> ComposeResult:
        """The course of the game above the board, every verdict beside it."""
        one, two = self.referee.settings.players
        yield Static(f"Review · {self.book.title} · {one} - {two}", id="title", markup=False)
        with VerticalScroll(id="course-frame", can_focus=False):
            yield Course(self._cells(), id="course")
        with Horizontal(id="main"):
            with Vertical(id="left"):
                with VerticalScroll(id="verdict-frame", can_focus=False):
                    yield Static(id="verdict", markup=False)
                with BoardFrame(id="frame"):
                    board = Board(self.book.game.pool, self.preferences.tiles, id="board")
                    board.can_focus = False
                    yield board
                yield Static(id="hands", markup=False)
            with Vertical(id="side"):
                with VerticalScroll(id="overview-frame", can_focus=False):
                    yield Static(id="overview", markup=False)
                yield OptionList(id="moves", compact=True, markup=False)
        yield from self.compose_controls()

    def on_mount(self) -> None:
        """Show the start, and judge."""
        self._judge_next()
        self._show_verdicts()
        self.refresh_all()

    @on(events.Resize)
    def _resized(self) -> None:
        self.refresh_all()

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._positions[self._at]

    @property
    def is_judged(self) -> bool:
        """Whether every move is judged."""
        return self._review is not None

    @property
    def judgement(self) -> Judgement | None:
        """The verdict on the move that led there; None at the start, or if it is not yet known."""
        return self._found[self._at - 1] if 0 < self._at <= len(self._found) else None

    def refresh_all(self) -> None:
        """Show the move chosen, and what is known about it."""
        made = self._moves[: self._at]
        item = self.judgement
        better = () if item is None or item.move in item.best else (*item.better, *item.best)
        hints = {move: "!" for move in better if isinstance(move, int) and move not in made}
        tiles = tiles_of(self.book, self.position, last_number(made), hints=hints)
        self.query_one(Board).show(tiles)
        self.query_one(Course).show(self._cells(), self._at, not self.has_class("-short"))
        self.query_one("#verdict", Static).update(self.verdict)
        self.query_one("#hands", Static).update(hands_text(self.book, self._names, self.position))
        self.query_one("#overview", Static).update(self.summary)
        highlight(self.query_one("#moves", OptionList), self._at - 1 if self._at else None)
        self.show_controls()

    def _cells(self) -> list[Cell]:
        """The start and every move, for the reader or else the first player."""
        side = self._reader or 1
        standings = {side: "win", 3 - side: "loss", None: "draw"}
        cells = [Cell("")]
        for at, move in enumerate(self._moves):
            played = str(move) if isinstance(move, int) else format_choice(move)[0]
            cell = Cell(played)
            if at < len(self._found):
                item = self._found[at]
                standing = standings[item.standing] if item.proved else "unknown"
                cell = Cell(played, standing, item.is_mistake)
            cells.append(cell)
        return cells

    @property
    def verdict(self) -> str:
        """What to say about the move on the board."""
        count = len(self._moves)
        if self._at == 0:
            start = "Press → for the first move." if count else "No move was made."
            more = self.summary if self.has_class("-narrow") else self._legend()
            return f"The start. {start}\n{more}"
        return f"Move {self._at} of {count}. {self._lines()[self._at - 1]}"

    def _lines(self) -> list[str]:
        """Every move with its verdict, as far as it is judged."""
        names = self.referee.settings.players
        so_far = self._review or Review(tuple(self._found), None, None, None)
        said = remarks(so_far, names, self._reader)
        lines = []
        for at, (before, move) in enumerate(zip(self._positions, self._moves, strict=False)):
            who = self._names[before.turn - 1]
            judged = at < len(said)
            played = label(self._found[at]) if judged else format_choice(move)
            lines.append(verdict_line(made_by(who, move, played), said[at] if judged else ""))
        return lines

    @property
    def summary(self) -> str:
        """How it ended, what decided it, and what becomes of mistakes."""
        names, outcome = self.referee.settings.players, self.referee.outcome
        view = View(self.book, names, self.referee.humans)
        text = view.ended(outcome, self._positions[-1]) if outcome is not None else ""
        lines = [line for line in text.split("\n") if line.strip()]
        if self._trouble:
            lines.append(self._trouble)
        elif self._review is None:
            lines.append(f"Judging move {len(self._found) + 1} of {len(self._moves)} …")
        else:
            lines.append(overview(self._review, names, self._reader))
        if self._puzzles:
            one = self._puzzles == 1
            become = "is now a puzzle" if one else "are now puzzles"
            lines.append(f"{plural(self._puzzles, 'missed win')} {become}: press z.")
        return "\n".join(lines)

    def _legend(self) -> str:
        """What the signs of the strip mean."""
        whom = "you" if self._reader else self.referee.settings.players[0]
        unproved = any(not item.proved for item in self._found)
        return legend(whom, unproved)

    def _show_verdicts(self) -> None:
        moves = self.query_one("#moves", OptionList)
        moves.set_options(
            Option(f"{at}. {line}", id=str(at)) for at, line in enumerate(self._lines(), 1)
        )

    # Judging

    def _judge_next(self) -> None:
        """Judge one move after the other, and sum up."""
        at, referee = len(self._found), self.referee
        if at < len(self._moves):
            work = partial(judge, self._positions[at], self._moves[at], at + 1)
            in_background(self, work, self._judged)
            return
        found = tuple(self._found)
        last, outcome = self._positions[-1], referee.outcome
        in_background(self, partial(sum_up, found, last, outcome), self._summed_up)
        if self._kept and is_small(self.book.game):
            in_background(self, lambda: len([*missed_wins(referee)]), self._counted)

    def _judged(self, item: Judgement | NinefoldError) -> None:
        if isinstance(item, NinefoldError):
            self._trouble = item.message
        else:
            self._found.append(item)
            self._judge_next()
        self._show_verdicts()
        self.refresh_all()

    def _summed_up(self, review: Review | NinefoldError) -> None:
        if isinstance(review, NinefoldError):
            self._trouble = review.message
        else:
            self._review = review
        self._show_verdicts()
        self.refresh_all()

    def _counted(self, puzzles: int | NinefoldError) -> None:
        if not isinstance(puzzles, NinefoldError):
            self._puzzles = puzzles
            self.refresh_all()

    # What the reader does

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Only what is possible now can be pressed or clicked."""
        possible = {
            "better": self.judgement is not None and bool(self.judgement.line),
            "mistake": any(item.is_mistake for item in self._found),
            "play_on": any(self.referee.humans) and self.position.outcome is None,
            "puzzles": self._puzzles > 0,
        }
        return possible.get(action, True)

    def _go(self, at: int) -> None:
        self._at = max(0, min(len(self._moves), at))
        self.query_one("#verdict-frame").scroll_home(animate=False)
        self.refresh_all()

    def action_step(self, by: int) -> None:
        """Show the position one move earlier or later."""
        self._go(self._at + by)

    def action_jump(self, at: int) -> None:
        """Show the start, or the end."""
        self._go(at if at >= 0 else len(self._moves))

    def action_scroll_verdict(self, by: int) -> None:
        """Scroll the verdict, where there is little room."""
        self.query_one("#verdict-frame").scroll_relative(y=by, animate=False)

    def action_mistake(self) -> None:
        """Show the next mistake; after the last, the first."""
        plies = [item.ply for item in self._found if item.is_mistake]
        self._go(next((ply for ply in plies if ply > self._at), plies[0]))

    def action_better(self) -> None:
        """Play out what was better than a mistake."""
        item = self.judgement
        if item is not None and item.position is not None:
            reason = self._lines()[self._at - 1]
            names = self.referee.settings.players
            line = LineOfPlay(self.book, item.position, item.line, names, reason)
            self.app.push_screen(line)

    @on(Course.Chosen)
    def _chosen(self, event: Course.Chosen) -> None:
        self._go(event.at)

    @on(OptionList.OptionHighlighted, "#moves")
    @on(OptionList.OptionSelected, "#moves")
    def _listed(self, event: OptionList.OptionHighlighted | OptionList.OptionSelected) -> None:
        if event.option_list.has_focus and event.option_id is not None:
            self._go(int(event.option_id))

    @on(Board.Taken)
    def _number_clicked(self, event: Board.Taken) -> None:
        """Show the move that took this number."""
        if event.number in self._moves:
            self._go(self._moves.index(event.number) + 1)

    def action_play_on(self) -> None:
        """Play against the same opponent from this position on."""
        made = self.referee.made[: self._at]
        try:
            settings = self.referee.settings
            session = Session.play_on(self.book, settings, made, Store(), self.tell)
        except NinefoldError as error:
            self.app.notify(error.message, severity="warning", markup=False)
            return
        self.program.play_if_agreed(session)

    def action_puzzles(self) -> None:
        """Practise what was missed."""
        self.program.show_puzzles()

    def action_summary(self) -> None:
        """Show the whole review as text."""
        moves = [f"{at}. {line}" for at, line in enumerate(self._lines(), 1)]
        text = "\n".join([self.summary, "", *moves, "", self._legend()])
        self.app.push_screen(Text("Review", text))

    def action_rules(self) -> None:
        """Show the rules."""
        self.program.show_rules(self.book)

    def action_leave(self) -> None:
        """Close the review."""
        self.app.pop_screen()


def review_record(app: "NinefoldApp", path: str) -> None:
    """Review the game in this file, or say why that is impossible."""
    try:
        replay = Replay(read_record(path))
        app.review_game(replay.book, replay.run())
    except NinefoldError as error:
        app.notify(error.message, severity="warning", markup=False)
