"""An agent put to the test, against a naive definition: play everything out, one game at a time."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy
import pytest

import ninefold
from ninefold.agent_proof import Examiner, Inconsistent, Mark, NotProvable, prove
from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, Move, format_move
from ninefold.core.position import Position
from ninefold.encoding import encoding_for
from ninefold.oracle import oracle_for
from ninefold.players import Chance, Player, WrongAnswer
from ninefold.solver import solver_for

# Each is small; together they have a draw, a loss for who begins, several picks, swaps and slots.
Agent: TypeAlias = Callable[[Any, Any], Any]
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
    """Agentever loses turns on purpose as long as that costs nothing may never come to an end."""
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


def even(_: Any, masks: Any) -> Any:
    """The policy that takes every legal action equally often."""
    return masks / masks.sum(axis=1, keepdims=True)


def lopsided(_: Any, masks: Any) -> Any:
    """The policy that takes the first legal action four times as often as each other one."""
    weights = masks * numpy.where(masks.cumsum(axis=1) == 1, 4.0, 1.0)
    return weights / weights.sum(axis=1, keepdims=True)


def average(game: Game, policy: Agent) -> Callable[[Position, int], float]:
    """What a policy gets on average against the best replies, by playing everything out."""
    encoding = encoding_for(game)

    @cache
    def expected(position: Position, seat: int) -> float:
        if position.outcome is not None:
            return encoding.reward(position, seat)
        after = {move: expected(position.play(move), seat) for move in position.legal}
        if position.turn != seat:
            return min(after.values())
        (chances,) = policy(encoding.observe(position)[None], encoding.mask(position)[None])
        return float(sum(chances[encoding.action(move)] * after[move] for move in after))

    return expected


@pytest.mark.parametrize("policy", [even, lopsided])
@pytest.mark.parametrize(("name", "changes"), GAMES)
def test_a_policy_gets_the_exact_value_of_the_best_replies(
    name: str, changes: str, policy: Agent
) -> None:
    """In both seats, and in every position of which it is sure."""
    game = game_of(name, changes)
    expected, start = average(game, policy), game.start()
    for seat in (1, 2):
        proof = prove(game, policy, seat)
        assert proof.worst == pytest.approx(expected(start, seat), abs=1e-12)
        assert proof.is_random
        assert proof.holds == (not proof.slip)
    worthy = [position for position in positions(game) if value(game, position) >= 0]
    kept = sum(
        expected(position, position.turn) >= value(game, position) - 1e-9 for position in worthy
    )
    mark = Examiner(game).mark(policy)
    assert (mark.worth, mark.kept) == (len(worthy), kept)
    assert 0 < kept < len(worthy)


def test_built_in_players_are_examined_by_name() -> None:
    """The perfect one holds though it chooses at random; the random one does as the policy does."""
    game = ninefold.load("magic-fifteen")
    perfect = [prove(game, "perfect", seat) for seat in (1, 2)]
    assert [(proof.holds, proof.worst, proof.is_random) for proof in perfect] == [
        (True, 0, True)
    ] * 2
    assert Examiner(game).mark("perfect") == Mark(3888, 3888, (True, True))
    assert prove(game, "random", 1) == prove(game, even, 1)
    assert Examiner(game).mark("random") == Examiner(game).mark(even)


def test_functions_of_a_position_are_examined() -> None:
    """As those of a batch are."""
    game = ninefold.load("sequence-duel-sum")
    assert prove(game, lambda position: position.picks[0], 1) == prove(game, smallest, 1)
    mark = Examiner(game).mark(lambda position: position.picks[0])
    assert mark == Examiner(game).mark(smallest)


def sampled(seed: int) -> Agent:
    """An agent that draws its action from the even policy, and keeps that to itself."""
    chance = numpy.random.default_rng(seed)
    return lambda _, masks: (chance.random(masks.shape) * masks).argmax(axis=1)


class ByChance(Player):
    """Chooses by the seed, and does not say from what."""

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """One of the free numbers."""
        return chance.draw(position.picks, ply)


class Fickle:
    """Takes the first number, but every hundredth answer is another."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, position: Position) -> Move:
        """One of the first two numbers."""
        self.asked += 1
        return position.picks[-1 if self.asked % 100 == 0 else 0]


@pytest.mark.parametrize("who", [sampled(1), ByChance(), Fickle()])
def test_an_agent_that_answers_differently_is_reported(who: Any) -> None:
    """Whether one position is asked about or all; the error says where, and what to do."""
    game = ninefold.load("sequence-duel-sum")
    with pytest.raises(Inconsistent, match=r"answers the same question differently\. (At|After)"):
        prove(game, who, 1)
    with pytest.raises(Inconsistent, match="return the probability of each action"):
        Examiner(game).mark(who)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda masks: (masks.argmax(axis=1), None), "predict.. of Stable-Baselines3 returns"),
        (lambda masks: masks.argmax(axis=1) + 0.0, r"not \d+ of floats"),
        (lambda masks: masks, r"not \d+ x 9 of integers"),
        (lambda masks: masks.astype(bool), r"not \d+ x 9 of booleans"),
        (lambda masks: masks / 9 * 1.0, "add up to 1"),
        (lambda _: None, "not None"),
        (lambda masks: int(masks[0].argmax()), "not a single value of integers"),
    ],
)
def test_a_wrong_type_gets_a_clear_message(answer: Callable[[Any], Any], expected: str) -> None:
    """It says what to return, and what was found."""
    game = ninefold.load("sequence-duel-sum")
    for examine in (Examiner(game).mark, lambda who: prove(game, who, 2)):
        with pytest.raises(WrongAnswer, match=expected):
            examine(lambda _, masks: answer(masks))


@pytest.mark.parametrize("action", [-1, 9, 0])
def test_an_illegal_action_in_any_position_is_refused(action: int) -> None:
    """It is no answer that could be marked."""
    game = ninefold.load("sequence-duel-sum")
    with pytest.raises(Illegal):
        Examiner(game).mark(lambda _, masks: numpy.full(len(masks), action))


def test_chance_without_end_is_refused() -> None:
    """If turns can be lost for ever, the average over all games is not known."""
    game = ninefold.load("sequence-duel-sum", "lose-turn")
    for examine in (Examiner(game).mark, lambda who: prove(game, who, 1)):
        with pytest.raises(NotProvable, match="need not end"):
            examine(even)
    proof = prove(game, "random", 1)  # the random player never gives its turn away
    assert proof.is_random
    assert proof.worst == pytest.approx(average_without_lost_turns(game), abs=1e-12)


def average_without_lost_turns(game: Game) -> float:
    """What random play gets if nobody loses a turn on purpose: the opponent gains nothing by it."""
    plain = ninefold.load("sequence-duel-sum")
    assert game.pool == plain.pool
    return prove(plain, "random", 1).worst
