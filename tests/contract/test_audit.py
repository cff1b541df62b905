"""The auditor's figures are those of every game played one by one, whichever way they are found."""

from collections.abc import Iterator, Sequence
from functools import cache
from math import inf
from typing import Any

import pytest
from effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract import naive
from contract.every_game import FIRST, EveryGame
from contract.strategies import (
    Twins,
    declared_rules,
    open_rules,
    ways,
    with_limits,
    with_turns,
)
from contract.walks import Case
from ninefold import books
from ninefold.audit.best_play import best_play
from ninefold.audit.claims.about_play import AWAY, passing_helps
from ninefold.audit.dead_rules import _limits_one_by_one
from ninefold.audit.figures import (
    STUCK,
    Chances,
    Decider,
    Figures,
    deciders,
    is_stuck,
    patterns_of,
)
from ninefold.audit.figures.graph_figures import graph_figures
from ninefold.audit.figures.layer_figures import layer_figures
from ninefold.audit.figures.sample import sample_figures
from ninefold.audit.report import pie_finding
from ninefold.audit.subject import Subject
from ninefold.core.errors import RulesError
from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move
from ninefold.core.patterns import Pattern
from ninefold.core.position import Position
from ninefold.core.rules import Criterion, Rules
from ninefold.players import Chance, RandomPlayer
from ninefold.solver import Solver
from ninefold.solver.breadth_first import TooLarge, position_key
from ninefold.solver.graph import Graph
from ninefold.solver.layers import Layers
from ninefold.wilson import wilson

FIVE, SIX, SEVEN = (tuple(range(1, size + 1)) for size in (5, 6, 7))
CASES = [
    Case("sequence-duel-arithmetic", "default", SIX),
    Case("sequence-duel-arithmetic", "default", (1, 2, 3, 5, 7, 9)),
    Case("sequence-capture", "default", SIX),
    Case("sequence-duel-sum", "retry", SIX),
    Case("sequence-builder", "open-hand", SIX),
    Case("sequence-builder", "three-slots", SEVEN),
    Case("sequence-builder", "three-slots", (1, 2, 4, 8, 9)),
    Case("sequence-builder", "three-slots-in-order", SIX),
    Case("pattern-builder", "automatic", SIX),
    Case("pattern-builder", "declare", FIVE),
    Case("magic-fifteen", "default", (2, 4, 5, 6, 7, 8)),
    Case("sequence-capture", "default", FIVE, misere=True),
    Case("sequence-duel-sum", "retry", SIX, misere=True),
]


@cache
def every_game(case: Case) -> EveryGame:
    """Every game of a case, played once for all tests."""
    return EveryGame(case.rules)


def quiet(_: str) -> None:
    """Nobody waits for a test."""


def close(chances: Chances, ends: tuple[object, ...]) -> bool:
    """Whether the chances are these fractions."""
    found = (chances.first, chances.second, chances.draw, chances.plies)
    return found == pytest.approx([float(end) for end in ends], abs=1e-9)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_can_happen_is_counted(case: Case) -> None:
    """Positions, final positions, who won them, and the lengths of games."""
    games = every_game(case)
    figures = graph_figures(Graph(case.game.start()), quiet)
    assert figures.exact
    assert figures.positions == len(games.open)
    winners = [final.winner for final in games.finals]
    assert figures.results == tuple(winners.count(winner) for winner in (1, 2, None))
    assert (figures.shortest, figures.longest) == (min(games.lengths), max(games.lengths))
    assert len(figures.longest_game) == max(games.lengths)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_decides_is_counted(case: Case) -> None:
    """By pattern and by link of the ending; alone; and without a mistake."""
    games, game = every_game(case), case.game
    figures = graph_figures(Graph(case.game.start()), quiet)
    for decider, deciding in figures.deciding.items():
        name = reason_of(game, decider)
        finals = [final for final in games.finals if name in final.families]
        assert deciding.finals == len(finals)
        assert deciding.alone == sum(len(final.families) == 1 for final in finals)
        assert deciding.flawless == sum(final in games.flawless for final in finals)
    named = {reason_of(game, decider) for decider in figures.deciding}
    assert {name for final in games.finals for name in final.families} <= named


