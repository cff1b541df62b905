"""A review: every move of a game with its verdict, and where the game was decided."""

from collections.abc import Iterable
from os import PathLike, fspath
from textwrap import fill
from typing import Literal, TypeAlias

from ninefold.coach.hint import best_line, coach_solver, winner_of
from ninefold.coach.words import describe_line, format_choice
from ninefold.core.game import Game
from ninefold.core.moves import PASS, AnyMove, Move, as_move, parse_moves
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position, as_seat
from ninefold.core.text import NamedTuple, listed, plural
from ninefold.solver import Result, Solver, Value
from ninefold.solver.scores import result_of

Verdict: TypeAlias = Literal["only", "kept", "even", "threw", "slipped", "lost", "gained"]
# By what the position was worth before the move and after it; anything else is a gain.
_VERDICTS: dict[tuple[Result, Result], Verdict] = {
    ("win", "win"): "kept",
    ("win", "draw"): "threw",
    ("win", "loss"): "threw",
    ("draw", "draw"): "even",
    ("draw", "loss"): "slipped",
    ("loss", "loss"): "lost",
}
_MISTAKES: tuple[Verdict, ...] = ("threw", "slipped")
_WORDS = {
    "kept": "kept the win",
    "even": "kept the draw",
    "threw": "threw the win away",
    "slipped": "threw the draw away",
    "lost": "was already losing",
    "gained": "gained by losing the turn",
}
PLAYERS = ("Player 1", "Player 2")


class Judgement(NamedTuple):
    """One move: who made it, what it was worth before and after, and what was better.

    ``better`` and ``line`` are there if the move was a mistake: the moves that avoided it, and best
    play after the first of the best ones, from ``position`` on.
    """

    ply: int
    seat: int
    move: Move
    before: Value
    after: Value
    verdict: Verdict
    better: tuple[Move, ...] = ()
    line: tuple[Move, ...] = ()
    position: Position | None = None


class Review(NamedTuple):
    """A game judged move by move; ``print`` it to read it.

    ``decided`` is the number of the move after which the result never changed: 0 if it was settled
    from the start, None if the game is open, or ended by resignation, forfeit or the clock.
    ``standing`` is who wins from the last position under best play: 1, 2, or None for nobody.
    """

    judgements: tuple[Judgement, ...]
    decided: int | None
    standing: int | None
    outcome: Outcome | None

    def __repr__(self) -> str:
        mistakes = [self.count(seat, *_MISTAKES) for seat in (1, 2)]
        return f"<Review of {len(self.judgements)} moves: {mistakes[0]} and {mistakes[1]} mistakes>"

    def __str__(self) -> str:
        return report(self, PLAYERS).rstrip("\n")

    def count(self, seat: int, *verdicts: Verdict) -> int:
        """How many of a player's moves have one of these verdicts."""
        seat = as_seat(seat)
        return sum(item.seat == seat and item.verdict in verdicts for item in self.judgements)


def review_game(
    game: Game, moves: Iterable[AnyMove], first: int = 1, outcome: Outcome | None = None
) -> Review:
    """Judge the moves of a game; raises NinefoldError if the game is too large to solve.

    ``outcome`` is how it ended, if that was by resignation or the clock.
    """
    position = game.start(first)
    solver = coach_solver(position)
    judgements: list[Judgement] = []
    for ply, move in enumerate(map(as_move, moves), 1):
        judgements.append(judge(position, move, ply, solver))
        position = position.play(move)
    if position.outcome is None:
        standing = winner_of(solver.value(position), position.turn)
        return Review(tuple(judgements), None, standing, outcome)
    last = position.outcome.winner
    undecided = [item.ply for item in judgements if winner_of(item.before, item.seat) != last]
    return Review(tuple(judgements), max(undecided, default=0), last, position.outcome)


def review_moves(game: Game, moves: str | Iterable[AnyMove], first: int = 1) -> Review:
    """Judge a written list of moves, in which a pass may be left out; raises NinefoldError."""
    position, played = game.start(first), list[Move]()
    for move in parse_moves(moves) if isinstance(moves, str) else map(as_move, moves):
        after = position.follow(move)
        if position.asking and move not in position.legal:
            played.append(PASS)
            position = position.play(PASS)
        played.append(position.attempt(move))
        position = after
    if position.settled() != position:
        played.append(PASS)
    return review_game(game, played, first)


