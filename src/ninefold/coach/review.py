"""A review: every move of a game with its verdict, and where the game was decided."""

from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from textwrap import fill
from typing import Literal, TypeAlias

from ninefold.coach.hint import best_line, winner_of
from ninefold.coach.words import describe_line, format_choice
from ninefold.core.game import Game
from ninefold.core.moves import PASS, AnyMove, Move, as_move, parse_moves
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position, as_seat
from ninefold.core.text import NamedTuple, listed, plural
from ninefold.players import SECONDS
from ninefold.referee.events import FORFEITS
from ninefold.solver import Result, Value
from ninefold.solver.advice import advise

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

    @property
    def is_mistake(self) -> bool:
        """Whether it threw a win or a draw away, which is proved."""
        return self.verdict in _MISTAKES

    @property
    def standing(self) -> int | None:
        """Who wins after this move under best play; None for nobody, or if that is not proved."""
        return winner_of(self.after, self.seat)

    @property
    def proved(self) -> bool:
        """Whether it is proved who wins after this move."""
        return self.after.result != "unknown"

    best: tuple[Move, ...] = ()


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
        mistakes = [self.count(seat, *_MISTAKES) for seat in (1, 2)]
        return f"<Review of {len(self.judgements)} moves: {mistakes[0]} and {mistakes[1]} mistakes>"

    def __str__(self) -> str:
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
    advice = advise(position, seconds)
    before, after, solver = advice.value, Value("unknown", None), advice.solver
    if solver is not None:
        after = Value(*solver.move_value(position, move)[1:])
    elif move in advice.scores:
        after = next(Value(*item[1:]) for item in advice.moves if item.move == move)
    item = Judgement(ply, position.turn, move, before, after, "unproved", position=position)
    keeping = tuple(advice.with_result(before.result))
    if "unknown" in (before.result, after.result):
        return item._replace(better=() if move in advice.best else keeping or tuple(advice.best))
    verdict = _VERDICTS.get((before.result, after.result), "gained")
    if verdict in ("kept", "even") and keeping == (move,) and len(advice.moves) > 1:
        verdict = "only" if advice.proved else verdict
    item = item._replace(verdict=verdict)
    if verdict not in _MISTAKES:
        return item
    line = best_line(position, advice.best[0], solver) if solver is not None else ()
    return item._replace(better=keeping, line=line)


def report(review: Review, names: tuple[str, str]) -> str:
    """The whole review as text: moves, turning point, chart, summary."""
    parts = [_moves(review, names), _decision(review, names), _chart(review, names)]
    return "\n\n".join(part for part in (*parts, _summary(review, names)) if part) + "\n"


def only_human(humans: tuple[bool, bool]) -> int | None:
    """The seat of the one person in a game: who reads its review; None if there is not just one."""
    return 1 + humans.index(True) if sum(humans) == 1 else None


def overview(review: Review, names: tuple[str, str], reader: int | None = None) -> str:
    """Where the game was decided, and how well both played, for a reader in this seat."""
    voices = _voices(names, reader)
    return f"{_decision(review, voices)}\n{_summary(review, voices)}"


def remarks(
    review: Review, names: tuple[str, str] = PLAYERS, reader: int | None = None
) -> list[str]:
    """The verdict on each move as the game went, for a reader in this seat."""
    voices = _voices(names, reader)
    return [remark(item, voices) for item in review.judgements]


def _voices(names: tuple[str, str], reader: int | None) -> tuple[str, str]:
    """What to call the players in a sentence."""
    one, two = names
    return "you" if reader == 1 else one, "you" if reader == 2 else two


def remark(judgement: Judgement, names: tuple[str, str] = PLAYERS) -> str:
    """The verdict on one move, with what would have been better."""
    better = _better(judgement, names)
    return f"{_words(judgement)}; {better}" if better else _words(judgement)


def _words(item: Judgement) -> str:
    if item.verdict == "only":
        won = item.before.result == "win"
        return "the only winning move" if won else "the only move that keeps the draw"
    if item.verdict != "unproved":
        return _WORDS[item.verdict]
    if item.after.result == "loss":
        return "loses; whether another move was better is not proved"
    if item.before.result in ("win", "draw"):
        return f"is not proved to {'win' if item.before.result == 'win' else 'keep the draw'}"
    return "may not be best (estimate)" if item.better else "looks best (estimate)"


def _better(item: Judgement, names: tuple[str, str]) -> str:
    """What would have been better than a mistake; empty for any other move."""
    if item.position is None or not item.better:
        return ""
    moves = listed(map(format_choice, item.better), "or")
    if item.verdict == "unproved":
        looks = "looks better" if len(item.better) == 1 else "look better"
        return f"{moves} {looks if item.before.result == 'unknown' else 'would be proved'}"
    if not item.line:
        return f"better: {moves}"
    return f"better: {moves}. For example: {describe_line(item.position, item.line, names)}"


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
    if review.outcome.reason in ("resignation", "timeout", *FORFEITS):
        leader = "nobody" if review.standing is None else names[review.standing - 1]
        best = f"with best play {leader} would have won"
        if review.standing is None and not review.proved:
            best = "who would have won is not proved"
        return f"The game ended by {review.outcome.reason}; {best}."
    if review.decided is None:
        return "Which move decided the game is not proved: it is too large to solve in time."
    if review.decided == 0:
        return "Nobody made a mistake: the result was settled from the start."
    item = review.judgements[review.decided - 1]
    return f"The game was decided by move {item.ply}: {names[item.seat - 1]} {_words(item)}."


def _chart(review: Review, names: tuple[str, str]) -> str:
    """One sign per move: how the game stood for the first player named after it."""
    signs = {1: "+", 2: "-", None: "="}
    chart = "".join(
        "?" if item.after.result == "unknown" else signs[winner_of(item.after, item.seat)]
        for item in review.judgements
    )
    legend = "+ winning, = drawn, - losing" + ", ? not proved" * ("?" in chart)
    return f"After each move, for {names[0]} ({legend}): {chart}"


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
        if unproved := review.count(seat, "unproved"):
            summary += f", {plural(unproved, 'verdict')} not proved"
        lines.append(f"{summary}.")
    return "\n".join(lines)


def _count(count: int, noun: str) -> str:
    return plural(count, noun) if count else f"no {noun}s"
