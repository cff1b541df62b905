"""An agent put to the test, against a naive definition: play everything out, one game at a time."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy
import pytest

import ninefold
from ninefold.agent_proof import Agent, Examiner, Mark, prove
from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, format_move
from ninefold.core.position import Position
from ninefold.encoding import encoding_for
from ninefold.oracle import oracle_for
from ninefold.solver import solver_for

# Each is small; together they have a draw, a loss for who begins, several picks, swaps and slots.
GAMES = [
    ("sequence-duel-sum", "pool=1-6"),
    ("sequence-duel-arithmetic", "pool=1-6"),
    ("sequence-builder", "pool=1-6 hand-limit=3 in-order=true misere=true"),
    ("magic-fifteen", "pool=1-7 picks-per-turn=2"),
    ("magic-fifteen", "pool=1-6 pie=true opening=[1,2,3]"),
]


def game_of(name: str, changes: str) -> Game:
    """The game with these changes."""
    return ninefold.load(name, None, tuple(changes.split(" ")))


def smallest(_: Any, masks: Any) -> Any:
    """The agent that takes the first legal action."""
    return masks.argmax(axis=1)


def moody(seed: int) -> Agent:
    """An agent with a fixed liking of each action in each position, by chance."""

    def choose(views: Any, masks: Any) -> Any:
        liking = [
            numpy.random.default_rng([seed, *view.ravel().tolist()]).random(masks.shape[1])
            for view in views
        ]
        return numpy.where(masks, liking, -1).argmax(axis=1)

    return choose


def solved(game: Game) -> Agent:
    """The agent that looks up the best move for each observation."""
    encoding, solver = encoding_for(game), solver_for(game)
    best = {
        encoding.observe(position).tobytes(): encoding.action(solver.best(position)[0])
        for position in positions(game)
    }
    return lambda views, _: numpy.array([best[view.tobytes()] for view in views])


def positions(game: Game) -> list[Position]:
    """Every unfinished position, once for all that look the same to the player to act."""
    found = {game.start().key: game.start()}
    stack = [game.start()]
    while stack:
        position = stack.pop()
        for after in map(position.play, position.legal):
            if after.outcome is None and after.key not in found:
                found[after.key] = after
                stack.append(after)
    return list(found.values())


def naive(game: Game, agent: Agent) -> Callable[[Position, int], int]:
    """What the agent is sure to get from a position in this seat, by playing everything out."""
    encoding = encoding_for(game)

    @cache
    def certain(position: Position, seat: int) -> int:
        if position.outcome is not None:
            return int(encoding.reward(position, seat))
        if position.turn != seat:
            return min(certain(position.play(move), seat) for move in position.legal)
        views, masks = encoding.observe(position), encoding.mask(position)
        (action,) = agent(views[None], masks[None])
        return certain(position.play(encoding.move(position, int(action))), seat)

    return certain


def value(game: Game, position: Position) -> int:
    """What the solver says of the player to act: 1, 0 or -1."""
    return {"win": 1, "draw": 0, "loss": -1}[solver_for(game).value(position).result]


@pytest.mark.parametrize("agent", [smallest, moody(1), moody(2)], ids=["smallest", "1", "2"])
@pytest.mark.parametrize(("name", "changes"), GAMES)
def test_a_mark_is_what_playing_everything_out_shows(name: str, changes: str, agent: Agent) -> None:
    """How many positions there are to keep, how many are kept, and the start in both seats."""
    game = game_of(name, changes)
    certain = naive(game, agent)
    worth = kept = 0
    for position in positions(game):
        if (worthy := value(game, position)) >= 0:
            worth += 1
            kept += certain(position, position.turn) >= worthy
    start = game.start()
    seats = certain(start, 1) >= value(game, start), certain(start, 2) >= -value(game, start)
    assert Examiner(game).mark(agent) == Mark(worth, kept, seats)
    assert 0 < kept < worth


@pytest.mark.parametrize("agent", [smallest, moody(1), moody(2)], ids=["smallest", "1", "2"])
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize(("name", "changes"), GAMES)
def test_a_proof_finds_the_worst_end_and_a_real_slip(
    name: str, changes: str, seat: int, agent: Agent
) -> None:
    """The slip is a game of the agent's, whose last move throws away what it had before."""
    game = game_of(name, changes)
    proof = prove(game, agent, seat)
    start = game.start()
    assert proof.value == (value(game, start) if seat == 1 else -value(game, start))
    assert proof.worst == naive(game, agent)(start, seat)
    assert proof.holds == (not proof.slip)
    # A seat that is lost may be given a win, and throw that away: then its worst end is no worse.
    assert proof.slip or proof.worst >= proof.value
    if proof.slip:
        *before, thrown = proof.slip
        position = start
        for move in before:
            position = position.play(move)
        assert position.turn == seat
        after = position.play(thrown)
        had = value(game, position)
        reward = encoding_for(game).reward(after, seat)
        has = reward if after.outcome else value(game, after) * (1 if after.turn == seat else -1)
        assert has < had


