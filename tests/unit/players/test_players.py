"""Computer players: what each sees, and that chance comes only from the seed."""

import pytest

import ninefold
from ninefold import books
from ninefold.core.moves import Declare, Move
from ninefold.core.position import Position
from ninefold.players import (
    KINDS,
    LEVELS,
    Chance,
    LevelPlayer,
    PerfectPlayer,
    Player,
    limitation,
    make,
)
from ninefold.solver import Solver, solver_for

GAMES = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]
COMPUTERS = [kind for kind in KINDS if kind != "human"]


def computer(kind: str) -> Player:
    """The player of this kind."""
    player = make(kind)
    assert player is not None
    return player


def play(one: str, two: str, name: str, reading: str, seed: int) -> tuple[Move, ...]:
    """The moves of a game between two computers."""
    players = (computer(one), computer(two))
    position, chance = ninefold.load(name, reading).start(), Chance(seed)
    moves: list[Move] = []
    while position.outcome is None:
        move = players[position.turn - 1].choose(position, len(moves), chance)
        assert move in position.legal
        moves.append(move)
        position = position.play(move)
    return tuple(moves)


@pytest.mark.parametrize(("name", "reading"), GAMES)
@pytest.mark.parametrize("kind", COMPUTERS)
def test_computers_play_legal_moves_to_the_end(kind: str, name: str, reading: str) -> None:
    """In every reading, from both seats, and the same game for the same seed."""
    for seed in range(5):
        assert play(kind, "random", name, reading, seed) == play(
            kind, "random", name, reading, seed
        )
        play("random", kind, name, reading, seed)
    assert len({play("random", "random", name, reading, seed) for seed in range(10)}) > 5


@pytest.mark.parametrize(
    ("moves", "expected"),
    [("5 1 4 2", 6), ("5 1 9 2", 1), ("1 5 2 4", 6), ("5 1 4 2 3", 6)],
)
def test_greedy_wins_if_it_can_and_blocks_if_it_must(moves: str, expected: int) -> None:
    """Completing comes before blocking."""
    position = ninefold.load("magic-fifteen").play(moves)
    wins, blocks = position.threats(position.turn), position.threats(3 - position.turn)
    chosen = {computer("greedy").choose(position, 0, Chance(seed)) for seed in range(20)}
    assert chosen <= set(wins or blocks or position.available)
    assert expected in chosen or not (wins or blocks)


def test_greedy_completes_no_set_that_loses_unless_it_must() -> None:
    """In misère: 6 would make 4 5 6; and where every number completes a set, it takes one."""
    game = books.load_book("magic-fifteen", None, ("misere=true",)).game
    greedy = computer("greedy")
    picked = {greedy.choose(game.play("5 1 4 2"), 4, Chance(seed)) for seed in range(60)}
    assert picked == {3, 7, 8, 9}
    cornered = game.play("4 2 5 1 3 9")
    assert cornered.threats(1) == cornered.available
    assert greedy.choose(cornered, 6, Chance(1)) in cornered.available


def test_greedy_and_perfect_declare_what_they_hold() -> None:
    """At the question, and later in place of a pick."""
    game = ninefold.load("pattern-builder", "declare")
    for moves in ("5 4 7 6 9", "5 4 7 6 9 pass 1 pass"):
        for kind in ("greedy", "perfect"):
            move = computer(kind).choose(game.play(moves), 0, Chance(1))
            assert move == Declare((5, 7, 9))


def lines_against_perfect(seat: int, name: str, reading: str) -> int:
    """Play every sequence of opponent moves against the perfect player; how many positions.

    Fails if the opponent wins a game from a position that was lost for the opponent.
    """
    game = ninefold.load(name, reading)
    solver, perfect = Solver(game), PerfectPlayer()
    todo: list[tuple[Position, bool]] = [(game.start(), False)]
    seen = set()
    while todo:
        position, lost = todo.pop()
        if position.outcome is not None:
            assert not (lost and position.outcome.winner == 3 - seat), position
            continue
        if position.turn == seat:
            moves: list[Move] = [perfect.choose(position, 0, Chance(1))]
            before, after = solver.score(position), solver.move_score(position, moves[0])
            assert (before > 0, before < 0) == (after > 0, after < 0)
        else:
            lost = lost or solver.score(position) < 0
            moves = position.legal
        for move in moves:
            child = position.play(move)
            if (child.key, child.turn, lost) not in seen:
                seen.add((child.key, child.turn, lost))
                todo.append((child, lost))
    return len(seen)


@pytest.mark.parametrize(("name", "reading"), GAMES)
@pytest.mark.parametrize("seat", [1, 2])
def test_nobody_beats_perfect_from_a_lost_position(seat: int, name: str, reading: str) -> None:
    """Over every possible sequence of the opponent's moves, not a sample."""
    assert lines_against_perfect(seat, name, reading) > 20


def test_perfect_lays_traps_when_it_is_lost() -> None:
    """It prefers the move after which most replies throw the win away."""
    game = ninefold.load("sequence-capture")
    solver = Solver(game)
    position = game.play("5")
    assert solver.value(position).result == "loss"
    traps = {}
    for move in position.available:
        child = position.play(move)
        traps[move] = sum(value.result != "win" for value in solver.moves(child))
    chosen = computer("perfect").choose(position, 1, Chance(1))
    assert isinstance(chosen, int)
    assert traps[chosen] == max(traps.values()) > min(traps.values())


