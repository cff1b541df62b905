"""Faults of Textual 8.2.8 that random keys and clicks have found, avoided until they are fixed."""

from contextlib import suppress
from typing import Any

from textual import events
from textual._compositor import Compositor
from textual.await_complete import AwaitComplete
from textual.command import CommandPalette
from textual.content import Content
from textual.errors import NoWidget
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import OptionList

_move_page = OptionList._move_page
_click = OptionList._on_click
_dismiss = Screen.dismiss
_widget_at = Compositor.get_widget_at
_click_menu = CommandPalette._on_click
_screen_resized = Screen._screen_resized
_wrap = Content._wrap_and_format
_content_height = Widget.get_content_height


def _move_page_if_laid_out(self: OptionList, direction: Any) -> None:
    """Page Up and Page Down fail in a list that has never been laid out."""
    if (self.highlighted or 0) in self._index_to_line:
        _move_page(self, direction)


async def _click_if_still_there(self: OptionList, event: events.Click) -> None:
    """A click fails on an option that is still painted, but no longer in the list."""
    option = event.style.meta.get("option")
    if option is None or option < self.option_count:
        await _click(self, event)


def _dismiss_once(self: Screen[Any], result: Any = None) -> AwaitComplete:
    """Two quick keys dismiss a dialog twice, and the second one closes the screen below it."""
    return _dismiss(self, result) if self.is_active else AwaitComplete()


def _widget_still_at(self: Compositor, x: int, y: int) -> tuple[Widget, Region]:
    """A click fails on what is still painted, but has just been removed, such as a message."""
    there = (found for found in self.get_widgets_at(int(x), int(y)) if found[0].is_attached)
    return next(there, None) or _widget_at(self, x, y)


def _click_menu_if_there(self: CommandPalette, event: events.Click) -> None:
    """A click fails in the menu where a screen that has shrunk ends."""
    with suppress(NoWidget):
        _click_menu(self, event)


def _screen_resized_to_terminal(self: Screen[Any], size: Size) -> None:  # noqa: ARG001
    """Two quick changes of the size follow each other for ever: each layout announces its own."""
    _screen_resized(self, self.app.size)


def _wrap_in_a_column(self: Content, width: int, *given: Any, **named: Any) -> Any:
    """A text without a single column fails."""
    return _wrap(self, max(1, width), *given, **named)


def _content_height_in_a_column(self: Widget, container: Size, viewport: Size, width: int) -> int:
    """A text that the scrollbar leaves no column had no height, so the scrollbar came and went."""
    return _content_height(self, container, viewport, max(1, width))


def apply() -> None:
    """Avoid the faults from now on."""
    Widget.get_content_height = _content_height_in_a_column  # type: ignore[method-assign]
    Content._wrap_and_format = _wrap_in_a_column  # type: ignore[method-assign]
    CommandPalette._on_click = _click_menu_if_there  # type: ignore[method-assign]
    Compositor.get_widget_at = _widget_still_at  # type: ignore[method-assign]
    Screen._screen_resized = _screen_resized_to_terminal  # type: ignore[method-assign]
    Screen.dismiss = _dismiss_once  # type: ignore[method-assign]
    OptionList._on_click = _click_if_still_there  # type: ignore[method-assign]
    OptionList._move_page = _move_page_if_laid_out  # type: ignore[method-assign]
