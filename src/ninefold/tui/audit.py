"""The audit of a rule book in a few lines, worked out while the screen is shown."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, LoadingIndicator, Static

from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.tui.background import from_thread, in_background
from ninefold.tui.base import Page
from ninefold.tui.fields import buttons

SECONDS = 60.0


class AuditBook(Page):
    """Audits a book; leaving the screen gives up the audit."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.pop_screen", "Back")]

    def __init__(self, book: Book) -> None:
        super().__init__()
        self.book = book

    def compose(self) -> ComposeResult:
        """What is being done, and then what was found."""
        yield Static(f"Audit: {self.book.title}", classes="title", markup=False)
        yield Static("Starting …", id="stage", markup=False)
        with VerticalScroll(id="reader"):
            yield LoadingIndicator(id="busy")
            yield Static(id="found", markup=False)
        yield from buttons({"back": "Back (Esc)"})
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Start."""
        self.query_one("#reader").focus()
        self.query_one("#busy").display = self.preferences.animations
        in_background(self, self._work, self._done)

    def _work(self) -> list[str]:
        """The lines to show; raises NinefoldError as soon as nobody waits for them."""
        from ninefold.audit import audit

        def tell(stage: str) -> None:
            if not self.is_open:
                raise NinefoldError("left", "Nobody waits for this audit.")
            from_thread(self, self._show_stage, stage)

        return audit(self.book, tell=tell, seconds=SECONDS).audits[0].summary()

    def _show_stage(self, stage: str) -> None:
        self.query_one("#stage", Static).update(f"{stage[:1].upper()}{stage[1:]} …")

    def _done(self, lines: "list[str] | NinefoldError") -> None:
        self.query_one("#busy").display = False
        failed = isinstance(lines, NinefoldError)
        text = lines.message if isinstance(lines, NinefoldError) else "\n\n".join(lines)
        self.query_one("#stage", Static).update("The audit failed." if failed else "")
        self.query_one("#stage").display = failed
        self.query_one("#found", Static).update(text)
