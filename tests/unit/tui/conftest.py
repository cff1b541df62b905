"""The app in these tests has folders of its own."""

from pathlib import Path
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet

PARSED: dict[object, Any] = {}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with nothing in it, which is also the current folder."""
    for name, folder in (("HOME", ""), ("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config")):
        monkeypatch.setenv(name, str(tmp_path / folder))
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


@pytest.fixture(autouse=True)
def parse_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each style sheet is read once, as by an app that goes on, and not by each of hundreds."""
    parse = Stylesheet._parse_rules

    def parsed(sheet: Stylesheet, css: str, **where: Any) -> Any:
        key = (css, *where.items(), *sheet._variables.items())
        if key not in PARSED:
            PARSED[key] = parse(sheet, css, **where)
        return PARSED[key]

    monkeypatch.setattr(Stylesheet, "_parse_rules", parsed)
