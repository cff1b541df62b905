"""A hint: the best moves and the reason, as data. Every reason is a fact that can be checked."""

from collections.abc import Callable
from functools import reduce
from itertools import chain
from time import monotonic
from typing import Literal, TypeAlias

from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Declare, Move, SpecialMove, format_move
from ninefold.core.position import Hand, Position
from ninefold.core.text import NamedTuple
from ninefold.players import SECONDS
from ninefold.solver import Solver, Value, solver_for
from ninefold.solver.advice import PROVED, SIGHT, Advice, advise, look_ahead

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
    "keeps",  # it keeps the draw; what the others do is not proved
    "even",  # every number keeps the draw
    "hopeless",  # every number loses; this one lasts longest
    "estimate",  # it looks best; what it is worth is not proved
]

Moves: TypeAlias = tuple[Move, ...]


class Hint(NamedTuple):
    """What to play in a position and why; ``print`` it to read it."""

    position: Position
    kind: Kind
    value: Value
    moves: Moves  # those recommended
    sets: tuple[Hand, ...] = ()  # what is completed or stopped
    threats: Hand = ()  # the numbers of a double threat
    line: Moves = ()  # best play of both from the first move on; if not solved, only a proved win
    refutations: tuple[tuple[Move, Moves], ...] = ()  # if all is lost: what beats each move
    trap: tuple[Move, Moves] | None = None  # the best chance, and the only answers that still win
    seconds: float | None = None  # how long the solver was given, if the game was not solved

    def __repr__(self) -> str:
        result, plies = self.value
        value = result if plies is None else f"{result} in {plies}"
        return f"<Hint {self.kind}: {' '.join(map(format_move, self.moves))}, {value}>"

    def __str__(self) -> str:
        from ninefold.coach.words import STEPS, sentence

        return "\n".join(sentence(self, step) for step in range(1, STEPS + 1))


def winner_of(value: Value, turn: int) -> int | None:
    """Who wins a position of this value with this player to act; None for nobody."""
    return {"win": turn, "loss": 3 - turn}.get(value.result)


def hint_for(position: Position, seconds: float = SECONDS) -> Hint:
    """The hint for the player to act, in a large game perhaps an estimate; raises NinefoldError."""
    advice = advise(position, seconds)
    hint = _find_hint(position, advice)
    if advice.solver is None:
        hint = hint._replace(seconds=seconds)
    if hint.kind in ("declare", "completes", "double-threat", "corners"):
        return hint  # proved without a line
    if advice.solver is not None:
        return hint._replace(line=best_line(position, hint.moves[0], advice.solver))
    return hint._replace(line=_winning_line(hint, monotonic() + seconds / 2))


def _find_hint(position: Position, advice: Advice) -> Hint:
    """The hint without its line."""
    value, player, rules = advice.value, position.turn, position.game.rules
    held = position.sets_of(player) if rules.declare else ()
    if held:
        return Hint(position, "declare", value, tuple(map(Declare, held)), held)
    if position.asking:
        return Hint(position, "pass", value, (PASS,))
    completing = position.threats(player)
    sets = _sets_with(position, player, completing)
    # The set must still be declared, if these rules say so; another move may end the game sooner.
    if completing and not rules.misere and value.plies == 1 + rules.declare:
        return Hint(position, "completes", value, completing, sets)
    if value.result == "loss":
        return _hopeless(position, advice)
    if rules.misere:
        safe = tuple(number for number in position.picks if number not in completing)
        every = position.picks == position.available
        if completing and every and len(safe) == 1 and safe[0] in advice.best:
            return Hint(position, "avoids", value, safe, sets)
    elif not _is_unusual(position):
        stops = position.threats(3 - player)
        # Two threats at once are lost, but perhaps there was no time to see that.
        if stops and (len(stops) == 1 or value.result != "unknown"):
            return Hint(position, "stops", value, stops, _sets_with(position, 3 - player, stops))
    if value.result == "win":
        return _winning(position, advice)
    holding = _best(advice.best)
    if value.result == "unknown":
        return Hint(position, "estimate", value, holding)
    picks = [move for move in position.legal if not isinstance(move, SpecialMove)]
    even = all(move in holding for move in picks)
    kind: Kind = "keeps" if not advice.proved else "even" if even else "holds"
    return Hint(position, kind, value, holding)


def best_line(position: Position, first: Move, solver: Solver) -> Moves:
    """This move and best play after it, to the end or until a position comes back."""
    return _line(position, first, lambda position: _best(solver.best(position))[0])


def _line(position: Position, first: Move, choose: Callable[[Position], Move | None]) -> Moves:
    """This move and those chosen after it, until there is none or a position comes back."""
    line, met = [first], set()
    position = position.play(first)
    while position.outcome is None and (position.key, position.turn) not in met:
        met.add((position.key, position.turn))
        move = choose(position)
        if move is None:
            break
        line.append(move)
        position = position.play(move)
    return tuple(line)


