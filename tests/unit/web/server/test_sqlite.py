"""The file of the database, and its copies: nobody else on the computer reads them."""

import os
from pathlib import Path

import pytest

from ninefold.core.errors import NinefoldError
from ninefold.web.server.sqlite import SqliteConnection, back_up


def mode(path: Path) -> int:
    """Who may do what with this file."""
    return path.stat().st_mode & 0o777


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes")
def test_only_the_owner_reads_the_database_and_its_backup(tmp_path: Path) -> None:
    """It holds the key that signs cookies."""
    path, copy = tmp_path / "new" / "games.sqlite", tmp_path / "copy.sqlite"
    connection = SqliteConnection(str(path))
    connection.execute("UPDATE clock SET beat = 1")
    back_up(str(path), str(copy))
    names = [path.parent, path, path.with_name("games.sqlite-wal"), copy]
    assert [*map(mode, names)] == [0o700, 0o600, 0o600, 0o600]
    connection.close()


def test_a_backup_that_fails_leaves_no_file(tmp_path: Path) -> None:
    """So it can be tried again under the same name."""
    with pytest.raises(NinefoldError, match="Cannot back up"):
        back_up(str(tmp_path / "missing.sqlite"), str(tmp_path / "copy.sqlite"))
    assert not (tmp_path / "copy.sqlite").exists()
