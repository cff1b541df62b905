"""A hint: the best moves and the reason, as data. Every reason is a fact that can be checked."""

from collections.abc import Iterable
from functools import reduce
from itertools import chain
from time import monotonic
from typing import Literal, TypeAlias

from ninefold.coach.defence import (
    Defence,
    Moves,
    best_defence,
    choices,
    wins_at_once,
)
from ninefold.core.game import Game
from ninefold.core.moves import PASS, Declare, Move, SpecialMove, format_move, specials_last
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
    "defends",  # every number loses; this one is the best defence
    "estimate",  # it looks best; what it is worth is not proved
]

# How many numbers step 1 of a hint marks, if there are so many, and how many of them at most are
# recommended.
AREA, MOST_RECOMMENDED = 4, 3


class Hint(NamedTuple):
    """What to play in a position and why; ``print`` it to read it."""

    position: Position
    kind: Kind
    value: Value
    moves: Moves  # those recommended
    sets: tuple[Hand, ...] = ()  # what is completed or stopped
    threats: Hand = ()  # the numbers of a double threat
    line: Moves = ()  # best play of both from the first move on; if not solved, only a proved win
    area: Hand = ()  # numbers that step 1 marks: some recommended, some that look as good
    defence: Defence | None = None  # if every move loses: what the opponent has to find
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
    return hint_from(position, advise(position, seconds), seconds)


def hint_from(position: Position, advice: Advice, seconds: float) -> Hint:
    """The hint for a position about which so much is known, in so many more seconds if large."""
    hint = _find_hint(position, advice, seconds)
    hint = hint._replace(area=_area(position, hint.moves))
    turn = hint.defence.turn if hint.defence else hint.moves[:1]
    if advice.solver is None:
        line = _winning_line(hint, turn, monotonic() + seconds / 2)
        return hint._replace(line=line, seconds=seconds)
    return hint._replace(line=best_line(position, turn, advice.solver))


def _find_hint(position: Position, advice: Advice, seconds: float) -> Hint:
    """The hint without its line and its area."""
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
        return _defending(position, advice, seconds)
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
    holding = specials_last(advice.best)
    if value.result == "unknown":
        return Hint(position, "estimate", value, holding)
    picks = [move for move in position.legal if not isinstance(move, SpecialMove)]
    even = all(move in holding for move in picks)
    kind: Kind = "keeps" if not advice.proved else "even" if even else "holds"
    return Hint(position, kind, value, holding)


def best_line(position: Position, first: Iterable[Move], solver: Solver) -> Moves:
    """These moves and best play after them, to the end or until a position comes back."""
    turn = tuple(first)
    return (*turn, *solver.best_line(reduce(Position.play, turn, position)))


def _winning_line(hint: Hint, turn: Moves, end: float) -> Moves:
    """This turn and proved moves after it, in time; none if nobody is known to win."""
    winner, line, met = winner_of(hint.value, hint.position.turn), [*turn], set()
    if winner is None:
        return ()
    position = reduce(Position.play, turn, hint.position)
    while position.outcome is None and (position.key, position.turn) not in met:
        met.add((position.key, position.turn))
        move = _proved_move(position, winner, end)
        if move is None:
            break
        line.append(move)
        position = position.play(move)
    return tuple(line)


def _proved_move(position: Position, winner: int, end: float) -> Move | None:
    """The best move of a position that this player wins; None if it is not proved in time."""
    if monotonic() > end:
        return None
    seen, _ = look_ahead(position, SIGHT)
    moves = specials_last(sorted(seen, key=seen.__getitem__, reverse=True))
    if position.turn != winner or seen[moves[0]] > PROVED:
        return moves[0]
    solver = solver_for(position.game)  # only now: the first one may have to be compiled
    with solver.limited(lambda _: monotonic() > end):
        results = ((solver.move_value(position, move, False).result, move) for move in moves)
        return next((move for result, move in results if result == "win"), None)


