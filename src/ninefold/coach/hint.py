"""A hint: the best moves and the reason, as data. Every reason is a fact that can be checked."""

from typing import Literal, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Declare, Move, SpecialMove, format_move
from ninefold.core.position import Hand, Position
from ninefold.solver import Solver, Value, is_small, most_numbers, solver_for

Kind: TypeAlias = Literal[
    "declare",  # you hold a set: declare it
    "pass",  # you are asked to declare, but hold no set
    "completes",  # the number completes a set
    "stops",  # the opponent would complete a set with this number
    "double-threat",  # after it two numbers complete a set, and only one can be stopped
    "avoids",  # every other number completes a set, which loses (misère)
    "corners",  # after it the opponent has to complete a set, which loses (misère)
    "tie-break",  # it wins when the numbers run out
    "only",  # the only number that wins
    "forced",  # one of several numbers that win by force
    "holds",  # it keeps the draw, and some other number does not
    "even",  # every number keeps the draw
    "hopeless",  # every number loses; this one lasts longest
]

# The best move of every position met so far, by key: many lines run through one position.
_best_moves: WeakKeyDictionary[Solver, dict[object, Move]] = WeakKeyDictionary()


class Refutation(NamedTuple):
    """A losing move and the play that beats it."""

    move: Move
    line: tuple[Move, ...]


class Trap(NamedTuple):
    """A losing move after which the opponent can go wrong: only these answers still win."""

    move: Move
    answers: tuple[Move, ...]


class Hint(NamedTuple):
    """What to play in a position and why; ``print`` it to read it.

    ``moves`` are the moves recommended; ``sets`` what is completed or stopped; ``threats`` the
    numbers of a double threat; ``line`` best play on both sides from the first move on;
    ``refutations`` what beats each move of a lost position, and ``trap`` the best chance there if
    all of them lose equally soon.
    """

    position: Position
    kind: Kind
    value: Value
    moves: tuple[Move, ...]
    sets: tuple[Hand, ...] = ()
    threats: Hand = ()
    line: tuple[Move, ...] = ()
    refutations: tuple[Refutation, ...] = ()
    trap: Trap | None = None

    def __repr__(self) -> str:
        result, plies = self.value
        value = result if plies is None else f"{result} in {plies}"
        return f"<Hint {self.kind}: {' '.join(map(format_move, self.moves))}, {value}>"

    def __str__(self) -> str:
        from ninefold.coach.words import STEPS, sentence

        return "\n".join(sentence(self, step) for step in range(1, STEPS + 1))


def too_large(game: Game) -> str:
    """How many numbers the coach can solve with the rules of this game, as a sentence."""
    most = most_numbers(game.rules)
    return f"This game is too large to solve: with these rules, up to {most} numbers."


def check_solvable(game: Game) -> None:
    """Refuse a game that cannot be solved without a visible wait; raises NinefoldError."""
    if not is_small(game):
        raise NinefoldError("too-large", too_large(game))


def hint_for(position: Position) -> Hint:
    """The hint for the player to act; raises NinefoldError if there is none to give."""
    if position.outcome is not None:
        raise NinefoldError("game-over", "The game is over.")
    check_solvable(position.game)
    return find_hint(position, solver_for(position.game))


def find_hint(position: Position, solver: Solver) -> Hint:
    """The hint for the player to act in an unfinished position."""
    value, player = solver.value(position), position.turn
    held = position.sets_of(player) if position.game.rules.declare else ()
    if held:
        return Hint(position, "declare", value, tuple(map(Declare, held)), held)
    if position.asking:
        return Hint(position, "pass", value, (PASS,), line=best_line(position, PASS, solver))
    if position.game.rules.misere:
        return _in_misere(position, solver, value)
    wins = position.threats(player)
    if wins:
        return Hint(position, "completes", value, wins, _sets_with(position, player, wins))
    if value.result == "loss":
        return _hopeless(position, solver, value)
    stops = () if _is_unusual(position) else position.threats(3 - player)
    if stops:
        sets = _sets_with(position, 3 - player, stops)
        line = best_line(position, stops[0], solver)
        return Hint(position, "stops", value, stops, sets, line=line)
    find = _winning if value.result == "win" else _even
    return find(position, solver, value)


def best_line(position: Position, first: Move, solver: Solver) -> tuple[Move, ...]:
    """This move and best play after it, to the end or until a position comes back."""
    return _play_out(position, first, solver)[0]


def answers_to(position: Position, move: Move, solver: Solver) -> tuple[Move, ...]:
    """Best play after this move, from the opponent's first answer on."""
    line = best_line(position, move, solver)[1:]
    asked = position.play(move).asking
    return line[1:] if asked and line[:1] == (PASS,) else line