def review_record(record: str | PathLike[str]) -> Review:
    """Judge a recorded game, named by its file or its id; raises NinefoldError."""
    from ninefold.record.replay import Replay
    from ninefold.record.store import Store
    from ninefold.record.text import read_record

    replay = Replay(read_record(Store().find(fspath(record))))
    referee, first = replay.run(), replay.record.settings.first
    return review_game(replay.book.game, referee.moves, first, referee.outcome)


def judge(position: Position, move: Move, ply: int, solver: Solver) -> Judgement:
    """What a move was worth, and what would have been better."""
    before, after = solver.value(position), Value(*solver.move_value(position, move)[1:])
    scores = {other: solver.move_score(position, other) for other in position.legal}
    keeping = tuple(other for other in scores if result_of(scores[other]) == before.result)
    verdict = _VERDICTS.get((before.result, after.result), "gained")
    if verdict in ("kept", "even") and keeping == (move,) and len(scores) > 1:
        verdict = "only"
    item = Judgement(ply, position.turn, move, before, after, verdict, position=position)
    if verdict not in _MISTAKES:
        return item
    line = best_line(position, solver.best(position)[0], solver)
    return item._replace(better=keeping, line=line)


def report(review: Review, names: tuple[str, str]) -> str:
    """The whole review as text: moves, turning point, chart, summary."""
    parts = [_moves(review, names), _decision(review, names), _chart(review, names)]
    return "\n\n".join(part for part in (*parts, _summary(review, names)) if part) + "\n"


def remark(judgement: Judgement, names: tuple[str, str] = PLAYERS) -> str:
    """The verdict on one move, with what would have been better."""
    better = _better(judgement, names)
    return f"{_words(judgement)}; {better}" if better else _words(judgement)


def _words(item: Judgement) -> str:
    if item.verdict == "only":
        won = item.before.result == "win"
        return "the only winning move" if won else "the only move that keeps the draw"
    return _WORDS[item.verdict]


def _better(item: Judgement, names: tuple[str, str]) -> str:
    """What would have been better than a mistake; empty for any other move."""
    if item.position is None or not item.better:
        return ""
    line = describe_line(item.position, item.line, names)
    return f"better: {listed(map(format_choice, item.better), 'or')}. For example: {line}"


def _moves(review: Review, names: tuple[str, str]) -> str:
    wide = max(map(len, names))
    room = max((len(format_choice(item.move)) for item in review.judgements), default=0)
    lines = []
    for item in review.judgements:
        who, move = names[item.seat - 1], format_choice(item.move)
        lines.append(f"{item.ply:3}. {who:{wide}}  {move:>{room}}  {_words(item)}")
        if better := _better(item, names):
            lines.append(fill(better, 80, initial_indent=" " * 5, subsequent_indent=" " * 7))
    return "\n".join(lines)


def _decision(review: Review, names: tuple[str, str]) -> str:
    if review.outcome is None:
        return "The game is not over."
    if review.decided is None:
        leader = "nobody" if review.standing is None else names[review.standing - 1]
        return f"The game ended by {review.outcome.reason}; with best play {leader} would have won."
    if review.decided == 0:
        return "Nobody made a mistake: the result was settled from the start."
    item = review.judgements[review.decided - 1]
    return f"The game was decided by move {item.ply}: {names[item.seat - 1]} {_words(item)}."


def _chart(review: Review, names: tuple[str, str]) -> str:
    """One sign per move: how the game stood for the first player named after it."""
    signs = {1: "+", 2: "-", None: "="}
    chart = "".join(signs[winner_of(item.after, item.seat)] for item in review.judgements)
    return f"After each move, for {names[0]} (+ winning, = drawn, - losing): {chart}"


def _summary(review: Review, names: tuple[str, str]) -> str:
    lines = []
    for seat, name in enumerate(names, 1):
        moves = sum(item.seat == seat for item in review.judgements)
        mistakes = review.count(seat, *_MISTAKES)
        only = review.count(seat, "only")
        summary = f"{name}: {_count(moves, 'move')}, {_count(mistakes, 'mistake')}"
        if only:
            times = {1: "once", 2: "twice"}.get(only, f"{only} times")
            summary += f", found the only good move {times}"
        lines.append(f"{summary}.")
    return "\n".join(lines)


def _count(count: int, noun: str) -> str:
    return plural(count, noun) if count else f"no {noun}s"
