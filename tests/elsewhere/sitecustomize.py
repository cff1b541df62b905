"""Puts the program on a system that is not like Unix, as far as its own modules can see.

Python imports this before the program, if this folder is on the path. The libraries that the
program uses still see this system: on another one, they would use what that one has.
"""

import builtins
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NoReturn

from elsewhere.posix_only import MODULES, NAMES

_import = builtins.__import__


def _reduced(name: str) -> ModuleType:
    """A copy of a module without what the other system lacks."""
    module = ModuleType(name)
    found = vars(_import(name))
    vars(module).update({key: found[key] for key in found if key not in NAMES[name]})
    return module


def _only_sockets(*_: object) -> NoReturn:
    raise OSError("An operation was attempted on something that is not a socket")


_REDUCED = {name: _reduced(name) for name in NAMES}
_REDUCED["select"] = ModuleType("select")
vars(_REDUCED["select"])["select"] = _only_sockets


def _import_elsewhere(
    name: str,
    globals: Mapping[str, Any] | None = None,  # noqa: A002 - the names are prescribed
    locals: Mapping[str, Any] | None = None,  # noqa: A002
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    importer = (globals or {}).get("__name__") or ""
    if importer.partition(".")[0] == "ninefold" and level == 0:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if name in _REDUCED:
            return _REDUCED[name]
    return _import(name, globals, locals, fromlist or (), level)


builtins.__import__ = _import_elsewhere
