"""Our classes on Textual's: no attribute or method replaces one of Textual's by accident."""

import ast
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import TypeGuard

import pytest
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen

import ninefold.tui

# What Textual expects subclasses to define.
MEANT = {
    "ALLOW_SELECT",
    "AUTO_FOCUS",
    "BINDINGS",
    "COMPONENT_CLASSES",
    "CSS_PATH",
    "DEFAULT_CSS",
    "HORIZONTAL_BREAKPOINTS",
    "TITLE",
    "VERTICAL_BREAKPOINTS",
    "check_action",
    "compose",
    "get_content_height",
    "get_content_width",
    "get_system_commands",
    "render_line",
}
# What is replaced or set on purpose, with the reason next to it.
ON_PURPOSE = {
    ("Choice", "value"),
    ("ClockBars", "display"),
    ("Page", "_dispatch_message"),
    ("Several", "highlighted"),
    ("Several", "on_mount"),
    ("Table", "virtual_size"),
    ("NinefoldApp", "_check_bindings"),
    ("NinefoldApp", "_fatal_error"),
    ("NinefoldApp", "_handle_exception"),
    ("NinefoldApp", "_return_code"),
    ("NinefoldApp", "action_command_palette"),
    ("NinefoldApp", "animation_level"),
    ("NinefoldApp", "panic"),
    ("NinefoldApp", "pop_screen"),
    ("NinefoldApp", "theme"),
}


def our_classes() -> Iterator[type]:
    """Every class of the app that is based on one of Textual's."""
    for module in pkgutil.iter_modules(ninefold.tui.__path__, "ninefold.tui."):
        for _, found in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if found.__module__ == module.name and issubclass(found, MessagePump):
                yield found
                yield from (one for one in vars(found).values() if _is_message(one))


def _is_message(found: object) -> TypeGuard[type]:
    return isinstance(found, type) and issubclass(found, Message)


@cache
def names_of(ours: type) -> set[str]:
    """What the source of a class defines: methods, class attributes, and attributes of self."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(ours)))
    (definition,) = tree.body
    assert isinstance(definition, ast.ClassDef)
    names = set[str]()
    for node in definition.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    attributes = (part for part in ast.walk(definition) if isinstance(part, ast.Attribute))
    assigned = (part for part in attributes if isinstance(part.ctx, ast.Store))
    return names | {
        part.attr
        for part in assigned
        if isinstance(part.value, ast.Name) and part.value.id == "self"
    }


def accidents_of(ours: type) -> set[str]:
    """The names of Textual that this class takes over without meaning to."""
    theirs = [base for base in ours.__mro__ if base.__module__.startswith("textual.")]
    taken = set(dir(theirs[0])).union(*map(names_of, theirs))
    found = names_of(ours) & taken - MEANT
    return {name for name in found if not name.startswith("__")}


@pytest.mark.parametrize("ours", [*our_classes()], ids=lambda ours: ours.__name__)
def test_no_name_of_textual_is_replaced_by_accident(ours: type) -> None:
    """A private name of Textual that we take over would break it without a word."""
    on_purpose = {name for owner, name in ON_PURPOSE if owner == ours.__name__}
    assert accidents_of(ours) - on_purpose == set()


def test_an_accident_is_found() -> None:
    """Methods, class attributes, and what methods assign."""

    class Accident(Screen[None]):
        _classes = set[str]()  # noqa: RUF012

        def __init__(self) -> None:
            super().__init__()
            self._name = "a name"
            self._of_our_own = ""

        def _render(self) -> None:  # type: ignore[override]
            """Something else than Textual's."""

    assert accidents_of(Accident) == {"_classes", "_name", "_render"}