def _play_out(position: Position, first: Move, solver: Solver) -> tuple[tuple[Move, ...], Position]:
    """A best line and the position at its end."""
    line, known = [first], _best_moves.setdefault(solver, {})
    position = position.play(first)
    met = set()
    while position.outcome is None:
        key = position.key
        if (key, position.turn) in met:
            break
        met.add((key, position.turn))
        move = known.get(key)
        if move is None:
            move = known[key] = _best(_scores(position, solver))[0]
        line.append(move)
        position = position.play(move)
    return tuple(line), position


def _scores(position: Position, solver: Solver) -> dict[Move, int]:
    return {move: solver.move_score(position, move) for move in position.legal}


def _best(scores: dict[Move, int]) -> list[Move]:
    """The moves that win soonest or lose latest."""
    top = max(scores.values())
    return _without_lost([move for move, score in scores.items() if score == top])


def _without_lost(moves: list[Move]) -> list[Move]:
    """The moves without lost turns, unless there is nothing else; passing and swapping last."""
    chosen = [move for move in moves if move is not LOST] or moves
    return sorted(chosen, key=lambda move: isinstance(move, SpecialMove))


def _is_unusual(position: Position) -> bool:
    """Whether threats say little: a turn may be more than one pick, or the opening is limited."""
    return position.game.rules.has_turns or position.picks != position.available


def _in_misere(position: Position, solver: Solver, value: Value) -> Hint:
    """The hint if completing a set loses, so that nobody threatens to."""
    if value.result == "loss":
        return _hopeless(position, solver, value)
    best = solver.best(position)
    bad = position.threats(position.turn)
    safe = [number for number in position.picks if number not in bad]
    if bad and len(safe) == 1 and safe[0] in best:
        sets = _sets_with(position, position.turn, bad)
        line = best_line(position, safe[0], solver)
        return Hint(position, "avoids", value, (safe[0],), sets, line=line)
    if value.result == "draw":
        return _even(position, solver, value)
    cornering = tuple(move for move in best if _is_cornered(position.play(move)))
    if cornering:
        return Hint(position, "corners", value, cornering)
    return _winning(position, solver, value)


def _is_cornered(after: Position) -> bool:
    """Whether the player to act has to complete a set."""
    rules = after.game.rules
    if after.outcome is not None or rules.invalid == "lose-turn" or rules.has_turns:
        return False
    return after.threats(after.turn) == after.available


def _winning(position: Position, solver: Solver, value: Value) -> Hint:
    scores = _scores(position, solver)
    best = _best(scores)
    unclear = position.game.rules.misere or _is_unusual(position)
    for move in best:
        threats = () if unclear else _double_threat(position, move)
        if threats:
            return Hint(position, "double-threat", value, (move,), threats=threats)
    line, end = _play_out(position, best[0], solver)
    if end.outcome is not None and end.outcome.reason in tie_breaks(position.game):
        return Hint(position, "tie-break", value, tuple(best), line=line)
    winning = [move for move, score in scores.items() if score > 0]
    kind: Kind = "only" if len(winning) == 1 else "forced"
    return Hint(position, kind, value, tuple(best), line=line)


def _even(position: Position, solver: Solver, value: Value) -> Hint:
    scores = _scores(position, solver)
    holding = _without_lost([move for move, score in scores.items() if score == 0])
    picks = [move for move in scores if not isinstance(move, SpecialMove)]
    kind: Kind = "even" if all(move in holding for move in picks) else "holds"
    line = best_line(position, holding[0], solver)
    return Hint(position, kind, value, tuple(holding), line=line)


def _hopeless(position: Position, solver: Solver, value: Value) -> Hint:
    best = _best(_scores(position, solver))
    refutations = tuple(
        Refutation(move, answers_to(position, move, solver))
        for move in position.legal
        if move is not LOST
    )
    return Hint(
        position,
        "hopeless",
        value,
        tuple(best),
        line=best_line(position, best[0], solver),
        refutations=refutations,
        trap=_trap(position, best, solver) if 1 < len(best) == len(refutations) else None,
    )


def _trap(position: Position, moves: list[Move], solver: Solver) -> Trap | None:
    """The move after which most answers throw the win away; None if every answer wins."""
    best, most = None, 0
    for move in moves:
        after = position.play(move)
        after = after.play(PASS) if after.asking else after
        if after.outcome is not None or after.turn == position.turn:
            continue
        scores = _scores(after, solver)
        answers = tuple(answer for answer, score in scores.items() if score > 0)
        if len(scores) - len(answers) > most:
            best, most = Trap(move, answers), len(scores) - len(answers)
    return best


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


def _sets_with(position: Position, seat: int, numbers: Hand) -> tuple[Hand, ...]:
    """The sets that these numbers would complete for a player who holds none yet."""
    game, hand = position.game, position.hands[seat - 1]
    found: list[Hand] = []
    for number in numbers:
        grown = (*hand, number)
        found += game.sets_in(game.mask(grown), grown)
    return tuple(found)


def tie_breaks(game: Game) -> set[str]:
    """The reasons of an outcome that only the ending can bring about."""
    return {"first", "second", *(link.measure for link in game.rules.ending)}
