"""How to call this program from the shell, for every text that suggests a command."""

import os
import sys


def command(arguments: str) -> str:
    """This program with these arguments, such that it can be typed where it was started."""
    return f"{_program()} {arguments}"


def _program() -> str:
    from shlex import quote
    from shutil import which

    started, found = sys.argv[0], which("ninefold")
    is_script = os.path.basename(started) == "ninefold" and os.path.isfile(started)
    if not is_script or (found and os.path.samefile(found, started)):
        return "ninefold"
    # Whoever started us may have changed the folder, but not the one that the shell remembers.
    path = os.path.abspath(started)
    near = os.path.relpath(path, os.environ.get("PWD", os.getcwd()))
    return quote(path if near.startswith(os.pardir) else near)
