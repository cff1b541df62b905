"""A review: every move of a game judged, and where the game was decided."""

from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from typing import Literal, TypeAlias

from ninefold.coach.defence import Defence, Moves, best_defence
from ninefold.coach.hint import best_line, winner_of
from ninefold.core.game import Game
from ninefold.core.moves import PASS, AnyMove, Move, as_move, parse_moves
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position, as_seat
from ninefold.core.text import NamedTuple
from ninefold.players import SECONDS
from ninefold.solver import Result, Value
from ninefold.solver.advice import Advice, advise
from ninefold.solver.scores import UNKNOWN

Verdict: TypeAlias = Literal[
    "only", "kept", "even", "threw", "slipped", "lost", "gained", "unproved"
]
# By what the position was worth before the move and after it, if both are proved; anything else is
# a gain.
_VERDICTS: dict[tuple[Result, Result], Verdict] = {
    ("win", "win"): "kept",
    ("win", "draw"): "threw",
    ("win", "loss"): "threw",
    ("draw", "draw"): "even",
    ("draw", "loss"): "slipped",
    ("loss", "loss"): "lost",
}
MISTAKES: tuple[Verdict, ...] = ("threw", "slipped")


class Judgement(NamedTuple):
    """One move: who made it, what it was worth before and after, and what was better."""

    ply: int
    seat: int
    move: Move
    before: Value
    after: Value
    verdict: Verdict
    better: tuple[Move, ...] = ()  # those that avoided a mistake; if unproved, that look better
    line: tuple[Move, ...] = ()  # best play after the best of them, from ``position`` on
    position: Position | None = None
    defence: Defence | None = None  # the best one, if the position was lost

    @property
    def best(self) -> tuple[Move, ...]:
        """The best defences of a lost position; nothing in any other."""
        return self.defence.moves if self.defence else ()

    @property
    def is_mistake(self) -> bool:
        """Whether it threw a win or a draw away, which is proved."""
        return self.verdict in MISTAKES

    @property
    def standing(self) -> int | None:
        """Who wins after this move under best play; None for nobody, or if that is not proved."""
        return winner_of(self.after, self.seat)

    @property
    def proved(self) -> bool:
        """Whether it is proved who wins after this move."""
        return self.after.result != "unknown"

    @property
    def is_forced_answer(self) -> bool:
        """Whether the player was asked for a declaration, and had none to make."""
        return self.position is not None and self.position.asking and self.position.legal == [PASS]


class Review(NamedTuple):
    """A game judged move by move; ``print`` it to read it."""

    judgements: tuple[Judgement, ...]
    # The move after which the result never changed, 0 if it was settled from the start; None if the
    # game is open, or ended by resignation, forfeit or the clock, or if it is not proved.
    decided: int | None
    standing: int | None  # who wins from the last position under best play; None for nobody
    outcome: Outcome | None
    proved: bool = True  # whether that, and every verdict, is proved

    def __repr__(self) -> str:
        mistakes = [self.count(seat, *MISTAKES) for seat in (1, 2)]
        return f"<Review of {len(self.judgements)} moves: {mistakes[0]} and {mistakes[1]} mistakes>"

    def __str__(self) -> str:
        from ninefold.coach.review_words import PLAYERS, report

        return report(self, PLAYERS).rstrip("\n")

    def count(self, seat: int, *verdicts: Verdict) -> int:
        """How many of a player's moves have one of these verdicts."""
        seat = as_seat(seat)
        return sum(item.seat == seat and item.verdict in verdicts for item in self.judgements)


def review_game(
    game: Game,
    moves: Iterable[AnyMove],
    first: int = 1,
    outcome: Outcome | None = None,
    seconds: float = SECONDS,
) -> Review:
    """Judge every move of a game that ended like this, in so many seconds each if it is large."""
    position = game.start(first)
    found: list[Judgement] = []
    for ply, move in enumerate(map(as_move, moves), 1):
        found.append(judge(position, move, ply, seconds))
        position = position.play(move)
    return sum_up(found, position, outcome, seconds)


