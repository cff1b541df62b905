"""A hint: the best moves and the reason, as data. Every reason is a fact that can be checked."""

from typing import Literal, NamedTuple, TypeAlias

from ninefold.coach.known import check_known
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import LOST, PASS, Declare, Move, SpecialMove
from ninefold.core.position import Hand, Position
from ninefold.solver import Solver, Value, solver_for

Kind: TypeAlias = Literal[
    "declare",  # you hold a set: declare it
    "pass",  # you are asked and hold no set
    "completes",  # the number completes a set
    "stops",  # the opponent would complete a set with this number
    "double-threat",  # after it two numbers complete a set, and only one can be stopped
    "avoids",  # every other number completes a set, which loses (misère)
    "corners",  # after it the opponent can only complete a set, which loses (misère)
    "tie-break",  # it wins when the numbers run out
    "only",  # the only number that wins
    "forced",  # one of several numbers that win by force
    "holds",  # it keeps the draw, and some other number does not
    "even",  # every number keeps the draw
    "hopeless",  # every number loses; this one holds longest
]


class Refutation(NamedTuple):
    """A losing move and the play that beats it."""

    move: Move
    line: tuple[Move, ...]


class Hint(NamedTuple):
    """What to play and why.

    ``moves`` are the moves recommended; ``sets`` what is completed or stopped; ``threats`` the
    numbers of a double threat; ``line`` best play on both sides from the first move on;
    ``refutations`` what beats each other move of a lost position.
    """

    kind: Kind
    value: Value
    moves: tuple[Move, ...]
    sets: tuple[Hand, ...] = ()
    threats: Hand = ()
    line: tuple[Move, ...] = ()
    refutations: tuple[Refutation, ...] = ()


def hint_for(position: Position) -> Hint:
    """The hint for the player to act; raises NinefoldError where there is none to give."""
    if position.outcome is not None:
        raise NinefoldError("game-over", "The game is over.")
    check_known(position.game)
    return find_hint(position, solver_for(position.game))


def find_hint(position: Position, solver: Solver) -> Hint:
    """The hint for the player to act in an unfinished position."""
    value = solver.value(position)
    held = position.sets_of(position.turn) if position.game.rules.declare else ()
    if held:
        return Hint("declare", value, tuple(map(Declare, held)), held)
    if position.asking:
        return Hint("pass", value, (PASS,), line=best_line(position, PASS, solver))
    if position.game.rules.misere:
        return _in_misere(position, solver, value)
    wins = position.threats(position.turn)
    if wins:
        sets = _sets_through(position, position.turn, wins)
        return Hint("completes", value, wins, sets)
    if value.result == "loss":
        return _hopeless(position, solver, value)
    if _is_unusual(position):
        return (
            _winning(position, solver, value) if value.result == "win" else _even(position, solver)
        )
    stops = position.threats(3 - position.turn)
    if stops:
        sets = _sets_through(position, 3 - position.turn, stops)
        return Hint("stops", value, stops, sets, line=best_line(position, stops[0], solver))
    return _winning(position, solver, value) if value.result == "win" else _even(position, solver)


def _is_unusual(position: Position) -> bool:
    """Whether threats say little: a turn may be more than one pick, or the first is limited."""
    return position.game.rules.has_turns or position.picks != position.available


def best_line(position: Position, first: Move, solver: Solver) -> tuple[Move, ...]:
    """This move and best play after it, to the end, or until it is clear that there is none."""
    line = [first]
    position = position.play(first)
    met = set()
    while position.outcome is None and (position.key, position.turn) not in met:
        met.add((position.key, position.turn))
        line.append(_without_lost(solver.best(position))[0])
        position = position.play(line[-1])
    return tuple(line)