def reason_of(game: Game, decider: Decider) -> str:
    """The reason the judge gives where this decides."""
    if decider.kind == "pattern":
        return game.rules.wins[decider.at].family
    return game.rules.ending[decider.at].measure if decider.kind == "link" else decider.name


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_game_shown_is_decided_by_what_it_shows(case: Case) -> None:
    """The judge says so; the flawless ones have no mistake in them; none is shorter."""
    games, game = every_game(case), case.game
    figures = graph_figures(Graph(case.game.start()), quiet)
    for decider, deciding in figures.deciding.items():
        for moves in filter(None, (deciding.game, deciding.flawless_game)):
            assert decider in deciders(played(game, moves))
        assert (deciding.game is None) == (deciding.finals == 0)
        assert (deciding.flawless_game is None) == (deciding.flawless == 0)
        assert not mistakes(games, deciding.flawless_game or ())


def played(game: Game, moves: tuple[Move, ...]) -> Position:
    """The position after these moves."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def mistakes(games: EveryGame, moves: tuple[Move, ...]) -> int:
    """How many of the moves give something away, by the naive definition."""
    from contract.walks import naive_move

    state, count = FIRST, 0
    for move in map(naive_move, moves):
        count += games.worth(state, move)[0] < games.value(state)[0]
        state = naive.play(games.rules, state, move)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_chances_are_exact(case: Case) -> None:
    """Random players, perfect ones in either seat, after each opening, and mistakes."""
    games = every_game(case)
    figures = graph_figures(Graph(case.game.start()), quiet)
    assert close(figures.random, games.ends((games.random, games.random), FIRST))
    assert figures.perfect is not None
    assert close(figures.perfect[0], games.ends((games.perfect, games.random), FIRST))
    assert close(figures.perfect[1], games.ends((games.random, games.perfect), FIRST))
    assert (figures.blunders or 0) == pytest.approx(float(games.blunders() or 0), abs=1e-9)
    for move, chances in figures.openings.items():
        assert isinstance(move, int)
        after = naive.play(games.rules, FIRST, move)
        *ends, plies = games.ends((games.random, games.random), after)
        assert close(chances, (*ends, plies + 1))


def agree(game: Game, quick: Figures) -> None:
    """Counted figures are the same as by walking through the judge's positions."""
    walked = graph_figures(Graph(game.start()), quiet)
    for field in ("positions", "results", "shortest", "longest", "most_numbers"):
        assert getattr(quick, field) == getattr(walked, field), field
    assert quick.perfect and walked.perfect
    assert quick.blunders == pytest.approx(walked.blunders)
    assert quick.openings.keys() == walked.openings.keys()
    pairs = [(quick.openings[move], walked.openings[move]) for move in quick.openings]
    pairs += [(quick.random, walked.random), *zip(quick.perfect, walked.perfect, strict=True)]
    for one, two in pairs:
        assert one[:4] == pytest.approx(two[:4], abs=1e-9)
    counts = [
        {key: value[:3] for key, value in figures.deciding.items()} for figures in (quick, walked)
    ]
    assert counts[0] == counts[1]
    for decider, deciding in quick.deciding.items():
        other = walked.deciding[decider]
        assert same_length(deciding.game, other.game)
        assert same_length(deciding.flawless_game, other.flawless_game)
        for moves in filter(None, (deciding.game, deciding.flawless_game)):
            end = played(game, moves)
            assert decider in deciders(end) or (decider == STUCK and is_stuck(end))