def sum_up(
    found: Sequence[Judgement],
    position: Position,
    outcome: Outcome | None = None,
    seconds: float = SECONDS,
) -> Review:
    """The review of a game whose moves were judged like this and led to this position."""
    unproved = [item.ply for item in found if item.verdict == "unproved"]
    if position.outcome is None:
        value = advise(position, seconds).value
        standing, proved = winner_of(value, position.turn), value.result != "unknown"
        return Review(tuple(found), None, standing, outcome, proved and not unproved)
    last = position.outcome.winner
    undecided = [item.ply for item in found if winner_of(item.before, item.seat) != last]
    decided = max(undecided, default=0)
    known = decided >= max(unproved, default=-1) and decided not in unproved
    return Review(tuple(found), decided if known else None, last, position.outcome, not unproved)


def review_moves(game: Game, moves: str | Iterable[AnyMove], first: int = 1) -> Review:
    """Judge a written list of moves, in which a pass may be left out; raises NinefoldError."""
    position, played = game.start(first), list[Move]()
    for move in parse_moves(moves) if isinstance(moves, str) else map(as_move, moves):
        played += position.meant(move)
        position = position.follow(move)
    if position.settled() != position:
        played.append(PASS)
    return review_game(game, played, first)


def review_record(record: str | PathLike[str], seconds: float = SECONDS) -> Review:
    """Judge a recorded game, named by its file or its id; raises NinefoldError."""
    from ninefold.record.replay import Replay
    from ninefold.record.store import Store
    from ninefold.record.text import read_record

    replay = Replay(read_record(Store().find(fspath(record))))
    referee, first = replay.run(), replay.record.settings.first
    return review_game(replay.book.game, referee.moves, first, referee.outcome, seconds)


def judge(position: Position, move: Move, ply: int, seconds: float = SECONDS) -> Judgement:
    """What a move was worth, and what would have been better."""
    return Judge(position, advise(position, seconds), seconds).judge(move, ply)


class Judge:
    """Judges moves of one position; what their judgements share is worked out once."""

    def __init__(
        self,
        position: Position,
        advice: Advice,
        seconds: float = SECONDS,
        defence: Defence | None = None,
    ) -> None:
        self._position, self._advice, self._seconds = position, advice, seconds
        self._after = {item.move: Value(item.result, item.plies) for item in advice.moves}
        self._keeping = tuple(advice.with_result(advice.value.result))
        self._line: Moves = ()
        self._defence = defence

    def judge(self, move: Move, ply: int) -> Judgement:
        """What this move is worth, and what would have been better."""
        position, advice, after = self._position, self._advice, self._after.get(move, UNKNOWN)
        if move not in self._after and advice.solver is not None:  # a turn lost on the clock
            after = Value(*advice.solver.move_value(position, move)[1:])
        verdict = self._verdict(move, after)
        better, line, defence = self._instead(move, verdict)
        return Judgement(
            ply, position.turn, move, advice.value, after, verdict, better, line, position, defence
        )

    def _verdict(self, move: Move, after: Value) -> Verdict:
        advice = self._advice
        results = advice.value.result, after.result
        if "unknown" in results:
            return "unproved"
        only = self._keeping == (move,) and len(advice.moves) > 1 and advice.proved
        verdict = _VERDICTS.get(results, "gained")
        return "only" if only and verdict in ("kept", "even") else verdict

    def _instead(self, move: Move, verdict: Verdict) -> tuple[Moves, Moves, Defence | None]:
        """What was better than this move, best play after it, and the best defence if lost."""
        position, advice = self._position, self._advice
        if verdict == "lost":
            self._defence = self._defence or best_defence(position, advice, self._seconds / 2)
            return (), (), self._defence
        if verdict in MISTAKES:
            if advice.solver is not None:
                self._line = self._line or best_line(position, advice.best[:1], advice.solver)
            return self._keeping, self._line, None
        if verdict == "unproved" and move not in advice.best:
            return self._keeping or tuple(advice.best), (), None
        return (), (), None


def only_human(humans: tuple[bool, bool]) -> int | None:
    """The seat of the one person in a game: who reads its review; None if there is not just one."""
    return 1 + humans.index(True) if sum(humans) == 1 else None
