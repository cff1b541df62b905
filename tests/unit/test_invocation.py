"""Suggested commands can be typed as they stand."""

import sys
from pathlib import Path

import pytest

from ninefold.invocation import command


def test_a_program_on_the_path_is_called_by_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """So is a module that was run with python -m."""
    script = _script(tmp_path / "bin" / "ninefold")
    monkeypatch.setenv("PATH", str(script.parent))
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert command("games") == "ninefold games"
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "argv", ["/somewhere/ninefold/__main__.py"])
    assert command("games") == "ninefold games"


def test_another_program_is_called_by_its_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Seen from the folder of the shell, whatever folder the program works in."""
    script = _script(tmp_path / ".venv" / "bin" / "ninefold")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.setenv("PWD", str(tmp_path))
    assert command("resume k3f9") == ".venv/bin/ninefold resume k3f9"
    monkeypatch.setenv("PWD", str(tmp_path / "elsewhere"))
    assert command("resume k3f9") == f"{script} resume k3f9"


def _script(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path