def same_length(one: tuple[Move, ...] | None, two: tuple[Move, ...] | None) -> bool:
    """Whether two games take as many moves, or neither is there."""
    return (one and len(one)) == (two and len(two))


def followed(game: Game, perfect: int) -> tuple[float, float, float, float | None]:
    """How games end if this player is perfect and others are random, move by move."""
    solver, won, plies = Solver(game), {1: 0.0, 2: 0.0, None: 0.0}, 0.0
    now = {game.start(): 1.0}
    for _ in range(400):
        later: dict[Position, float] = {}
        keys: dict[object, Position] = {}
        for position, share in now.items():
            if position.outcome is not None:
                won[position.outcome.winner] += share
                continue
            plies += share
            is_perfect = position.turn == perfect
            chosen = solver.perfect(position) if is_perfect else random_moves(position)
            for after in map(position.play, chosen):
                child = keys.setdefault(position_key(after), after)
                later[child] = later.get(child, 0.0) + share / len(chosen)
        now = later
    endless = sum(now.values())
    return won[1], won[2], won[None] + endless, plies if endless < 1e-9 else None


def random_moves(position: Position) -> Sequence[Move]:
    """The moves that the program's random player chooses from."""
    return RandomPlayer().candidates(position)


@pytest.mark.slow
@settings(max_examples=examples(15), suppress_health_check=list(HealthCheck))
@given(with_turns(open_rules((1, 4))) | with_turns(declared_rules((1, 4))))
def test_any_rules_come_out_as_if_followed_move_by_move(both: Twins) -> None:
    """Rules no book has, with turns that are passed, lost and swapped, also without an end."""
    game = Game(both.engine)
    figures = graph_figures(Graph(game.start()), quiet)
    assert figures.perfect is not None
    for perfect, chances in enumerate((figures.random, *figures.perfect)):
        ends = followed(game, perfect)
        assert chances[:3] == pytest.approx(ends[:3], abs=1e-9)
        assert (chances.plies is None) == (ends[3] is None)
        assert (chances.plies or 0) == pytest.approx(ends[3] or 0, abs=1e-6)
    for decider, deciding in figures.deciding.items():
        for moves in filter(None, (deciding.game, deciding.flawless_game)):
            end = played(game, moves)
            assert decider in deciders(end) or (decider == STUCK and is_stuck(end))


@st.composite
def with_losses(draw: st.DrawFn, rules: st.SearchStrategy[Twins]) -> Twins:
    """These rules with sets that lose, or win as a total of both players: only for the engine."""
    both = draw(rules)
    losing = [way.engine for way in draw(st.lists(ways(both.naive.pool, (2, 3)), max_size=2))]
    least = draw(st.integers(1, 30))
    shared = Pattern("sum", (("shared", True), ("at-least", least)))
    wins = both.engine.wins + ((shared,) if draw(st.booleans()) else ())
    engine = both.engine._replace(losses=tuple(losing), wins=wins, misere=False)
    return both._replace(engine=engine)


@settings(max_examples=examples(20), suppress_health_check=list(HealthCheck))
@given(with_limits(open_rules((1, 5))))
def test_the_figures_of_limited_rules_are_those_of_every_game(both: Twins) -> None:
    """Whatever may not be taken, and whoever is stuck: nothing assumes that order is free."""
    rules = both.naive._replace(forfeits=False)
    game = Game(both.engine._replace(invalid="retry"))
    games, figures = EveryGame(rules, game.picks.sees), Subject(game, quiet, 1).figures
    winners = [final.winner for final in games.finals]
    assert figures.exact
    assert (figures.shortest, figures.longest) == (min(games.lengths), max(games.lengths))
    assert {*played(game, figures.longest_game).legal} == set()
    assert figures.positions == len(games.open)
    assert figures.results == tuple(winners.count(winner) for winner in (1, 2, None))
    assert close(figures.random, games.ends((games.random, games.random), FIRST))
    assert figures.perfect is not None
    assert close(figures.perfect[0], games.ends((games.perfect, games.random), FIRST))
    assert close(figures.perfect[1], games.ends((games.random, games.perfect), FIRST))
    assert (figures.blunders or 0) == pytest.approx(float(games.blunders() or 0), abs=1e-9)
    for move, chances in figures.openings.items():
        assert isinstance(move, int)
        *ends, plies = games.ends((games.random,) * 2, naive.play(rules, FIRST, move))
        assert close(chances, (*ends, plies + 1))
    stuck = [final for final in games.finals if final.stuck]
    assert bool(figures.deciding.get(STUCK)) == bool(stuck)


