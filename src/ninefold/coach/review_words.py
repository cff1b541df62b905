"""A review in words: what to say about each move, what decided the game, how well both played."""

from collections.abc import Iterator
from textwrap import fill

from ninefold.coach.defence import choices
from ninefold.coach.review import MISTAKES, Judgement, Review, Verdict
from ninefold.coach.words import describe_line, format_choice, name_of, some_of, winning_replies
from ninefold.core.moves import PASS, Move
from ninefold.core.text import NamedTuple, plural
from ninefold.referee.events import FORFEITS

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
        mistakes = review.count(seat, *MISTAKES)
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
