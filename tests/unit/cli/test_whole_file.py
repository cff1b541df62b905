"""Files of commands: whole or not there, whoever else writes them."""

from pathlib import Path

import pytest

from ninefold.cli.common import whole_file
from ninefold.core.errors import NinefoldError


def test_two_may_write_one_file_and_the_last_one_wins(tmp_path: Path) -> None:
    """Neither sees anything of the other."""
    path = tmp_path / "file"
    with whole_file(str(path)) as one:
        one.write(b"one, which is longer")
        with whole_file(str(path)) as two:
            two.write(b"two")
        assert path.read_bytes() == b"two"
    assert path.read_bytes() == b"one, which is longer"
    assert [*tmp_path.iterdir()] == [path]


def test_a_new_file_never_replaces_one_that_has_appeared_meanwhile(tmp_path: Path) -> None:
    """It stays as it is, and no draft is left."""
    path = tmp_path / "file"
    with pytest.raises(NinefoldError, match="File exists"), whole_file(str(path), replace=False):
        path.write_text("other")
    assert path.read_text() == "other"
    assert [*tmp_path.iterdir()] == [path]


def test_a_new_file_is_written_and_an_error_leaves_nothing(tmp_path: Path) -> None:
    """Whatever the error is."""
    path = tmp_path / "file"
    with pytest.raises(ZeroDivisionError), whole_file(str(path)):
        raise ZeroDivisionError
    assert [*tmp_path.iterdir()] == []
    with whole_file(str(path), replace=False) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
