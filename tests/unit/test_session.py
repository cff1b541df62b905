"""A session: games that begin, end, and go on from a position of another one."""

from pathlib import Path

import pytest
from unit.record.records import settings_of

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import LOST, parse_moves
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import read_record
from ninefold.referee.events import Moved
from ninefold.session import LiveGame, Session

BOOK = books.load_book("sequence-duel-arithmetic")


def silent(text: str) -> None:
    """Nothing is to be warned of."""
    raise AssertionError(text)


def facts(moves: str) -> list[Moved]:
    """Moves that players chose, the first player first."""
    return [Moved(1 + at % 2, move) for at, move in enumerate(parse_moves(moves))]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty folder of records."""
    return Store(str(tmp_path))


def begun(store: Store, moves: str = "9 8 1") -> tuple[Session, LiveGame]:
    """A game played on after these moves of a game of a match."""
    settings = settings_of(BOOK, match="m", wins=3, round=2)
    session = Session.play_on(BOOK, settings, facts(moves), store, silent)
    return session, session.next_game()


def test_a_game_can_go_on_from_a_position_of_another(store: Store) -> None:
    """It is a single game of its own, with the moves made already."""
    session, game = begun(store)
    assert game.position.hands == ((9, 1), (8,))
    assert (session.match, game.referee.settings.given, game.resumed) == (None, 3, True)
    game.move(5, 0.0)
    assert game.outcome is None
    session.close()


def test_nothing_is_recorded_before_somebody_moves(store: Store) -> None:
    """Looking at a position is no game."""
    session, _ = begun(store)
    session.close()
    assert store.names() == []


def test_its_record_replays_and_resumes(store: Store) -> None:
    """With the moves taken over, which nobody has to look up elsewhere."""
    session, game = begun(store)
    game.move(5, 0.0)
    session.close()
    (name,) = store.names()
    referee = Replay(read_record(store.path(name))).run()
    assert referee.moves == (9, 8, 1, 5)
    assert referee.settings.given == 3
    again = Session.resume(store.path(name), silent)
    resumed = again.next_game()
    assert resumed.referee.moves == (9, 8, 1, 5)
    resumed.resign(1)
    again.finish(resumed)
    rematch = again.rematch()
    again.close()
    anew = rematch.next_game()
    assert (anew.referee.moves, anew.referee.settings.given) == ((), None)
    assert anew.referee.settings.first == 1, "the loser starts"
    rematch.close()
    assert read_record(store.path(name)).result == "0-1"


def test_a_move_taken_over_can_be_undone(store: Store) -> None:
    """The record still replays."""
    session, game = begun(store)
    game.undo(game.position.turn, 0.0)
    game.move(2, 0.0)
    session.close()
    assert Replay(read_record(store.path(session.name))).run().moves == (9, 8, 2)


def test_a_turn_lost_by_a_wrong_number_is_taken_over_as_it_was(store: Store) -> None:
    """With the number that was tried."""
    book = books.load_book("sequence-duel-sum", "lose-turn")
    made = [Moved(1, 5), Moved(2, LOST, "invalid", 5)]
    session = Session.play_on(book, settings_of(book), made, store, silent)
    game = session.next_game()
    assert game.referee.made == tuple(made)
    game.move(1, 0.0)
    session.close()
    assert Replay(read_record(store.path(session.name))).run().made[1] == made[1]


def test_moves_that_the_rules_do_not_allow_are_refused(store: Store) -> None:
    """They cannot have been made in this game."""
    with pytest.raises(NinefoldError):
        begun(store, "9 9")