@settings(max_examples=examples(15), suppress_health_check=list(HealthCheck))
@given(open_rules((2, 5)) | with_limits(open_rules((2, 5))) | with_losses(open_rules((2, 5))))
def test_compiled_loops_come_out_the_same(both: Twins) -> None:
    """Whatever the rules of alternating picks are, on pools with gaps and negatives."""
    pytest.importorskip("numba")
    game = Game(both.engine._replace(invalid="retry"))
    try:
        layers = Layers(game)
    except TooLarge:
        assert game.picks.sees or game.endings.sees_order or game.rules.stuck == "skip"
        return
    agree(game, layer_figures(layers, quiet))
    solver = Solver(game)
    for position in Graph(game.start()).nodes:
        if position.outcome is None:
            assert layers.score(position) == solver.score(position)
    if game.rules.otherwise == "draw":
        assert layers.score(game.start(2)) == solver.score(game.start(2))


def every_line(position: Position) -> object:
    """Every game from here, as far as anybody can see it: the choices, and how it ends."""
    if position.outcome is not None:
        return position.outcome
    return {move: every_line(position.play(move)) for move in position.legal}


@settings(max_examples=examples(15), suppress_health_check=list(HealthCheck))
@given(with_limits(open_rules((1, 4))))
def test_a_limit_is_dead_if_every_game_goes_the_same_way_without_it(both: Twins) -> None:
    """Each restriction, each cap, the ends of the row, and what being stuck means."""
    rules = both.engine._replace(invalid="retry")
    found = [item for item in Subject(Game(rules), quiet, 1).rules if item.kind == "limit"]
    whole = every_line(Game(rules).start())
    for item, (name, field, changed) in zip(found, _limits_one_by_one(rules), strict=True):
        assert item.name == name
        try:
            without = Game(rules._replace(**{field: changed}))  # type: ignore[arg-type]
        except RulesError as error:
            assert error.code == "no-first-number"  # so there is no game at all without it
            assert item.can_matter is True
            continue
        assert item.can_matter == (every_line(without.start()) != whole), name


def random_games(position: Position) -> Iterator[Position]:
    """The end of every game from here."""
    if position.outcome is not None:
        yield position
    for move in position.legal:
        yield from random_games(position.play(move))


@settings(max_examples=examples(15), suppress_health_check=list(HealthCheck))
@given(with_losses(open_rules((1, 5))))
def test_losing_sets_are_counted_by_the_judge(both: Twins) -> None:
    """What decides, how often, and that two random players end as the judge says."""
    game = Game(both.engine._replace(invalid="retry"))
    figures = Subject(game, quiet, 1).figures
    distinct: dict[object, Position] = {}
    for end in random_games(game.start()):
        same = distinct.setdefault(position_key(end), end)
        assert (end.outcome, deciders(end)) == (same.outcome, deciders(same))
    assert close(figures.random, random_ends(game.start()))
    for decider, deciding in figures.deciding.items():
        some = [end for end in distinct.values() if decider in deciders(end)]
        assert deciding.finals == len(some)
        if deciding.game is not None:
            assert decider in deciders(played(game, deciding.game))
    for end in distinct.values():
        assert end.outcome is not None
        assert {*deciders(end)} <= figures.deciding.keys()
        if decided := [item for item in deciders(end) if item.kind == "loss"]:
            assert end.outcome.winner == 3 - (end.last_picker or 0)
            reasons = {game.rules.losses[item.at].family for item in decided}
            assert end.outcome.reason in reasons


