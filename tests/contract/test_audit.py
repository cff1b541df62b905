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
from ninefold.audit.claims.about_play import passing_helps, search_for_a_turn_to_lose
from ninefold.audit.dead_rules import _limits_one_by_one
from ninefold.audit.figures import STUCK, Chances, Decider, Figures, deciders, patterns_of
from ninefold.audit.figures.graph_figures import graph_figures
from ninefold.audit.figures.packed_positions import PackedPositions
from ninefold.audit.figures.position_layers import PositionLayers, can_be_counted
from ninefold.audit.figures.sample import sample_figures, wilson
from ninefold.audit.figures.table_figures import table_figures
from ninefold.audit.report import pie_finding
from ninefold.audit.subject import Subject
from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move
from ninefold.core.patterns import Pattern
from ninefold.core.position import Position
from ninefold.core.rules import Criterion, Rules
from ninefold.players import Chance, RandomPlayer
from ninefold.solver import Solver
from ninefold.solver.breadth_first import position_key

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


def figures_of(case: Case) -> list[Figures]:
    """The figures by every way that knows these rules."""
    game = case.game
    quick = [counted(game)] if can_be_counted(game) else []
    return [graph_figures(game, quiet), *quick]


def counted(game: Game) -> Figures:
    """The figures counted in the tables of a game."""
    return table_figures(PositionLayers(game, quiet), 1)


def close(chances: Chances, ends: tuple[object, ...]) -> bool:
    """Whether the chances are these fractions."""
    found = (chances.first, chances.second, chances.draw, chances.plies)
    return found == pytest.approx([float(end) for end in ends], abs=1e-9)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_can_happen_is_counted(case: Case) -> None:
    """Positions, final positions, who won them, and the lengths of games."""
    games = every_game(case)
    for figures in figures_of(case):
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
    for figures in figures_of(case):
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
    for figures in figures_of(case):
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
    for figures in figures_of(case):
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


def agree(game: Game) -> None:
    """Counting sets of hands and walking through the judge's positions give the same figures."""
    quick, walked = counted(game), graph_figures(game, quiet)
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
            assert decider in deciders(played(game, moves))


def same_length(one: tuple[Move, ...] | None, two: tuple[Move, ...] | None) -> bool:
    """Whether two games take as many moves, or neither is there."""
    return (one and len(one)) == (two and len(two))


@pytest.mark.slow
@pytest.mark.parametrize("name", books.names())
def test_the_books_come_out_the_same_both_ways(name: str) -> None:
    """In every reading in which hands are sets."""
    for reading in books.load_book(name).readings:
        game = books.load_book(name, reading).game
        if can_be_counted(game):
            agree(game)


@pytest.mark.slow
@settings(max_examples=120, suppress_health_check=list(HealthCheck))
@given(with_turns(open_rules((1, 5))) | with_turns(declared_rules((1, 5))))
def test_any_rules_come_out_the_same_both_ways(both: Twins) -> None:
    """Rules no book has: whatever the language can say, on pools with gaps and negatives."""
    game = Game(both.engine)
    if can_be_counted(game):
        agree(game)


@settings(max_examples=examples(40), suppress_health_check=list(HealthCheck))
@given(with_limits(open_rules((1, 5))))
def test_the_figures_of_limited_rules_are_those_of_every_game(both: Twins) -> None:
    """Whatever may not be taken, and whoever is stuck: nothing assumes that order is free."""
    rules = both.naive._replace(forfeits=False)
    game = Game(both.engine._replace(invalid="retry"))
    games, figures = EveryGame(rules), Subject(game, quiet, 1).figures
    winners = [final.winner for final in games.finals]
    assert figures.exact
    assert (figures.shortest, figures.longest) == (min(games.lengths), max(games.lengths))
    assert {*played(game, figures.longest_game).legal} == set()
    if not game.picks.sees:
        assert figures.positions == len(games.open)
        if "last-pick" not in {link.measure for link in game.rules.ending}:
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


def every_line(position: Position) -> object:
    """Every game from here, as far as anybody can see it: the choices, and how it ends."""
    if position.outcome is not None:
        return position.outcome
    return {move: every_line(position.play(move)) for move in position.legal}


