"""A rule book's text with every error and warning under its line."""

import os
from collections.abc import Mapping
from functools import partial
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from ninefold.books.check import Report, examine_text, verdict
from ninefold.books.faults import Fault, Place
from ninefold.books.safety import shown
from ninefold.books.sources import read_text
from ninefold.core.errors import NinefoldError
from ninefold.tui.background import in_background
from ninefold.tui.base import Page
from ninefold.tui.fields import buttons

# Seconds between looks at the file.
LOOK = 1.0
MAX_SHOWN = 50
ADVICE = "Edit the file in your editor: this page updates when it changes."


_BUTTONS = {"next": "Next", "previous": "Previous", "update": "Update", "back": "Back"}


class Part(NamedTuple):
    """Some lines of the file, or what is wrong with the last one of them."""

    text: str
    kind: str = "text"  # or "fault", "warning"


class CheckBook(Page):
    """The text of a file with its faults; it follows the file as it is edited elsewhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,right", "jump(1)", "Next error", key_display="n"),
        Binding("b,left", "jump(-1)", "Previous", key_display="b"),
        Binding("u,f5", "reload", "Update", key_display="u"),
        Binding("escape", "app.pop_screen", "Back"),
    ]
    ACTIONS: ClassVar[Mapping[str, str]] = {
        "next": "jump(1)",
        "previous": "jump(-1)",
        "update": "reload",
    }

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.report: Report | None = None
        self._seen: object = None  # how the file looked when it was read last
        self._at = 0

    def compose(self) -> ComposeResult:
        """How many errors there are, and the text."""
        yield Static(shown(os.path.basename(self.path), 100), classes="title", markup=False)
        yield Static("Checking …", id="checked", markup=False)
        yield VerticalScroll(id="source")
        yield Static(ADVICE, id="advice", markup=False)
        yield from buttons(_BUTTONS)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Check, and from then on whenever the file has changed."""
        self.query_one("#source").focus()
        self.action_reload()
        self.set_interval(LOOK, self._look)

    def _look(self) -> None:
        if _look_of(self.path) != self._seen:
            self.action_reload()

    def action_reload(self) -> None:
        """Read and check the file again."""
        self._seen = _look_of(self.path)
        in_background(self, lambda: check_file(self.path), partial(self._checked, self._seen))

    async def _checked(self, seen: object, found: "tuple[str, Report] | NinefoldError") -> None:
        if seen != self._seen:
            return  # the file has changed since, and is being checked again
        source = self.query_one("#source", VerticalScroll)
        if isinstance(found, NinefoldError):
            self.query_one("#checked", Static).update(found.message)
            await source.remove_children()
            return
        text, self.report = found
        self.query_one("#checked", Static).update(verdict(self.report))
        parts = parts_of(text, self.report)
        async with self.batch():
            await source.remove_children()
            await source.mount_all(
                Static(part.text, classes=f"source-{part.kind}", markup=False) for part in parts
            )
        self._at = -1
        self.call_after_refresh(self.action_jump, 1)

    def action_jump(self, by: int) -> None:
        """Scroll to the next error or warning, or the one before."""
        marked = [*self.query(".source-fault, .source-warning")]
        if marked:
            self._at = (self._at + by) % len(marked)
            marked[self._at].scroll_visible(animate=False, top=False)


def check_file(path: str) -> tuple[str, Report]:
    """The text of a file and what is wrong with it; raises NinefoldError if it is no text."""
    text = read_text(path)
    return text, examine_text(text, path)


def parts_of(text: str, report: Report) -> list[Part]:
    """The lines with their numbers, each fault and warning under its line, others on top."""
    noted = [(fault, "fault") for fault in report.faults]
    noted += [(warning, "warning") for warning in report.warnings]
    more = len(noted) - MAX_SHOWN
    lines = text.rstrip("\n").split("\n")
    below: dict[int, list[Part]] = {}
    for fault, kind in noted[:MAX_SHOWN]:
        place = fault.place or Place("")
        here = place.line if not place.file and place.line <= len(lines) else 0
        below.setdefault(here, []).append(Part(_words(fault, kind, here), kind))
    width = len(str(len(lines)))
    parts = [*below.get(0, [])]
    if more > 0:
        parts.append(Part(f"and {more} more", "fault"))
    pending: list[str] = []
    for number, line in enumerate(lines, 1):
        pending.append(f"{number:>{width}}  {shown(line, 500)}")
        if number in below or number == len(lines):
            parts.append(Part("\n".join(pending)))
            parts += below.get(number, [])
            pending = []
    return parts


def _words(fault: Fault, kind: str, line: int) -> str:
    """A fault as a line of its own, marked so that it needs no colour."""
    start = "Error" if kind == "fault" else "Warning"
    column = fault.place.column if fault.place and line else 0
    where = f" at column {column}" if column else ""
    told = fault._replace(place=Place("")) if line else fault
    return f"^ {start}{where}: {told}"


def _look_of(path: str) -> object:
    """What changes when the file does."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
