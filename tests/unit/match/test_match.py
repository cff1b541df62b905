"""A match: who starts, who leads, when it is over."""

from ninefold.match import Match


def test_the_loser_of_a_game_starts_the_next() -> None:
    """Whoever started, the loser starts."""
    assert Match(3, None, 1).starter == 1
    assert Match(3, None, 1, (1,)).starter == 2
    assert Match(3, None, 1, (2,)).starter == 1
    assert Match(3, None, 2, (2, 2)).starter == 1


def test_after_a_drawn_game_the_starter_alternates() -> None:
    """The one who did not start the drawn game starts the next."""
    assert Match(3, None, 1, (None,)).starter == 2
    assert Match(3, None, 1, (None, None)).starter == 1
    assert Match(3, None, 1, (2, None)).starter == 2


def test_a_match_ends_with_enough_wins_or_no_games_left() -> None:
    """First to N wins, at most so many games."""
    assert not Match(2, None, 1, (1, 2, None)).over
    assert Match(2, None, 1, (1, 2, 1)).over
    assert Match(2, 3, 1, (1, 2, None)).over
    assert Match(2, 3, 1, (1, 2, None)).winner is None
    assert Match(2, 3, 1, (1, None, None)).winner == 1
