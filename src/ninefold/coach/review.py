"""A review: every move of a game with its verdict, and where the game was decided."""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from textwrap import fill
from typing import Literal, TypeAlias

from ninefold.coach.defence import Defence, Moves, best_defence, choices
from ninefold.coach.hint import best_line, winner_of
from ninefold.coach.words import describe_line, format_choice, name_of, some_of, winning_replies
from ninefold.core.game import Game
from ninefold.core.moves import PASS, AnyMove, Move, as_move, parse_moves
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position, as_seat
from ninefold.core.text import NamedTuple, plural
from ninefold.players import SECONDS
from ninefold.referee.events import FORFEITS
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
_MISTAKES: tuple[Verdict, ...] = ("threw", "slipped")
_WORDS = {
    "kept": "kept the win",
    "even": "kept the draw",
    "threw": "threw the win away",
    "slipped": "threw the draw away",
    "lost": "already losing",
    "gained": "gained by losing the turn",
}
# What need not be said twice in a row about the same player.
_STANDING: tuple[Verdict, ...] = ("kept", "even", "lost", "unproved")
PLAYERS = ("Player 1", "Player 2")
WIDTH = 80


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
        return self.verdict in _MISTAKES

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
        if verdict in _MISTAKES:
            if advice.solver is not None:
                self._line = self._line or best_line(position, advice.best[:1], advice.solver)
            return self._keeping, self._line, None
        if verdict == "unproved" and move not in advice.best:
            return self._keeping or tuple(advice.best), (), None
        return (), (), None


def only_human(humans: tuple[bool, bool]) -> int | None:
    """The seat of the one person in a game: who reads its review; None if there is not just one."""
    return 1 + humans.index(True) if sum(humans) == 1 else None


def report(review: Review, names: tuple[str, str], reader: int | None = None) -> str:
    """The whole review as text: moves, turning point, chart, summary.

    The player in the seat of the ``reader`` is called you, and the chart is drawn for them.
    """
    voices = voices_for(names, reader)
    chart = _chart(review, voices, reader or 1)
    parts = [_moves(review, voices), _decision(review, voices), chart, _summary(review, voices)]
    return "\n\n".join(part for part in parts if part) + "\n"


def overview(review: Review, names: tuple[str, str], reader: int | None = None) -> str:
    """Where the game was decided, and how well both played, for a reader in this seat."""
    voices = voices_for(names, reader)
    return f"{_decision(review, voices)}\n{_summary(review, voices)}"


def remark(judgement: Judgement, names: tuple[str, str] = PLAYERS) -> str:
    """The verdict on one move, with what would have been better."""
    return joined(_words(judgement), better(judgement, names))


def remarks(
    review: Review, names: tuple[str, str] = PLAYERS, reader: int | None = None
) -> list[str]:
    """The verdict on each move as the game went, for a reader in this seat."""
    voices = voices_for(names, reader)
    verdicts = zip(review.judgements, _verdicts(review, voices), strict=True)
    return [joined(said, better(item, voices)) for item, said in verdicts]


def joined(verdict: str, more: str) -> str:
    """The verdict on a move and what would have been better, either of which may be nothing."""
    return "; ".join(filter(None, (verdict, more)))


def verdict_line(made: str, said: str) -> str:
    """A move in words with what is said about it, which may be nothing."""
    return f"{made}: {said}." if said else made


def made_by(name: str, move: Move, played: str) -> str:
    """A move in words, with the name of its player: "You took 5"; ``played`` is its label."""
    return f"{name} took {played}" if isinstance(move, int) else f"{name}, {played}"


def legend(whom: str, unproved: bool = False) -> str:
    """What the signs of a chart with mistakes mean, seen by this player."""
    signs = "+ winning, = drawn, - losing, ! mistake" + ", ? not proved" * unproved
    return f"After each move, for {whom}: {signs}"


def voices_for(names: tuple[str, str], reader: int | None) -> tuple[str, str]:
    """What to call the players in a sentence."""
    one, two = names
    return "you" if reader == 1 else one, "you" if reader == 2 else two


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _words(item: Judgement) -> str:
    if item.is_forced_answer:
        return ""
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


def _verdicts(review: Review, voices: tuple[str, str]) -> Iterator[str]:
    """The verdict on each move, as the game went."""
    course = START
    for item in review.judgements:
        said, course = verdict_after(course, item, voices)
        yield said


class Course(NamedTuple):
    """What the verdicts remember of the game: who has moved, and whom a mistake let back in."""

    has_moved: frozenset[int]
    has_chance: frozenset[int]


START = Course(frozenset(), frozenset())


def verdict_after(course: Course, item: Judgement, voices: tuple[str, str]) -> tuple[str, Course]:
    """The verdict on a move, with whom it let back in and whether a chance was missed."""
    said, seat, other = _words(item), {item.seat}, 3 - item.seat
    has_chance = course.has_chance
    if item.is_mistake and item.seat in has_chance:
        said = f"missed the chance: {said}"
    if item.verdict == "threw" and other in course.has_moved:
        name, can = voices[other - 1], "win" if item.after.result == "loss" else "draw"
        said = f"{said} and let {name} back in: {name} can {can}"
        has_chance |= {other}
    return said, Course(course.has_moved | seat, has_chance - seat)


