"""A recorded game on the board, step by step; nothing in it can be changed."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from ninefold.board_words import markers_of
from ninefold.coach.words import describe_turn, format_choice
from ninefold.core.position import Position
from ninefold.narration import View
from ninefold.record import listing
from ninefold.record.replay import Replay
from ninefold.record.text import read_record
from ninefold.referee.events import Event, Moved, TakenBack
from ninefold.tui.base import Page
from ninefold.tui.board import Board, BoardFrame
from ninefold.tui.fields import buttons
from ninefold.tui.panels import highlight
from ninefold.tui.position_tiles import hands_text, last_number, tiles_of


class Step(NamedTuple):
    """The game after one recorded fact: what happened, what was announced, and the position."""

    words: str  # for the list
    heading: str
    text: str
    position: Position
    last: int | None


class Viewer(Page):
    """Replays one record; raises NinefoldError if it cannot be replayed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,comma", "step(-1)", "Back", key_display="←"),
        Binding("right,full_stop,space", "step(1)", "Forward", key_display="→"),
        Binding("home", "go(0)", "Start"),
        Binding("end", "go(-1)", "End"),
        Binding("r", "rules", "Rules"),
        Binding("escape", "app.pop_screen", "Close"),
    ]
    ACTIONS: ClassVar[Mapping[str, str]] = {
        "first": "go(0)",
        "before": "step(-1)",
        "after": "step(1)",
        "last": "go(-1)",
    }

    def __init__(self, path: str) -> None:
        super().__init__()
        self._replay = Replay(read_record(path))
        self.settings = self._replay.record.settings
        self.steps = _steps(self._replay)
        self.at = 0

    def compose(self) -> ComposeResult:
        """The board with what was announced; beside it, every step."""
        book = self._replay.book
        yield Static(self._heading(), id="title", markup=False)
        with Horizontal(id="main"):
            with Vertical(id="left"):
                yield Static(id="turn", markup=False)
                with BoardFrame(id="frame"):
                    yield Board(book.game.pool, self.preferences.tiles, id="board")
                yield Static(id="hands", markup=False)
                with VerticalScroll(id="announced", can_focus=False):
                    yield Static(id="said", markup=False)
            with Vertical(id="side"):
                yield OptionList(
                    *(Option(step.words, id=str(at)) for at, step in enumerate(self.steps)),
                    id="steps",
                    markup=False,
                    compact=True,
                )
        yield from buttons(
            {"first": "|<", "before": "<", "after": ">", "last": ">|", "back": "Close"}
        )
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Begin at the start; the board is only to look at."""
        if not self.children:  # it is left at this very moment
            return
        self.query_one(Board).can_focus = False
        self.query_one("#steps").focus()
        self._show_step()

    def _heading(self) -> str:
        when = listing.local_time(self.settings.date)
        versus = " - ".join(listing.players(self.settings))
        return f"{listing.title(self.settings)} · {versus} · {when}"

    def _show_step(self) -> None:
        step, book = self.steps[self.at], self._replay.book
        threats = self.preferences.threats
        tiles = tiles_of(book, step.position, step.last, threats=threats)
        self.query_one(Board).show(tiles)
        last = len(self.steps) - 1
        self.query_one("#turn", Static).update(f"{self.at} of {last}: {step.heading}")
        names = listing.players(self.settings)
        self.query_one("#hands", Static).update(hands_text(book, names, step.position, threats))
        self.query_one("#said", Static).update(step.text)
        self.call_after_refresh(self.query_one("#announced").scroll_end, animate=False)
        highlight(self.query_one("#steps", OptionList), self.at)

    def action_step(self, by: int) -> None:
        """One step back or forward."""
        self.action_go(max(0, min(self.at + by, len(self.steps) - 1)))

    def action_go(self, at: int) -> None:
        """Show the game after so many steps; -1 is the end."""
        self.at = at % len(self.steps)
        self._show_step()

    @on(OptionList.OptionHighlighted, "#steps")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_index != self.at:
            self.action_go(event.option_index)

    def action_rules(self) -> None:
        """Show the rules it was played by."""
        self.program.show_rules(self._replay.book)


def _steps(replay: Replay) -> list[Step]:
    """Every step of a record, judged again; raises NinefoldError."""
    referee, settings = replay.referee, replay.record.settings
    names = listing.players(settings)
    view = View(replay.book, names, referee.humans)
    opening = view.text("opening", referee.position)
    begins = f"{names[settings.first - 1]} goes first."
    steps = [Step("Start", begins, opening, referee.position, None)]
    for before, facts in replay.steps():
        text = "".join(view.describe(event, referee) for event in facts)
        if referee.outcome is not None:
            text += view.tie_break(referee.position)
        words, heading = _words(facts[0], before, replay, names)
        last = last_number(referee.moves)
        steps.append(Step(words, heading, text.strip(), referee.position, last))
    return steps


def _words(
    event: Event, before: Position, replay: Replay, names: tuple[str, str]
) -> tuple[str, str]:
    """A step in a few words for the list, and as a sentence."""
    if isinstance(event, Moved):
        late = " (time ran out)" if event.cause == "timeout" else ""
        words = f"{replay.referee.plies}. {markers_of(replay.book)[before.turn - 1]}"
        did = f"{describe_turn(names[before.turn - 1], [event.move])}{late}."
        return f"{words} {format_choice(event.move)}{late}", did
    if isinstance(event, TakenBack):
        undone = f"Undone: back to the position after move {event.plies}."
        return f"undone after {event.plies}", undone
    return "end", f"{listing.result(replay.record)}."
