"""Names of games: an id, or a part of one that no other game has."""

from pathlib import Path

import pytest

from ninefold import books, load
from ninefold.core.errors import NinefoldError


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("magic-fifteen", "magic-fifteen"),
        ("Magic-Fifteen", "magic-fifteen"),
        ("magic", "magic-fifteen"),
        ("capture", "sequence-capture"),
        ("DUEL-SUM", "sequence-duel-sum"),
    ],
)
def test_a_part_of_an_id_is_enough(name: str, found: str) -> None:
    """The book has its full id, which is what records store."""
    assert books.load_book(name).id == found
    assert load(name) is books.load_book(found).game


def test_an_exact_id_wins_and_a_beginning_comes_before_a_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever else has the name inside its own."""
    monkeypatch.setattr(books, "names", lambda: ("duel", "duel-sum", "my-game", "old-my"))
    assert books.find_id("duel") == "duel"
    assert books.find_id("my") == "my-game"


@pytest.mark.parametrize("name", ["sequence-duel", "builder"])
def test_a_part_of_several_ids_lists_them(name: str) -> None:
    """And no game that does not have it."""
    matches = [game for game in books.names() if name in game]
    with pytest.raises(NinefoldError) as error:
        books.load_book(name)
    listed = f"'{name}' can be several games; type more of the name ({', '.join(matches)})."
    assert (error.value.message, len(matches)) == (listed, 2)


def test_nothing_is_a_part_of_no_id() -> None:
    """All games are listed."""
    with pytest.raises(NinefoldError, match=r"There is no game ''; choose one of \(magic-fifteen"):
        books.load_book("")


def test_files_keep_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is named by its path, and one called like a part of an id makes that ambiguous."""
    monkeypatch.chdir(tmp_path)
    Path("capture.toml").write_text("rules = { pool = '1-5' }")
    assert books.load_book("capture.toml").game.pool == (1, 2, 3, 4, 5)
    with pytest.raises(NinefoldError, match=r"for the file, type capture\.toml \(sequence-capture"):
        books.load_book("capture")
    with pytest.raises(NinefoldError, match="Cannot read the rule book"):
        books.load_book("./magic")


def test_a_change_that_changes_nothing_is_none() -> None:
    """However it is written; with another one, both count."""
    assert books.load_book("magic-fifteen", changes=("pool=1-9",)).changes == ()
    assert books.load_book("magic-fifteen", changes=("pool=[1,2,3,4,5,6,7,8,9]",)).changes == ()
    several = ("pool=1-9", "misere=true")
    assert books.load_book("magic-fifteen", changes=several).changes == several


@pytest.mark.parametrize("change", ["pool", "pool=1-199"])
def test_a_wrong_change_is_not_called_an_option_of_the_command_line(change: str) -> None:
    """It may come from Python."""
    with pytest.raises(NinefoldError) as error:
        load("magic-fifteen", changes=change)
    assert "--set" not in error.value.message