def better(item: Judgement, voices: tuple[str, str]) -> str:
    """What would have been better; empty if nothing was."""
    return _best_defence(item) or _better(item, voices)


def _best_defence(item: Judgement) -> str:
    """How well a move defended a lost position; empty if all moves were alike."""
    position, defence = item.position, item.defence
    if position is None or defence is None or len(choices(position)) == len(defence.moves):
        return ""
    first = defence.moves[0]
    still = f": {winning_replies(defence, 'still won')}" if defence.mistakes else ""
    if item.move in defence.moves:
        return f"the best defence{still if item.move == first else ''}"
    if not still and (item.after.plies or 0) < (defence.plies or 0):
        return f"{name_of(first)} would have lasted longer"
    which = "the best defence" if len(defence.moves) == 1 else "a better defence"
    return f"{name_of(first)} was {which}{still}"


def _better(item: Judgement, voices: tuple[str, str]) -> str:
    """What would have been better than a mistake; empty for any other move."""
    if item.position is None or not item.better:
        return ""
    moves = some_of(item.better)
    if item.verdict == "unproved":
        looks = "looks better" if len(item.better) == 1 else "look better"
        return f"{moves} {looks if item.before.result == 'unknown' else 'would be proved'}"
    if not item.line:
        return f"better: {moves}"
    return f"better: {moves}. For example: {describe_line(item.position, item.line, voices)}"


def label(item: Judgement) -> str:
    """A move as a review lists it."""
    if item.move is PASS and item.position is not None and item.position.asking:
        return "no set" if item.is_forced_answer else "not declared"
    return format_choice(item.move)


def _moves(review: Review, voices: tuple[str, str]) -> str:
    """Every move with its verdict; what was said of a player's last move is not said again."""
    names = tuple(map(_capital, voices))
    wide, room = max(map(len, names)), max(map(len, map(label, review.judgements)), default=0)
    lines, last = list[str](), dict[int, str]()
    for item, said in zip(review.judgements, _verdicts(review, voices), strict=True):
        repeated = item.verdict in _STANDING and last.get(item.seat) == said
        parts = ["" if repeated else said]
        if not item.is_forced_answer:
            last[item.seat] = said
            parts += [_best_defence(item)]
        text = "; ".join(filter(None, parts))
        lines.append(f"{item.ply:3}. {names[item.seat - 1]:{wide}}  {label(item):>{room}}  {text}")
        if instead := _better(item, voices):
            lines.append(f"     {instead}")
    return "\n".join(fill(line.rstrip(), WIDTH, subsequent_indent=" " * 7) for line in lines)


def _decision(review: Review, voices: tuple[str, str]) -> str:
    if review.outcome is None:
        return "The game is not over."
    if review.outcome.reason in ("resignation", "timeout", *FORFEITS):
        best = "best play would have led to a draw"
        if review.standing is not None:
            best = f"with best play {voices[review.standing - 1]} would have won"
        elif not review.proved:
            best = "who would have won is not proved"
        return f"The game ended by {review.outcome.reason}; {best}."
    if review.decided is None:
        return "It is not proved which move decided the game: it is too large to solve in time."
    return decision(review.judgements[review.decided - 1] if review.decided else None, voices)


def decision(item: Judgement | None, voices: tuple[str, str]) -> str:
    """Which move decided a game, or that it was settled from the start."""
    if item is None:
        return "Nobody made a mistake: the result was settled from the start."
    return f"Move {item.ply} decided the game: {voices[item.seat - 1]} {_words(item)}."


def _chart(review: Review, voices: tuple[str, str], seat: int) -> str:
    """One sign per move: how the game stood for this player after it."""
    signs = {seat: "+", 3 - seat: "-", None: "="}
    chart = "".join(signs[item.standing] if item.proved else "?" for item in review.judgements)
    legend = "+ winning, = drawn, - losing" + ", ? not proved" * ("?" in chart)
    return f"After each move, for {voices[seat - 1]} ({legend}): {chart}"


def _summary(review: Review, voices: tuple[str, str]) -> str:
    lines = []
    for seat, name in enumerate(voices, 1):
        own = [item for item in review.judgements if item.seat == seat]
        moves = sum(not item.is_forced_answer for item in own)
        mistakes = review.count(seat, *_MISTAKES)
        only = review.count(seat, "only")
        unproved = review.count(seat, "unproved")
        lines.append(summary_line(name, moves, mistakes, only, unproved))
    return "\n".join(lines)


def summary_line(name: str, moves: int, mistakes: int, only: int, unproved: int = 0) -> str:
    """How well a player played, in counts of moves."""
    summary = f"{_capital(name)}: {_count(moves, 'move')}, {_count(mistakes, 'mistake')}"
    if only:
        times = {1: "once", 2: "twice"}.get(only, f"{only} times")
        summary += f", found the only good move {times}"
    if unproved:
        summary += f", {plural(unproved, 'verdict')} not proved"
    return f"{summary}."


def _count(count: int, noun: str) -> str:
    return plural(count, noun) if count else f"no {noun}s"
