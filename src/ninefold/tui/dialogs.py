"""Small screens on top of another one: a question, and a text to read."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.visual import VisualType
from textual.widgets import Button, Static


class Confirm(ModalScreen[bool]):
    """A question that is answered with yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, question: str, yes: str = "Yes", no: str = "No") -> None:
        super().__init__()
        self._texts = question, yes, no

    def compose(self) -> ComposeResult:
        """The question above two buttons; Enter takes the safe one."""
        question, yes, no = self._texts
        with Vertical(classes="dialog"):
            yield Static(question, markup=False)
            with Horizontal(classes="buttons"):
                yield Button(f"{no} (n)", id="no", compact=True)
                yield Button(f"{yes} (y)", id="yes", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Answer by a key."""
        self.dismiss(yes)


class Text(ModalScreen[None]):
    """A text to read and scroll."""

    AUTO_FOCUS = "VerticalScroll"  # the arrow keys scroll at once
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "dismiss", "Back")]

    def __init__(self, title: str, text: VisualType) -> None:
        super().__init__()
        self._heading, self._body = title, text

    def compose(self) -> ComposeResult:
        """The title, the text, and how to leave."""
        with Vertical(classes="page"):
            yield Static(self._heading, classes="title", markup=False)
            with VerticalScroll():
                yield Static(self._body, markup=False)
            yield Button("Back (Esc)", id="back", compact=True)

    def on_button_pressed(self) -> None:
        """Leave."""
        self.dismiss()
