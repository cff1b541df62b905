"""What every adapter says of a position is all that matters of it, for every book and reading."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from effort import examples
from hypothesis import given, settings

from contract.strategies import (
    Twins,
    declared_rules,
    open_rules,
    ordered_rules,
    with_limits,
    with_turns,
)
from ninefold import books
from ninefold.core.game import Game
from ninefold.core.moves import Declare
from ninefold.core.position import Position
from ninefold.encoding import encoding_for
from ninefold.llm_text.prompts import position_lines

GALLERY = sorted((Path(__file__).parents[2] / "docs" / "gallery").glob("*.toml"))
GAMES: list[tuple[str, str | None]] = [
    (name, reading) for name in books.names() for reading in books.load_book(name).readings
]
GAMES += [(str(path), None) for path in GALLERY]
GAMES += [("magic-fifteen", "passing=true ending=[{measure='last-pick',prefer='lower'}]")]


def load(name: str, reading: str | None) -> Game:
    """The game of a case; what holds an equals sign changes the rules."""
    if reading and "=" in reading:
        return books.load_book(name, None, tuple(reading.split(" "))).game
    return books.load_book(name, reading).game


def positions(game: Game, games: int) -> list[Position]:
    """Every position of some random games, whoever begins."""
    chance, found = Random(7), []
    for number in range(games):
        position = game.start(1 + number % 2)
        for _ in range(40):
            found.append(position)
            if position.outcome is not None:
                break
            position = position.play(chance.choice(position.legal))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), GAMES)
def test_observations_are_equal_where_the_future_is(name: str, reading: str | None) -> None:
    """Two unfinished positions look alike to the player to act if and only if their keys do."""
    game = load(name, reading)
    encoding = encoding_for(game)
    seen: dict[bytes, object] = {}
    for position in positions(game, 400):
        if position.outcome is None:
            observation = encoding.observe(position)
            assert observation.shape == encoding.shape
            assert 0 <= observation.min() <= observation.max() <= encoding.high
            assert seen.setdefault(observation.tobytes(), position.key) == position.key
    assert len(seen) == len(set(seen.values())) > 100


@pytest.mark.slow
@given(
    with_limits(with_turns(open_rules((2, 6))))
    | with_limits(with_turns(declared_rules((3, 5))))
    | with_limits(ordered_rules((3, 5)))
)
@settings(max_examples=examples(15))
def test_everything_that_matters_is_shown_under_rules_no_book_has(both: Twins) -> None:
    """To learners and to language models; masks and prompts have what the judge allows."""
    game = Game(both.engine)
    encoding, seen, told = encoding_for(game), dict[bytes, object](), dict[str, object]()
    for position in positions(game, 15):
        if position.outcome is None:
            observation, lines = encoding.observe(position), position_lines(position)
            assert 0 <= observation.min() <= observation.max() <= encoding.high
            assert seen.setdefault(observation.tobytes(), position.key) == position.key
            assert told.setdefault("\n".join(lines[1:]), position.key) == position.key
            legal = {encoding.action(move) for move in position.legal}
            assert {at for at, one in enumerate(encoding.mask(position).tolist()) if one} == legal
            if position.picks != position.available and not position.asking:
                picks = " ".join(map(str, position.picks))
                assert f"Numbers you may take: {picks}" in lines
    assert len(seen) == len({*seen.values()})


@pytest.mark.parametrize(("name", "reading"), GAMES)
def test_the_mask_is_what_the_judge_allows(name: str, reading: str | None) -> None:
    """Each action that is 1 is played to a position the judge plays, each that is 0 is refused."""
    game = load(name, reading)
    encoding = encoding_for(game)
    for position in positions(game, 40):
        mask = encoding.mask(position)
        legal = {encoding.action(move) for move in position.legal}
        assert {at for at, one in enumerate(mask.tolist()) if one} == legal
        for move in position.legal:
            after = position.play(encoding.move(position, encoding.action(move)))
            if isinstance(move, Declare):
                assert after.outcome and after.outcome.winner == position.turn
            else:
                assert after == position.play(move)


@pytest.mark.parametrize(("name", "reading"), GAMES)
def test_both_players_see_the_same_game(name: str, reading: str | None) -> None:
    """What is own to one is the opponent's to the other, and the rewards add up to nothing."""
    game = load(name, reading)
    encoding = encoding_for(game)
    for position in positions(game, 40):
        one, two = (encoding.observe(position, seat) for seat in (1, 2))
        for at, plane in enumerate(encoding.planes):
            if plane.startswith("own"):
                other = encoding.planes.index(plane.replace("own", "opponent"))
                assert one[at].tolist() == two[other].tolist()
        assert encoding.reward(position, 1) == -encoding.reward(position, 2)
        if position.outcome is not None:
            assert not encoding.mask(position).any()
            winner = position.outcome.winner
            assert encoding.reward(position, 1) == {None: 0, 1: 1, 2: -1}[winner]


def test_the_numbering_of_the_actions() -> None:
    """Numbers in ascending order; then the words, where the rules have them."""
    numbers = tuple("123456789")
    assert encoding_for(books.load_book("sequence-duel-sum").game).actions == numbers
    lose_turn = encoding_for(books.load_book("sequence-duel-sum", "lose-turn").game)
    assert lose_turn.actions == (*numbers, "lost")
    declare = encoding_for(books.load_book("pattern-builder", "declare").game)
    assert declare.actions == (*numbers, "declare", "pass")
    game = load("magic-fifteen", "passing=true pie=true")
    assert encoding_for(game).actions == (*numbers, "pass", "swap")


def test_the_planes() -> None:
    """Three for every book, and more only where the rules can ask about them."""
    three = ("own", "opponent", "available")
    assert encoding_for(books.load_book("magic-fifteen").game).planes == three
    orders = encoding_for(books.load_book("sequence-builder", "three-slots-in-order").game).planes
    assert orders == (*three, "own_order", "opponent_order")
    declare = encoding_for(books.load_book("pattern-builder", "declare").game).planes
    assert declare == (*three, "asking", "own_complete", "opponent_complete")
    rare = "passing=true pie=true picks-per-turn=2 otherwise='first'"
    assert encoding_for(load("magic-fifteen", rare)).planes == (
        *three,
        "picks_left",
        "swap",
        "began",
        "passed",
    )
    assert encoding_for(load(*GAMES[-1])).planes == (*three, "passed", "own_last", "opponent_last")


def test_an_observation_by_hand() -> None:
    """5 and 8 are mine, 2 is the opponent's."""
    game = books.load_book("magic-fifteen").game
    assert encoding_for(game).observe(game.play("5 2 8 1")).tolist() == [
        [0, 0, 0, 0, 1, 0, 0, 1, 0],
        [1, 1, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, 1, 0, 1, 1, 0, 1],
    ]