@settings(max_examples=examples(30), suppress_health_check=list(HealthCheck))
@given(with_limits(open_rules((1, 4))))
def test_a_limit_is_dead_if_every_game_goes_the_same_way_without_it(both: Twins) -> None:
    """Each restriction, each cap, the ends of the row, and what being stuck means."""
    rules = both.engine._replace(invalid="retry")
    found = {item.name: item for item in Subject(Game(rules), quiet, 1).rules}
    whole = every_line(Game(rules).start())
    for name, field, changed in _limits_one_by_one(rules):
        without = Game(rules._replace(**{field: changed}))  # type: ignore[arg-type]
        if sum(name == other for other, *_ in _limits_one_by_one(rules)) == 1:
            assert found[name].can_matter == (every_line(without.start()) != whole), name


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


def random_games(position: Position) -> Iterator[Position]:
    """The end of every game from here."""
    if position.outcome is not None:
        yield position
    for move in position.legal:
        yield from random_games(position.play(move))


@settings(max_examples=examples(30), suppress_health_check=list(HealthCheck))
@given(with_losses(open_rules((1, 5))))
def test_losing_sets_are_counted_by_the_judge(both: Twins) -> None:
    """What decides, how often, and that two random players end as the judge says."""
    game = Game(both.engine._replace(invalid="retry"))
    figures = Subject(game, quiet, 1).figures
    ends = {(end.masks, end.turn, end.outcome): end for end in random_games(game.start())}
    distinct = {position_key(end): end for end in ends.values()}
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
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
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


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(with_turns(open_rules((1, 5))) | with_limits(open_rules((1, 5))))
def test_where_a_turn_is_best_given_away_is_found_both_ways(both: Twins) -> None:
    """By looking at all positions at once, and by asking the solver about each."""
    game = Game(both.engine)
    subject = Subject(game, quiet, 1, 1.0)
    found = passing_helps(subject)[0]
    walked = search_for_a_turn_to_lose(subject)[0]
    assert (found is None) == (walked is None)
    if found is not None and walked is not None:
        assert len(found) == len(walked)


def test_turns_given_away_are_walked_through() -> None:
    """Cycles do no harm: chance gives no turn away, so it comes out as without lost turns."""
    lost, retry = (
        books.load_book("sequence-duel-sum", name).game for name in ("lose-turn", "retry")
    )
    figures, plain = counted(lost), counted(retry)
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
    exact, sampled = counted(game).random, sample_figures(game, quiet, 1).random
    low, high = wilson(sampled.first, sampled.trials)
    assert low < exact.first < high
    assert high - low < 0.05


@pytest.mark.parametrize("name", ["magic-fifteen", "sequence-capture"])
def test_perfect_against_random_is_estimated_as_it_is_counted(name: str) -> None:
    """Where there are too many positions to follow, games are played, by the same players."""
    board = PackedPositions(PositionLayers(books.load_book(name).game, quiet))
    for seat in (1, 2):
        exact, estimate = board.chances(seat), board.estimate(seat, 1)
        assert (exact.trials, estimate.trials) == (0, 4_000)
        for share, truth in zip(estimate[:3], exact[:3], strict=True):
            low, high = wilson(share, estimate.trials)
            assert low - 0.01 <= truth <= high + 0.01
        assert estimate.plies == pytest.approx(exact.plies, abs=0.1)


def test_the_interval_of_wilson() -> None:
    """As in the tables: 8 of 10 is 0.490 to 0.943."""
    assert wilson(0.8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775328), abs=1e-6)


def test_what_cannot_be_counted_is_visited() -> None:
    """Where order counts, or a hand may hold too much, a hand is not a set that stays won."""
    whole = "docs/gallery/lucky-seven.toml"
    for name, reading, expected in [
        ("sequence-capture", None, True),
        ("sequence-builder", "three-slots", True),
        ("sequence-builder", "three-slots-in-order", False),
        ("sequence-duel-sum", "lose-turn", True),
        ("pattern-builder", "declare", True),
        (whole, None, False),
    ]:
        game = books.load_book(name, reading).game
        assert can_be_counted(game) == expected
        assert Subject(game, quiet, 1).figures.exact


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
    for figures in (graph_figures(game, quiet), counted(game)):
        assert close(figures.random, truth)
    sampled = sample_figures(game, quiet, 1).random
    for share, exact in zip(sampled[:3], truth[:3], strict=True):
        low, high = wilson(share, sampled.trials)
        assert low - 0.01 <= exact <= high + 0.01


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
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
