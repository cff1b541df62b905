"""``ninefold serve`` before it serves: what it needs is installed."""

import argparse
import re
import tomllib
from pathlib import Path

import pytest

from ninefold import require
from ninefold.cli.serve_command import run_serve

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
# What is imported under another name, and what the server does without.
NAMES, OPTIONAL = {"argon2-cffi": "argon2"}, {"uvloop"}


def packages() -> list[str]:
    """The packages of the extra that the server imports."""
    found = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]["serve"]
    names = [re.split("[>=; ]", one)[0] for one in found]
    return [NAMES.get(name, name) for name in names if name not in OPTIONAL]


@pytest.mark.parametrize("package", packages())
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """In a message that says how to install it, whichever of the extra it is."""
    monkeypatch.setattr(require, "is_installed", lambda name: name != package)
    with pytest.raises(require.MissingExtra, match=rf"{package} is not .* 'ninefold\[serve\]'"):
        run_serve(argparse.Namespace())