def forced_in(position: Position, seat: int, rule: Decider) -> float:
    """In how many moves this player can force a win by this rule, by trying every move."""
    if position.outcome is not None:
        return 0 if position.outcome.winner == seat and rule in deciders(position) else inf
    after = [forced_in(position.play(move), seat, rule) for move in position.legal]
    return 1 + (min(after) if position.turn == seat else max(after))


def ends_of_best_play(position: Position, solver: Solver) -> set[Decider]:
    """What can decide when both players make only best moves."""
    if position.outcome is not None:
        return set(deciders(position))
    after = [position.play(move) for move in solver.best(position)]
    return {item for child in after for item in ends_of_best_play(child, solver)}


@pytest.mark.slow
@settings(max_examples=examples(10), suppress_health_check=list(HealthCheck))
@given(
    with_turns(open_rules((1, 4)))
    | with_turns(declared_rules((1, 4)))
    | with_limits(open_rules((1, 4)))
    | with_losses(open_rules((1, 4)))
)
def test_how_a_win_comes_about_is_what_trying_every_move_says(both: Twins) -> None:
    """By which rules it ends under best play, and which of them the winner can force."""
    game = Game(both.engine)
    found = best_play(Subject(game, quiet, 1, 1.0))
    assert found is not None
    if found.winner is None or game.rules.invalid == "lose-turn":
        return
    ends = ends_of_best_play(game.start(), Solver(game))
    every = patterns_of(game)
    every += [Decider("link", at) for at in range(len(game.rules.ending))]
    every += [Decider("other", 0, game.rules.otherwise)] * (game.rules.otherwise != "draw")
    assert ends <= {*every}
    for rule, item in zip(found.rules, every, strict=True):
        plies = forced_in(game.start(), found.winner, item)
        assert (rule.quickest, rule.plies) == (item in ends, None if plies == inf else plies)


@settings(max_examples=examples(10), suppress_health_check=list(HealthCheck))
@given(with_turns(open_rules((1, 5))) | with_limits(open_rules((1, 5))))
def test_where_a_turn_is_best_given_away_is_found(both: Twins) -> None:
    """It is a nearest one of all positions in which no other move has as good a result."""
    game = Game(both.engine)
    moves, looked = passing_helps(Subject(game, quiet, 1, 1.0))
    graph, solver = Graph(game.start()), Solver(game)
    better = [
        at
        for at, position in enumerate(graph.nodes)
        if position.outcome is None and not position.asking and gives_away(position, solver)
    ]
    assert (moves is None) == (not better)
    if moves is None:
        assert looked == sum(position.outcome is None for position in graph.nodes)
    else:
        assert len(moves) == len(graph.path(better[0]))
        assert gives_away(played(game, moves), solver)


def gives_away(position: Position, solver: Solver) -> bool:
    """Whether passing, or losing the turn, has a better result than every other move."""
    worth = {"loss": 0, "draw": 1, "win": 2, "unknown": -9}
    found = {move: worth[solver.move_value(position, move).result] for move in position.legal}
    away = [found.pop(move) for move in AWAY if move in found]
    away = away or [worth[solver.move_value(position, "lost").result]]
    return max(away) > max(found.values())


def test_turns_given_away_are_walked_through() -> None:
    """Cycles do no harm: chance gives no turn away, so it comes out as without lost turns."""
    lost, retry = (
        books.load_book("sequence-duel-sum", name).game for name in ("lose-turn", "retry")
    )
    figures, plain = (graph_figures(Graph(game.start()), quiet) for game in (lost, retry))
    assert figures.longest is None
    assert close(figures.random, plain.random[:4])
    assert figures.positions > plain.positions


