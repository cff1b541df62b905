"""The pictures of the site in the documentation."""

from pathlib import Path

import pytest

from tools import write_site_screenshots as tool


@pytest.mark.usefixtures("chromium")
def test_one_command_makes_all_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that the documentation shows, and small ones."""
    kept = {path.name for path in tool.FOLDER.iterdir()}
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    assert tool.main() == 0
    made = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert made.keys() == kept
    assert max(made.values()) < 200_000