def answers_to(position: Position, move: Move, solver: Solver) -> Moves:
    """Best play after this move, from the opponent's first answer on."""
    return best_line(position, [move], solver)[2 if position.play(move).asking else 1 :]


def after_turn(position: Position, move: Move) -> Position:
    """The position after a move by which nothing can be declared: the question is passed."""
    return position.play(move).answered()


def tie_breaks(game: Game) -> set[str]:
    """The reasons of an outcome that only the ending can bring about."""
    return {"first", "second", *(link.measure for link in game.rules.ending)}


def _is_unusual(position: Position) -> bool:
    """Whether threats say little: they may be gone, or out of reach, when their turn comes."""
    game = position.game
    limited = game.picks.limited_later or position.picks != position.available
    return game.rules.has_turns or limited or bool(game.wins.shared)


def _winning(position: Position, advice: Advice) -> Hint:
    best, value = specials_last(advice.best), advice.value
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
    end: Position = reduce(Position.play, best_line(position, [first], solver), position)
    return end.outcome is not None and end.outcome.reason in tie_breaks(position.game)


def _defending(position: Position, advice: Advice, seconds: float) -> Hint:
    """The best defence; its sets are those that the opponent could complete otherwise."""
    defence, other = best_defence(position, advice, seconds / 2), 3 - position.turn
    threats = () if position.game.rules.misere else position.threats(other)
    taken = {move for move in defence.turn if isinstance(move, int) and move in threats}
    sets = _sets_with(position, other, _stopped(position, taken)) if taken else ()
    return Hint(position, "defends", advice.value, defence.moves, sets, defence=defence)


def _stopped(position: Position, taken: set[int]) -> list[int]:
    """Those of the numbers taken in a turn with which the opponent wins after another move."""
    after = [position.play(move).answered() for move in choices(position) if move not in taken]
    lost = [later for later in after if later.outcome is None and later.turn != position.turn]
    return [
        number
        for number in taken
        if any(number in later.picks and wins_at_once(later, number) for later in lost)
    ]


def _area(position: Position, moves: Moves) -> Hand:
    """A few numbers to look at, in ascending order: some of these moves, and what looks as good.

    They are numbers that can be taken or, for a declaration, that the player holds. There are none
    if nothing but a pass or a swap is recommended.
    """
    if isinstance(moves[0], Declare):
        wanted, choice = moves[0].numbers, position.hands[position.turn - 1]
    else:
        picks = [move for move in moves if isinstance(move, int)]
        wanted, choice = tuple(picks[:MOST_RECOMMENDED]), position.picks
    if not wanted:
        return ()
    promise = _promises(position, choice)
    others = [number for number in choice if number not in wanted]
    others.sort(key=lambda n: (n in moves, -promise[n], abs(n - wanted[0])))
    room = max(AREA - len(wanted), 1)
    return tuple(sorted((*wanted, *others[:room])))


def _promises(position: Position, numbers: Hand) -> dict[int, int]:
    """How much numbers look worth: more for each set that they serve, much more if near."""
    game = position.game
    open_lines = [
        (line, 4 ** (line & own).bit_count())
        for own, other in (position.masks, position.masks[::-1])
        for line in game.lines.values()
        if not line & other
    ]
    bits = {number: game.bits[number] for number in numbers}
    return {
        number: sum(worth for line, worth in open_lines if line & bit)
        for number, bit in bits.items()
    }


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


def _sets_with(position: Position, seat: int, numbers: Iterable[int]) -> tuple[Hand, ...]:
    """The sets that these numbers would complete for a player who holds none yet."""
    game, hand, other = position.game, position.hands[seat - 1], position.hands[2 - seat]
    hands = [(*hand, number) for number in numbers]
    held = (game.wins.held(game.mask(grown), grown, other) for grown in hands)
    return tuple(chain.from_iterable(held))
