"""The parts of a form: rows with a label, choices and texts, used by keys or by mouse alone."""

from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select

from ninefold.tui.base import Page

# Up and down lead from field to field, like Tab.
_ARROWS: list[BindingType] = [
    Binding("up", "app.focus_previous", show=False),
    Binding("down", "app.focus_next", show=False),
]


class Form(VerticalScroll, can_focus=False):
    """Rows of fields."""

    BINDINGS: ClassVar[list[BindingType]] = _ARROWS


class FormPage(Page):
    """A page with a form; fields that are on no scrolled form are reached in the same way."""

    BINDINGS: ClassVar[list[BindingType]] = _ARROWS

    def on_input_submitted(self) -> None:
        """Enter in a text leads to the next field."""
        self.focus_next()


class Choice(Select[str]):
    """One of several values: left and right change it, Enter or a click shows all of them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *_ARROWS,
        Binding("left", "another(-1)", show=False),
        Binding("right", "another(1)", show=False),
    ]

    def __init__(self, options: Mapping[str, str], chosen: str | None, id: str) -> None:  # noqa: A002 - Textual's own name
        self.offered = dict(options)
        value = chosen if chosen in self.offered else next(iter(self.offered))
        pairs = _pairs(self.offered)
        super().__init__(pairs, value=value, allow_blank=False, id=id, compact=True)

    @property
    def chosen(self) -> str:
        """The value."""
        return str(self.value)

    def offer(self, options: Mapping[str, str], chosen: str | None = None) -> None:
        """Offer other values; the one chosen stays, unless another is given or it is gone."""
        wanted = self.chosen if chosen is None else chosen
        if self.offered == options and wanted == self.chosen:
            return
        self.offered = dict(options)
        with self.prevent(Select.Changed):
            self.set_options(_pairs(self.offered))
            self.value = wanted if wanted in self.offered else next(iter(self.offered))

    def action_another(self, by: int) -> None:
        """Choose the next or the previous value."""
        values = [*self.offered]
        at = values.index(self.chosen) + by
        self.value = values[max(0, min(at, len(values) - 1))]


def _pairs(options: Mapping[str, str]) -> list[tuple[Text, str]]:
    """What Textual shows; as Text, since a name may look like its markup."""
    return [(Text(words), value) for value, words in options.items()]


def row(label: str, field: Widget) -> ComposeResult:
    """One row of a form."""
    with Horizontal(classes="row", id=f"row-{field.id}"):
        yield Label(label)
        yield field


def text_row(label: str, name: str, value: str, most: int = 40) -> ComposeResult:
    """One row of a form with a text."""
    yield from row(label, Input(value, id=name, max_length=most, compact=True))


def buttons(labels: Mapping[str, str]) -> ComposeResult:
    """A row of buttons, by their ids."""
    with Horizontal(classes="buttons"):
        for name, label in labels.items():
            yield Button(label, id=name, compact=True)