def _in_misere(position: Position, solver: Solver, value: Value) -> Hint:
    """The hint where completing a set loses, so that nobody threatens to."""
    if value.result == "loss":
        return _hopeless(position, solver, value)
    bad = position.threats(position.turn)
    safe = [number for number in position.picks if number not in bad]
    if bad and len(safe) == 1 and safe[0] in solver.best(position):
        sets = _sets_through(position, position.turn, bad)
        line = best_line(position, safe[0], solver)
        return Hint("avoids", value, (safe[0],), sets, line=line)
    if value.result == "draw":
        return _even(position, solver)
    best = [move for move in solver.best(position) if _corners(position.play(move))]
    return Hint("corners", value, tuple(best)) if best else _winning(position, solver, value)


def _corners(after: Position) -> bool:
    """Whether the player to act cannot but complete a set."""
    rules = after.game.rules
    if after.outcome is not None or rules.invalid == "lose-turn" or rules.has_turns:
        return False
    return after.threats(after.turn) == after.available


def _winning(position: Position, solver: Solver, value: Value) -> Hint:
    best = _without_lost(solver.best(position))
    unclear = position.game.rules.misere or _is_unusual(position)
    for move in best:
        threats = () if unclear else _double_threat(position, move)
        if threats:
            return Hint("double-threat", value, (move,), threats=threats)
    line = best_line(position, best[0], solver)
    end = position
    for move in line:
        end = end.play(move)
    if end.outcome is not None and end.outcome.reason in _endings(position):
        return Hint("tie-break", value, tuple(best), line=line)
    winning = [move for move in position.legal if solver.move_score(position, move) > 0]
    kind: Kind = "only" if len(winning) == 1 else "forced"
    return Hint(kind, value, tuple(best), line=line)


def _even(position: Position, solver: Solver) -> Hint:
    value = solver.value(position)
    holding = _without_lost(
        [move for move in position.legal if solver.move_score(position, move) == 0]
    )
    picks = [move for move in position.legal if not isinstance(move, SpecialMove)]
    kind: Kind = "even" if all(move in holding for move in picks) else "holds"
    return Hint(kind, value, tuple(holding), line=best_line(position, holding[0], solver))


def _hopeless(position: Position, solver: Solver, value: Value) -> Hint:
    best = _without_lost(solver.best(position))
    moves = [move for move in position.legal if move is not LOST]
    refutations = tuple(Refutation(move, _replies(position, move, solver)) for move in moves)
    line = best_line(position, best[0], solver)
    return Hint("hopeless", value, tuple(best), line=line, refutations=refutations)


def _replies(position: Position, move: Move, solver: Solver) -> tuple[Move, ...]:
    """Best play after a losing move, from the opponent's first answer on."""
    line = best_line(position, move, solver)[1:]
    asked = position.play(move).asking
    return line[1:] if asked and line[:1] == (PASS,) else line


def _double_threat(position: Position, move: Move) -> Hand:
    """The numbers that complete a set after this pick, if there are two or more.

    The opponent threatens nothing here, or stopping it would have been the hint.
    """
    after = position.play(move)
    if after.asking:
        after = after.play(PASS)
    if after.outcome is not None or after.turn == position.turn:
        return ()
    threats = after.threats(position.turn)
    return threats if len(threats) > 1 else ()


def _sets_through(position: Position, seat: int, numbers: Hand) -> tuple[Hand, ...]:
    """The sets that these numbers would complete for a player who holds none yet."""
    game, hand = position.game, position.hands[seat - 1]
    found: list[Hand] = []
    for number in numbers:
        grown = (*hand, number)
        found += game.sets_in(game.mask(grown), grown)
    return tuple(found)


def _endings(position: Position) -> set[str]:
    return {"first", "second", *(link.measure for link in position.game.rules.ending)}


def _without_lost(moves: list[Move]) -> list[Move]:
    """The moves without lost turns, unless there is nothing else; passing and swapping last."""
    chosen = [move for move in moves if move is not LOST] or moves
    return sorted(chosen, key=lambda move: isinstance(move, SpecialMove))
