"""What all screens share."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from textual.app import SystemCommand
from textual.screen import Screen

from ninefold.preferences import Preferences

if TYPE_CHECKING:
    from ninefold.tui.app import NinefoldApp


class Page(Screen[None]):
    """A screen of the app, with its preferences and its commands for the palette."""

    @property
    def program(self) -> "NinefoldApp":
        """The app, by a name that type checkers know."""
        found: Any = self.app
        return found  # type: ignore[no-any-return]

    @property
    def preferences(self) -> Preferences:
        """What the user prefers."""
        return self.program.preferences

    def tell(self, text: str) -> None:
        """Show a short message, for what went wrong or is done."""
        self.app.notify(text, markup=False)

    def commands(self) -> Iterable[SystemCommand]:
        """What the command palette offers here, besides what it offers everywhere."""
        return ()