def seen(level: int, moves: str, name: str = "magic-fifteen") -> set[Move]:
    """What a level may choose in this position."""
    position = ninefold.load(name).play(moves)
    return {computer(f"level:{level}").choose(position, 0, Chance(seed)) for seed in range(60)}


def test_what_each_level_sees_and_misses() -> None:
    """1 completes, 2 blocks, 3 sees a double threat coming, 4 a forced line, 5 everything."""
    assert seen(1, "5 1 4 2") == {6}
    assert len(seen(1, "5 1 4")) == 6
    assert seen(2, "5 1 4") == {6}
    edge = ninefold.load("magic-fifteen").play("5 7")
    wins = set(Solver(edge.game).best(edge))
    assert seen(2, "5 7") == set(edge.available)
    assert seen(5, "5 7") == wins < set(edge.available)


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_level_acts_on_exactly_what_lies_within_its_sight(level: int) -> None:
    """A depth-limited search of its own finds the same wins and losses."""
    sight = {1: 1, 2: 2, 3: 4, 4: 6, 5: 99}[level]

    def visible(position: Position, depth: int) -> int:
        if position.outcome is not None:
            winner = position.outcome.winner
            return 0 if winner is None else 1 if winner == position.turn else -1
        if depth == 0:
            return 0
        values = []
        for move in position.legal:
            child = position.play(move)
            value = visible(child, depth - 1)
            values.append(value if child.turn == position.turn else -value)
        return max(values)

    game = ninefold.load("sequence-duel-arithmetic")
    for moves in ("4 6 5 7", "1 9 2 8", "5 1 9 2", "2 4 6 5 9", "1 5 9 3", "1 2 4 3 8"):
        position = game.play(moves)
        if position.outcome is not None:
            continue
        values = {}
        for number in position.available:
            child = position.play(number)
            turned = child.turn != position.turn
            value = visible(child, sight - 1)
            values[number] = -value if turned else value
        best = max(values.values())
        chosen = {
            computer(f"level:{level}").choose(position, 0, Chance(seed)) for seed in range(40)
        }
        assert all(values[move] == best for move in chosen if isinstance(move, int))


@pytest.mark.parametrize(("name", "reading"), GAMES)
def test_level_5_loses_only_from_lost_positions(name: str, reading: str) -> None:
    """Its move keeps the result, in every position it can get into against anybody."""
    game = ninefold.load(name, reading)
    solver, player = Solver(game), computer("level:5")
    todo, met = [game.start()], set()
    while todo:
        position = todo.pop()
        if position.outcome is not None or (position.key, position.turn) in met:
            continue
        met.add((position.key, position.turn))
        if position.turn == 1:
            move = player.choose(position, 0, Chance(1))
            before, after = solver.score(position), solver.move_score(position, move)
            assert (before > 0, before < 0) == (after > 0, after < 0)
            todo.append(position.play(move))
        else:
            todo += [position.play(move) for move in position.legal]
    assert len(met) > 10


def test_who_may_only_estimate_says_so_before_the_game() -> None:
    """Level 5 and perfect in a game that may be too large; other levels promise less anyway."""
    large = books.load_book("sequence-capture", None, ("pool=1-15",)).game
    small = books.load_book("sequence-capture", None, ("pool=1-14",)).game
    assert limitation("perfect", large) == (
        "perfect may not solve this game in time. It then plays its best estimate, not a proof."
    )
    assert limitation("level:5", large).startswith("level:5 may not solve this game")
    assert not limitation("level:4", large)
    assert not limitation("perfect", small)


def test_every_level_plays_a_large_game() -> None:
    """Twenty numbers: level 1 completes a set, level 2 stops one, level 3 makes a double threat."""
    game = books.load_book("sequence-duel-arithmetic", None, ("pool=1-20",)).game
    wins, stops = game.play("4 9 5 1"), game.play("1 19 14 20")
    for level in LEVELS:
        assert {*LevelPlayer(level).candidates(wins)} == {3, 6}
        if level > 1:
            assert {*LevelPlayer(level).candidates(stops)} == {18}
    double = LevelPlayer(3).candidates(game.play("7 20"))
    assert double
    for move in double:
        assert len(game.play(f"7 20 {move}").threats(1)) > 1


@pytest.mark.slow
def test_a_level_repeats_its_moves_in_a_large_game() -> None:
    """It counts positions, not seconds."""
    game = books.load_book("sequence-capture", None, ("pool=1-18",)).game
    position = game.play("3 9 14 5")
    assert LevelPlayer(5).candidates(position) == LevelPlayer(5).candidates(position)


@pytest.mark.slow
@pytest.mark.parametrize("pool", ["1-18", "1-15"])
def test_perfect_without_a_clock_depends_on_the_position_alone(pool: str) -> None:
    """Not on what the solver that players share has found before."""
    game = books.load_book("sequence-capture", None, (f"pool={pool}",)).game
    position = game.play("3 9 14 5")
    before = PerfectPlayer(None).candidates(position)
    solver_for(game).value(game.play("3 9 14 5 8 6"))
    assert PerfectPlayer(None).candidates(position) == before
    assert {*before} <= {*position.legal}