@pytest.mark.parametrize(("name", "changes"), GAMES)
def test_the_solver_itself_keeps_everything(name: str, changes: str) -> None:
    """In every position, and from the start in both seats."""
    game = game_of(name, changes)
    agent = solved(game)
    mark = Examiner(game).mark(agent)
    assert mark.kept == mark.worth
    assert mark.seats == (True, True)
    assert all(prove(game, agent, seat).holds for seat in (1, 2))


def test_every_reply_is_followed() -> None:
    """Three numbers and no set: what the agent decides and how it can end, counted by hand."""
    game = ninefold.load("magic-fifteen", None, ("pool=1-3",))
    first, second = prove(game, smallest, 1), prove(game, smallest, 2)
    # It takes 1, is answered 2 or 3, and takes what is left.
    assert (first.decisions, first.ends) == (3, 2)
    # After 1 it takes 2, after 2 or 3 it takes 1, and then these two end alike.
    assert (second.decisions, second.ends) == (3, 2)
    assert (first.value, first.worst, first.slip) == (0, 0, ())


def test_an_illegal_move_is_no_answer() -> None:
    """The judge refuses it."""
    with pytest.raises(Illegal):
        prove(ninefold.load("magic-fifteen"), lambda views, _: numpy.zeros(len(views), int), 1)


def test_games_that_need_not_end_are_followed_all_the_same() -> None:
    """An agent that loses every turn it has throws its win away at once, and nothing is kept."""
    game = ninefold.load("sequence-duel-sum", "lose-turn")
    lost = encoding_for(game).actions.index("lost")
    proof = prove(game, lambda views, _: numpy.full(len(views), lost), 1)
    assert (proof.value, proof.worst) == (1, -1)
    assert [*map(format_move, proof.slip)] == ["lost"]
    mark = Examiner(game).mark(lambda views, _: numpy.full(len(views), lost))
    assert (mark.kept, mark.seats) == (0, (False, True))


def test_a_win_that_is_kept_for_ever_is_not_won() -> None:
    """Whoever loses turns on purpose as long as that costs nothing may never come to an end."""
    game = ninefold.load("sequence-duel-sum", "lose-turn")
    oracle, lost = oracle_for(game), encoding_for(game).actions.index("lost")

    def idle(observations: Any, _: Any) -> Any:
        answers = oracle.ask(observations)
        return numpy.where(answers.keeping[:, lost] == 1, lost, answers.optimal.argmax(axis=1))

    def brisk(observations: Any, _: Any) -> Any:
        return oracle.ask(observations).optimal.argmax(axis=1)

    proof = prove(game, idle, 1)
    assert (proof.value, proof.worst, proof.holds) == (1, 0, False)
    assert proof.slip[-1] is LOST
    *before, _ = proof.slip
    assert solver_for(game).score(game.play(before)) > 0  # it was won, and still is
    assert solver_for(game).score(game.play(proof.slip)) < 0
    assert Examiner(game).mark(idle).seats[0] is False
    assert [prove(game, brisk, seat).holds for seat in (1, 2)] == [True, True]


@pytest.mark.parametrize("seat", [0, 3, "1", True])
def test_there_are_two_seats_to_follow_from(seat: Any) -> None:
    """Nobody acts in another one, so everything would be proved of it."""
    with pytest.raises(NinefoldError, match="seat must be one of 1, 2"):
        prove(ninefold.load("magic-fifteen", changes=["pool=1-4"]), smallest, seat)
