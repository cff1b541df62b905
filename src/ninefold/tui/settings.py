"""Settings: how the app looks and behaves; every change applies and is kept at once."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Select, Static

from ninefold.book_files import short_path
from ninefold.preferences import settings_path
from ninefold.tui.board import Board
from ninefold.tui.fields import Choice, Form, FormPage, buttons, row
from ninefold.tui.tiles import Tile

_THEMES = {"dark": "Dark", "light": "Light"}
_TILES = {
    "auto": "As large as fits",
    "small": "Small, one row each",
    "medium": "Medium",
    "large": "Large",
}
_SWITCH = {"on": "On", "off": "Off"}
_FLAGS = {
    "animations": ("Animations", "Pauses before a computer moves, and smooth scrolling."),
    "threats": ("Threats", "The board marks numbers that would complete a set."),
    "accessible": (
        "Accessible",
        "For screen readers: from the next start, ninefold plays in lines of text "
        "instead of full screen. The command ninefold app still opens it.",
    ),
    "countdown": ("Countdown", "Line mode shows the time left while you type."),
}
_SAMPLE = (
    Tile(1),
    Tile(2, owner="X", seat=1),
    Tile(3, owner="O", seat=2, last=True),
    Tile(4, barred=True),
    Tile(5, owner="X", seat=1, winning=True),
    Tile(6, threat="X"),
)


class Settings(FormPage):
    """A form whose changes apply at once."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.pop_screen", "Back")]

    def compose(self) -> ComposeResult:
        """Choices, switches, and some tiles as they look now."""
        now = self.preferences
        yield Static("Settings", classes="title")
        with Form(id="form"):
            yield from row("Theme", Choice(_THEMES, now.theme, id="theme"))
            yield from row("Tiles", Choice(_TILES, now.tiles, id="tiles"))
            yield Board([tile.number for tile in _SAMPLE], now.tiles, id="sample")
            yield Static("free, X, O (last move), not now, winning, a threat", classes="about")
            for name, (label, about) in _FLAGS.items():
                value = "on" if getattr(now, name) else "off"
                yield from row(label, Choice(_SWITCH, value, id=name))
                yield Static(about, classes="about", markup=False)
            yield Static(f"Kept in {short_path(settings_path())}", id="settings-path", markup=False)
        yield from buttons({"back": "Back (Esc)"})
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Show the sample, which is only to look at."""
        sample = self.query_one("#sample", Board)
        sample.can_focus = False
        sample.show(_SAMPLE)
        self.query_one("#theme").focus()
        self._fit_sample()

    def on_resize(self) -> None:
        """Lay the sample out anew."""
        self.call_after_refresh(self._fit_sample)

    def _fit_sample(self) -> None:
        form = self.query_one("#form")
        self.query_one("#sample", Board).fit(form.size.width - 2, max(5, form.size.height // 2))

    @on(Select.Changed)
    def _changed(self, event: Select.Changed) -> None:
        name, value = str(event.select.id), event.value
        self.program.change_preferences(**{name: value == "on" if name in _FLAGS else value})
        sample = self.query_one("#sample", Board)
        sample.tile_size = self.preferences.tiles
        sample.refresh(layout=True)
