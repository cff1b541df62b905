"""What a user prefers and chose last time, kept in one small file between runs."""

import json
import os
from collections.abc import Mapping
from typing import Any

from ninefold.core.text import NamedTuple

MAX_BYTES = 1 << 20
THEMES = ("dark", "light")
TILES = ("auto", "small", "medium", "large")


class Preferences(NamedTuple):
    """The settings of the user, and the choices to propose next time."""

    theme: str = "dark"
    tiles: str = "auto"
    animations: bool = True
    accessible: bool = False  # line mode in sentences, for screen readers
    countdown: bool = True  # whether line mode shows the time left while you type
    threats: bool = False  # whether the board shows who is one number away from a set
    books: tuple[str, ...] = ()  # rule-book files that were opened
    new_game: Mapping[str, str] = {}  # the last choices for a new game, by the name of the choice


_CHOICES = {"theme": THEMES, "tiles": TILES}


def load(path: str | None = None) -> Preferences:
    """What the file says; whatever is missing or makes no sense is as usual."""
    try:
        with open(path or settings_path(), encoding="utf-8") as file:
            found = json.loads(file.read(MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return Preferences()
    if not isinstance(found, dict):
        return Preferences()
    usual = Preferences()._asdict()
    kept = {name: _read(name, found.get(name), default) for name, default in usual.items()}
    return Preferences(**kept)


def save(preferences: Preferences, path: str | None = None) -> bool:
    """Write the whole file or nothing; whether it worked, since nothing important is lost."""
    path = path or settings_path()
    draft = f"{path}.{os.getpid()}.new"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(draft, "w", encoding="utf-8") as file:
            json.dump(preferences._asdict(), file, indent=2)
        os.replace(draft, path)
    except OSError:
        return False
    return True


def settings_path() -> str:
    """The file of the settings."""
    from platformdirs import user_config_dir

    return os.path.join(user_config_dir("ninefold", appauthor=False), "settings.json")


def _read(name: str, found: Any, default: Any) -> Any:
    """The value found for a field, or its default."""
    if isinstance(default, tuple):
        texts = found if isinstance(found, list) else []
        return tuple(text for text in texts if isinstance(text, str))
    if isinstance(default, Mapping):
        pairs = found.items() if isinstance(found, dict) else ()
        return {key: value for key, value in pairs if isinstance(value, str)}
    right = type(found) is type(default) and found in _CHOICES.get(name, (found,))
    return found if right else default