def test_a_pool_too_large_is_sampled_the_same_way_for_a_seed() -> None:
    """What was only seen is not exact, and comes with its number of games."""
    game = books.load_book("sequence-duel-sum", None, ("pool=1-20",)).game
    one, two, other = (Subject(game, quiet, seed).figures for seed in (1, 1, 2))
    assert one == two != other
    assert not one.exact
    assert one.random.trials == 2_000
    assert one.perfect is None
    low, high = wilson(one.random.first, one.random.trials)
    assert low < one.random.first < high


def test_the_estimates_hold_the_truth() -> None:
    """On a pool that can be counted, the interval of the sample has the exact share in it."""
    game = books.load_book("sequence-capture").game
    exact = graph_figures(Graph(game.start()), quiet).random
    sampled = sample_figures(game, quiet, 1).random
    low, high = wilson(sampled.first, sampled.trials)
    assert low < exact.first < high
    assert high - low < 0.05


def test_the_interval_of_wilson() -> None:
    """As in the tables: 8 of 10 is 0.490 to 0.943."""
    assert wilson(0.8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775328), abs=1e-6)


class EveryChance(Chance):
    """Notes what a player lets chance decide between."""

    offered: Sequence[Any] = ()

    def draw(self, choices: Sequence[Any], ply: int) -> Any:
        """The first of them; all of them are noted."""
        del ply
        self.offered = choices
        return choices[0]


def random_ends(position: Position) -> tuple[float, ...]:
    """How two of the program's random players end: won by either, drawn, and plies."""
    if position.outcome is not None:
        winner = position.outcome.winner
        return float(winner == 1), float(winner == 2), float(winner is None), 0.0
    chance = EveryChance(1)
    RandomPlayer().choose(position, 0, chance)
    ends = [random_ends(position.play(move)) for move in chance.offered]
    *shares, plies = (sum(column) / len(ends) for column in zip(*ends, strict=True))
    return (*shares, plies + 1)


TURNS: list[dict[str, object]] = [
    {"passing": True},
    {"pie": True},
    {"picks_per_turn": 2},
    {"declare": True},
    {"invalid": "lose-turn"},
    {"passing": True, "pie": True, "picks_per_turn": 2},
    {"declare": True, "passing": True, "pie": True},
]


@pytest.mark.parametrize("changes", TURNS, ids=str)
def test_chance_is_the_random_player_of_the_program(changes: dict[str, object]) -> None:
    """It passes, swaps and declares as that one does, counted or sampled."""
    plain = Rules(
        pool=(1, 2, 3, 4),
        wins=(Pattern("sum", (("count", 2), ("equals", 5))),),
        ending=(Criterion("hand-sum", "higher"),),
    )
    game = Game(plain._replace(**changes))  # type: ignore[arg-type]
    truth = random_ends(game.start())
    assert close(graph_figures(Graph(game.start()), quiet).random, truth)
    sampled = sample_figures(game, quiet, 1).random
    for share, exact in zip(sampled[:3], truth[:3], strict=True):
        low, high = wilson(share, sampled.trials)
        assert low - 0.01 <= exact <= high + 0.01


@settings(max_examples=examples(10), suppress_health_check=list(HealthCheck))
@given(with_turns(open_rules((1, 5))) | with_limits(open_rules((1, 4))))
def test_what_the_pie_rule_would_change_is_what_the_solver_says(both: Twins) -> None:
    """The game with that rule is solved, whatever else the rules are."""
    game = Game(both.engine._replace(pie=False))
    found = pie_finding(Subject(game, quiet, 1, 1.0))
    with_pie = Game(both.engine._replace(pie=True))
    solver = Solver(with_pie)
    assert found is not None
    assert found[:2] == solver.value(with_pie.start())
    good = [item.move for item in solver.moves(with_pie.start()) if item.result == found.result]
    assert found.good == tuple(map(format_move, good))
