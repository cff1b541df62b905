"""The engine agrees with the naive definition under rules and pools no book has."""

from __future__ import annotations

import pytest
from effort import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from contract import naive
from contract.strategies import (
    LARGE,
    SMALL,
    Twins,
    declared_rules,
    open_rules,
    ordered_rules,
    progression,
    twins,
    with_limits,
    with_turns,
)
from contract.walks import (
    Drawn,
    Pair,
    engine_move,
    engine_view,
    naive_view,
    observed,
    playable,
    walk,
)
from ninefold.core.game import Game
from ninefold.core.moves import format_move
from ninefold.core.position import Position
from ninefold.core.sets import TABLE_POOL


def play(both: Twins, data: st.DataObject, moves: int) -> list[Pair]:
    """The positions of a random game of at most so many moves, some turns of it lost."""
    first = data.draw(st.sampled_from((1, 2)), label="first")
    state, position = naive.start(first), Game(both.engine).start(first)
    pairs = [(state, position)]
    for _ in range(moves):
        choices = playable(both.naive, state, lost=True)
        if not choices:
            break
        move = data.draw(st.sampled_from(choices), label="move")
        state, position = naive.play(both.naive, state, move), position.play(engine_move(move))
        pairs.append((state, position))
    return pairs


def assert_agree(both: Twins, pairs: list[Pair]) -> None:
    """Fail unless both sides see the same in each of the positions."""
    for state, position in pairs:
        assert engine_view(position) == naive_view(both.naive, state)


@given(open_rules((1, 10)))
@settings(max_examples=examples(25))
def test_winning_sets(both: Twins) -> None:
    """The sets of a pool, also the losing ones, are those found by trying all combinations."""
    game, pool = Game(both.engine), tuple(sorted(both.naive.pool))
    for sets, wanted in ((game.wins, both.naive.families), (game.losses, both.naive.losses)):
        families = tuple(one for one in wanted if not (one.whole or one.shared))
        assert sets.sets == tuple(naive.sets_of_row(families, pool, ()))


@given(open_rules(SMALL), st.data())
@settings(max_examples=examples(25))
def test_any_rules(both: Twins, data: st.DataObject) -> None:
    """Whatever wins, whatever ends the game: turn, moves and outcome are the naive ones."""
    assert_agree(both, play(both, data, moves=30))


@given(open_rules(LARGE), st.data())
@settings(max_examples=examples(8))
def test_a_large_pool(both: Twins, data: st.DataObject) -> None:
    """Without a table of all hands, turn, moves and outcome are the naive ones as well."""
    game = Game(both.engine)
    assert len(game.pool) > TABLE_POOL and game.table is None
    assert_agree(both, play(both, data, moves=60))


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", [open_rules(SMALL), declared_rules(SMALL), ordered_rules(SMALL), open_rules(LARGE)]
)
@given(data=st.data())
@settings(max_examples=examples(8))
def test_openings_swaps_passes_and_several_picks(
    rules: st.SearchStrategy[Twins], data: st.DataObject
) -> None:
    """With any of them, whatever else the rules say: turn, moves and outcome are the naive ones."""
    both = data.draw(with_turns(rules))
    assert_agree(both, play(both, data, moves=60))


@pytest.mark.parametrize(
    "rules",
    [
        open_rules(SMALL),
        with_turns(open_rules(SMALL)),
        with_turns(declared_rules(SMALL)),
        with_turns(ordered_rules(SMALL)),
        with_turns(open_rules(LARGE)),
    ],
)
@given(data=st.data())
@settings(max_examples=examples(15))
def test_limits_to_what_may_be_taken(rules: st.SearchStrategy[Twins], data: st.DataObject) -> None:
    """Restrictions, caps, ends of the row, being stuck: turn, moves and outcome as defined."""
    both = data.draw(with_limits(rules))
    assert_agree(both, play(both, data, moves=60))


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        with_turns(open_rules((1, 5))),
        with_turns(declared_rules((3, 4))),
        with_turns(ordered_rules((3, 4))),
        with_limits(with_turns(open_rules((1, 5)))),
        with_limits(with_turns(declared_rules((3, 4)))),
    ],
)
@given(data=st.data())
@settings(max_examples=examples(5))
def test_keys(rules: st.SearchStrategy[Twins], data: st.DataObject) -> None:
    """Equal keys mean equal futures, and what no rule can tell apart has one key."""
    both = data.draw(rules)
    assume(both.naive.asks_from is None or naive.wins(both.naive, both.naive.pool))
    futures: dict[object, object] = {}
    keys: dict[object, object] = {}
    for state, position in walk(Drawn(Game(both.engine), both.naive, lost=True)):
        moves = playable(both.naive, state, lost=True)
        after = {move: position.play(engine_move(move)) for move in moves}
        ahead = {move: ending(to, position.turn) or to.key for move, to in after.items()}
        assert position.outcome or futures.setdefault(position.key, ahead) == ahead
        what = observed(both.naive, state)
        assert keys.setdefault(what, position.key) == position.key


def ending(position: Position, seat: int) -> object:
    """The outcome as a player sees it (won, lost or drawn, and why), or None."""
    outcome = position.outcome
    return outcome and (outcome.winner and outcome.winner == seat, outcome.reason)


@given(data=st.data())
@settings(max_examples=examples(8))
def test_the_notation_of_any_game(data: st.DataObject) -> None:
    """The moves of a game, written down and read again, lead to the same position."""
    rules = data.draw(st.sampled_from([open_rules, declared_rules]))
    both = data.draw(with_turns(rules(SMALL)))
    first = data.draw(st.sampled_from((1, 2)))
    game = Game(both.engine)
    position, written = game.start(first), list[str]()
    while position.outcome is None and len(written) < 40:
        move = data.draw(st.sampled_from(position.legal))
        position = position.play(move)
        written.append(format_move(move))
    assert game.play(" ".join(written), first) in (position, position.settled())


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@given(data=st.data())
@settings(max_examples=examples(8))
def test_declared_wins(size: tuple[int, int], data: st.DataObject) -> None:
    """Questions, declarations and undeclared endings are the naive ones on any pool."""
    both = data.draw(declared_rules(size))
    assume(naive.wins(both.naive, both.naive.pool))
    assert_agree(both, play(both, data, moves=60))


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@given(data=st.data())
@settings(max_examples=examples(8))
def test_ordered_wins(size: tuple[int, int], data: st.DataObject) -> None:
    """Progressions in the order picked are the naive ones on any pool of natural numbers."""
    both = data.draw(ordered_rules(size))
    assert_agree(both, play(both, data, moves=20))


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@given(data=st.data())
@settings(max_examples=examples(8))
def test_threats(size: tuple[int, int], data: st.DataObject) -> None:
    """The threats of either player are the naive ones under any rules."""
    both = data.draw(open_rules(size) | with_turns(open_rules(size)))
    state, position = play(both, data, moves=data.draw(st.integers(2, size[1])))[-1]
    assume(position.outcome is None)
    for seat in (1, 2):
        assert position.threats(seat) == tuple(sorted(naive.threats(both.naive, state, seat)))


def test_the_family_of_an_ordered_win() -> None:
    """If order counts, 1 -2 4 is a geometric win, although -2 1 4 would be an arithmetic one."""
    pool = (-2, 1, 4, 10, 11)
    wins = [progression(name, 3, pool, in_order=True) for name in ("arithmetic", "geometric")]
    rules = twins(pool, wins, []).engine._replace(hand_limit=3, in_order=True)
    outcome = Game(rules).play("1 10 -2 11 4").outcome
    assert outcome and outcome.reason == "geometric"
