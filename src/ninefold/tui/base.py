"""What all screens share."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, messages, on
from textual.app import ComposeResult, SystemCommand
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Static

from ninefold.preferences import Preferences

if TYPE_CHECKING:
    from ninefold.tui.app import NinefoldApp


# What a screen has to know even before it is composed or after it is left.
ALWAYS = (
    events.Compose,
    events.Callback,
    events.ScreenSuspend,
    events.Unmount,
    messages.CloseMessages,
    messages.Prune,
)


class Page(Screen[None]):
    """A screen of the app, with what its buttons do and what it offers in the palette."""

    ACTIONS: ClassVar[Mapping[str, str]] = {}  # by the id of a button, unless it is its action
    PALETTE: ClassVar[Mapping[str, tuple[str, str]]] = {}  # a title and a sentence by action
    _is_composed = False

    @property
    def program(self) -> "NinefoldApp":
        """The app, by a name that type checkers know."""
        found: Any = self.app
        return found  # type: ignore[no-any-return]

    @property
    def preferences(self) -> Preferences:
        """What the user prefers."""
        return self.program.preferences

    @property
    def is_open(self) -> bool:
        """Whether there is something to show on: it is composed, and has not been left."""
        found = self.program
        return self._is_composed and found.is_open and self in found.screen_stack

    async def _dispatch_message(self, message: Message) -> None:
        """Handle what happens here, unless it comes so late that there are no widgets any more."""
        if self.is_open or isinstance(message, ALWAYS):
            await super()._dispatch_message(message)
        if isinstance(message, events.Compose):
            self._is_composed = bool(self.children)  # none, if it was left before

    def tell(self, text: str) -> None:
        """Show a short message, for what went wrong or is done."""
        self.app.notify(text, markup=False)

    def refuse(self, reason: str) -> None:
        """Say next to the fields what is wrong; nothing if all is well."""
        refusal = self.query_one("#refusal", Static)
        refusal.update(reason)
        refusal.display = bool(reason)

    def action_back(self) -> None:
        """Return to where this screen was opened."""
        self.app.pop_screen()

    @on(Button.Pressed)
    async def _button_pressed(self, event: Button.Pressed) -> None:
        if not self.is_active:
            return  # a second click on what has just closed this screen, or covered it
        name = (event.button.id or "").removeprefix("do-")
        await self.run_action(self.ACTIONS.get(name, name))
        self.after_button()

    def after_button(self) -> None:
        """Whatever a click on a button needs afterwards."""

    def commands(self) -> Iterable[SystemCommand]:
        """What the command palette offers here, besides what it offers everywhere."""
        for action, (title, text) in self.PALETTE.items():
            if self.check_action(action, ()):
                yield SystemCommand(title, text, partial(self._obey, action))

    async def _obey(self, action: str) -> None:
        """Do what the palette was asked for, unless this screen was left meanwhile."""
        if self.is_active:
            await self.run_action(action)


class ControlledPage(Page):
    """A screen whose actions are buttons below it, if possible now."""

    CONTROLS: ClassVar[Mapping[str, str]] = {}  # the label of a button by its action

    def compose_controls(self) -> ComposeResult:
        """The row of buttons."""
        with Horizontal(id="controls"):
            for action, label in {**self.CONTROLS, "menu": "^p Menu"}.items():
                yield Button(label, id=f"do-{action}", compact=True)

    def show_controls(self) -> None:
        """Show the buttons of what is possible now."""
        for action in self.CONTROLS:
            possible = bool(self.check_action(action, ()))
            self.query_one(f"#do-{action}").set_class(not possible, "-impossible")
        self.refresh_bindings()

    def action_menu(self) -> None:
        """Open the command palette."""
        self.app.action_command_palette()