def _winning_line(hint: Hint, end: float) -> Moves:
    """Proved moves of the winner, as far as there is time; none if nobody is known to win."""
    winner = winner_of(hint.value, hint.position.turn)

    def choose(position: Position) -> Move | None:
        if winner is None or monotonic() > end:
            return None
        seen, _ = look_ahead(position, SIGHT)
        moves = _best(sorted(seen, key=seen.__getitem__, reverse=True))
        if position.turn != winner or seen[moves[0]] > PROVED:
            return moves[0]
        solver = solver_for(position.game)  # only now: the first one may have to be compiled
        with solver.limited(lambda _: monotonic() > end):
            results = ((solver.move_value(position, move, False).result, move) for move in moves)
            return next((move for result, move in results if result == "win"), None)

    line = _line(hint.position, hint.moves[0], choose)
    return line if len(line) > 1 else ()


def answers_to(position: Position, move: Move, solver: Solver) -> Moves:
    """Best play after this move, from the opponent's first answer on."""
    return best_line(position, move, solver)[2 if position.play(move).asking else 1 :]


def after_turn(position: Position, move: Move) -> Position:
    """The position after a move by which nothing can be declared: the question is passed."""
    return position.play(move).answered()


def tie_breaks(game: Game) -> set[str]:
    """The reasons of an outcome that only the ending can bring about."""
    return {"first", "second", *(link.measure for link in game.rules.ending)}


def _best(moves: list[Move]) -> Moves:
    """The same moves, passing and swapping last; a lost turn only if there is nothing else."""
    chosen = [move for move in moves if move is not LOST] or moves
    return tuple(sorted(chosen, key=lambda move: isinstance(move, SpecialMove)))


def _is_unusual(position: Position) -> bool:
    """Whether threats say little: they may be gone, or out of reach, when their turn comes."""
    game = position.game
    limited = game.picks.limited_later or position.picks != position.available
    return game.rules.has_turns or limited or bool(game.wins.shared)


def _winning(position: Position, advice: Advice) -> Hint:
    best, value = _best(advice.best), advice.value
    if position.game.rules.misere:
        cornering = tuple(move for move in advice.best if _corners(position, move))
        if cornering:
            return Hint(position, "corners", value, cornering)
    elif not _is_unusual(position):
        for move in best:
            if threats := _double_threat(position, move):
                return Hint(position, "double-threat", value, (move,), threats=threats)
    kind: Kind = "forced"
    if advice.solver is not None and _ends_by_tie_break(position, best[0], advice.solver):
        kind = "tie-break"
    elif len(advice.with_result("win")) == 1 and advice.proved:
        kind = "only"
    return Hint(position, kind, value, best)


def _ends_by_tie_break(position: Position, first: Move, solver: Solver) -> bool:
    end: Position = reduce(Position.play, best_line(position, first, solver), position)
    return end.outcome is not None and end.outcome.reason in tie_breaks(position.game)


def _hopeless(position: Position, advice: Advice) -> Hint:
    best, solver = _best(advice.best), advice.solver
    if solver is None:
        return Hint(position, "hopeless", advice.value, best)
    refutations = tuple(
        (move, answers_to(position, move, solver)) for move in position.legal if move is not LOST
    )
    trap = _trap(position, best, solver) if 1 < len(best) == len(refutations) else None
    return Hint(position, "hopeless", advice.value, best, refutations=refutations, trap=trap)


def _trap(position: Position, moves: Moves, solver: Solver) -> tuple[Move, Moves] | None:
    """The move after which most answers throw the win away; None if every answer wins."""
    best, most = None, 0
    for move in moves:
        after = after_turn(position, move)
        if after.outcome is not None or after.turn == position.turn:
            continue
        legal = after.legal
        answers = tuple(answer for answer in legal if solver.move_score(after, answer) > 0)
        if len(legal) - len(answers) > most:
            best, most = (move, answers), len(legal) - len(answers)
    return best


def _corners(position: Position, move: Move) -> bool:
    """Whether the opponent has to complete a set after this move."""
    after, rules = position.play(move), position.game.rules
    if after.outcome is not None or rules.invalid == "lose-turn" or rules.has_turns:
        return False
    return after.threats(after.turn) == after.picks


def _double_threat(position: Position, move: Move) -> Hand:
    """The numbers that complete a set after this pick, if there are two or more."""
    # The opponent threatens nothing here, or stopping it would have been the hint.
    after = after_turn(position, move)
    if after.outcome is not None or after.turn == position.turn:
        return ()
    threats = after.threats(position.turn)
    return threats if len(threats) > 1 else ()


def _sets_with(position: Position, seat: int, numbers: Hand) -> tuple[Hand, ...]:
    """The sets that these numbers would complete for a player who holds none yet."""
    game, hand, other = position.game, position.hands[seat - 1], position.hands[2 - seat]
    hands = [(*hand, number) for number in numbers]
    held = (game.wins.held(game.mask(grown), grown, other) for grown in hands)
    return tuple(chain.from_iterable(held))
