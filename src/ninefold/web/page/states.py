"""Every position of a game with all that a page says about it: made by the engine, once."""

from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import NamedTuple

from ninefold import players
from ninefold.board_words import names_seen, turn_text, winner_text
from ninefold.books import Book
from ninefold.coach.hint import Hint, hint_from, winner_of
from ninefold.coach.review import Judge, Judgement
from ninefold.coach.review_words import (
    START,
    Course,
    better,
    decision,
    label,
    made_by,
    verdict_after,
    voices_for,
)
from ninefold.coach.words import STEPS, sentence
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move, specials_last
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.players import SECONDS
from ninefold.solver import is_small
from ninefold.solver.advice import Advice, advise
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, end_key, legal_steps
from ninefold.web.page.texts import COUNTS, NAMES, PlacesView, Texts, with_places

# More positions make a file that is no longer quick to send and to open.
MOST_POSITIONS = 60_000
MOST_NUMBERS = 30
# Who can play against a person, in the order of the bits of ``Step.chosen_by``.
COMPUTERS = players.KINDS[1:]


class Row(NamedTuple):
    """A kind of verdict: what is said depends on the course of the game, which it changes."""

    said: tuple[int, ...]  # the text after each course
    courses: tuple[int, ...]  # the course after it
    decided: int  # the text if this move decided the game; 0 if it never can
    counts: tuple[int, ...]  # whether it counts as a move, a mistake, an only move


class Found(NamedTuple):
    """A position of the walk and, if the game is over, the text of its result."""

    position: Position
    result: str = ""

    def key(self) -> Hashable:
        """Equal if the future and everything said about it is the same."""
        return end_key(self.position), self.result


class Step(NamedTuple):
    """A legal move of a state, and what the review says about it."""

    move: Move
    to: int
    chosen_by: int  # one bit for each of the COMPUTERS that may choose it
    is_hinted: bool
    is_good: bool  # it keeps the value of the position or, if that is lost, defends best
    made: int  # the text of the move
    row: int
    more: int  # the text of what would have been better


class State(NamedTuple):
    """A position: its value, its texts, its legal moves."""

    position: Position
    winner: int  # under best play, 0 for nobody
    plies: int | None
    status: int  # the text of whose turn it is, or who won
    choosing: int = 0  # the same while numbers are chosen for a declaration
    note: int = 0  # what else there is to know: which numbers may be taken; or how the game ended
    skipped: int = 0  # what to say if the player who acts here moved last as well
    hints: tuple[int, ...] = (0,) * STEPS
    area: tuple[int, ...] = ()  # the numbers that the first step of the hint marks
    lead: tuple[int, ...] = ()  # the first turn of the line of the hint, as places in ``steps``
    best: int = 0  # the place of the move that a line of best play follows
    better: int = 0  # the place of the first move that is better than a mistake
    steps: tuple[Step, ...] = ()
    barred: tuple[tuple[int, int], ...] = ()  # free numbers that may not be taken, and why


class Insight(NamedTuple):
    """What is known of a position by whoever acts in it, in whichever seat."""

    advice: Advice
    hint: Hint
    texts: tuple[int, ...]  # of the steps of the hint
    chosen_by: dict[Move, int]  # see ``Step``


class States:
    """The states of a book in its reading, the start first; raises NinefoldError if too large."""

    def __init__(self, book: Book, tell: Callable[[str], None] = lambda _: None) -> None:
        self.book, self.game, self.texts = book, book.game, Texts()
        self.view = PlacesView(book, NAMES, (True, True))
        self._results: dict[Hashable, str] = {}
        self._insights: dict[Hashable, Insight] = {}
        self.rows: dict[Hashable, int] = {}
        self.row_data: list[Row] = []
        made = map(players.make, COMPUTERS)
        self._players = [player for player in made if player is not None]
        if _tells_ascents(book):
            reason = "The words of this book tell {ascent1} or {ascent2}, but its rules do not."
            raise NinefoldError("order", reason, "A page cannot: remove them from the words.")
        if len(book.game.pool) > MOST_NUMBERS:
            raise too_large(f"{len(book.game.pool)} numbers")
        walk = self._walk(tell)
        self.states: list[State] = []
        for found, children in zip(walk.nodes, walk.children, strict=True):
            if not len(self.states) % 100:
                tell(f"judging positions: {len(self.states):,} of {len(walk.nodes):,}")
            over = found.position.outcome is not None
            self.states.append(
                self._ended(found) if over else self._state(found.position, children)
            )

    def _walk(self, tell: Callable[[str], None]) -> BreadthFirst[Found, Move]:
        """Every position of the game; raises NinefoldError if there are too many to judge."""
        walk = BreadthFirst(Found(self.game.start()), self._follow, Found.key, MOST_POSITIONS)
        try:
            for at in walk:
                if not at % 1000:
                    tell(f"finding positions: {len(walk.nodes):,}")
        except TooLarge:
            raise too_large(f"more than {MOST_POSITIONS:,} positions") from None
        if not is_small(self.game):
            raise too_large(f"{len(walk.nodes):,} positions that take too long to judge")
        return walk

    def _follow(self, found: Found) -> list[tuple[Move, Found]]:
        """Where each legal move leads, with the text of the result if that ends the game."""
        return [
            (move, Found(child, self._result(child, child.outcome) if child.outcome else ""))
            for move, child in legal_steps(found.position)
        ]

    def _result(self, position: Position, outcome: Outcome) -> str:
        """How a game ended, in words; rendered once where the view sees no difference."""
        hands = position.hands if self.game.sees_order else position.masks
        key = hands, position.phase, outcome, position.last_picker, position.compared(1)
        if key not in self._results:
            self._results[key] = self.view.result(outcome, position)
        return self._results[key]

    def _ended(self, found: Found) -> State:
        outcome = found.position.outcome
        assert outcome is not None
        status = self.texts.add_once(
            ("winner", outcome.winner),
            lambda reader: winner_text(outcome, names_seen(NAMES, reader)),
        )
        note = self.texts.add(found.result)
        return State(found.position, outcome.winner or 0, 0, status, note=note)

    def _state(self, position: Position, children: Sequence[int]) -> State:
        insight, texts = self._insight(position), self.texts
        advice, hint = insight.advice, insight.hint
        value, best = advice.value, advice.best
        places = {move: place for place, move in enumerate(advice.scores)}
        first = hint.defence.turn if hint.defence else hint.moves[:1]
        turn, picks = position.turn, position.picks
        barred = [] if position.asking else [n for n in position.available if n not in picks]
        notes = self.view.limits(position) + self.view.choices(position)
        return State(
            position,
            winner_of(value, turn) or 0,
            value.plies,
            self._turn_text(position, position.asking),
            self._turn_text(position, True) if self.game.rules.declare else 0,
            texts.add(notes.strip()),
            texts.add(self.view.skipped(turn, position).strip()),
            insight.texts,
            hint.area,
            _places_of_turn(position, first),
            places[specials_last(best)[0]],
            places[best[0]],
            self._steps(insight, position, children),
            tuple((number, texts.add(position.why_barred(number, turn))) for number in barred),
        )

    def _insight(self, position: Position) -> Insight:
        """The insight into a position, found once for both seats."""
        found = self._insights.get(position.key)
        if found is None:
            advice = advise(position, SECONDS)
            hint = hint_from(position, advice, SECONDS)
            said = tuple(self.texts.add(sentence(hint, step)) for step in range(1, STEPS + 1))
            chosen_by = dict.fromkeys(advice.scores, 0)
            for bit, player in enumerate(self._players):
                for move in player.candidates(position):
                    chosen_by[move] |= 1 << bit
            found = self._insights[position.key] = Insight(advice, hint, said, chosen_by)
        return found

    def _turn_text(self, position: Position, is_choosing: bool) -> int:
        return self.texts.add_once(
            ("turn", position.turn, position.picks_left, is_choosing),
            lambda reader: turn_text(position, names_seen(NAMES, reader), is_choosing=is_choosing),
        )

    def _steps(
        self, insight: Insight, position: Position, children: Sequence[int]
    ) -> tuple[Step, ...]:
        advice, hint, _, chosen_by = insight
        judge = Judge(position, advice, SECONDS, hint.defence).judge
        found, texts = [], dict[Hashable, int]()
        for (move, bits), child in zip(chosen_by.items(), children, strict=True):
            item, is_good, more = judge(move, COUNTS["ply"]), True, 0
            if item.is_mistake or item.verdict == "lost":
                is_good = move in item.best
                # Moves of one position with the same of these are told the same.
                alike = item.defence and (is_good, move == item.best[0], item.after.plies)
                if alike not in texts:
                    texts[alike] = self._better(item)
                more = texts[alike]
            made, row = self._text_of(item), self._row(item)
            found.append(Step(move, child, bits, move in hint.moves, is_good, made, row, more))
        return tuple(found)

    def _better(self, item: Judgement) -> int:
        """The text of what would have been better; a defence is the same for every reader."""
        if item.defence:
            return self.texts.add(better(item, NAMES))
        return self.texts.add_for_readers(lambda reader: better(item, voices_for(NAMES, reader)))

    def _text_of(self, item: Judgement) -> int:
        """The text of the move itself."""
        played = label(item)
        return self.texts.add_once(
            (item.seat, item.move, played),
            lambda reader: made_by(names_seen(NAMES, reader)[item.seat - 1], item.move, played),
        )

    def _row(self, item: Judgement) -> int:
        """The row of a verdict, made when it occurs first."""
        results = item.before.result, item.after.result
        key = item.seat, item.verdict, *results, item.is_forced_answer
        found = self.rows.get(key)
        if found is None:
            found = self.rows[key] = len(self.rows)
            self.row_data.append(self._new_row(item))
        return found

    def _new_row(self, item: Judgement) -> Row:
        texts = self.texts

        def verdict(course: Course) -> int:
            return texts.add_for_readers(
                lambda reader: verdict_after(course, item, voices_for(NAMES, reader))[0]
            )

        later = tuple(COURSES.index(verdict_after(course, item, NAMES)[1]) for course in COURSES)
        decided = texts.add_for_readers(
            lambda reader: with_places(decision(item, voices_for(NAMES, reader)))
        )
        if winner_of(item.before, item.seat) == item.standing:
            decided = 0
        counts = not item.is_forced_answer, item.is_mistake, item.verdict == "only"
        return Row(tuple(map(verdict, COURSES)), later, decided, tuple(map(int, counts)))


def _places_of_turn(position: Position, turn: Sequence[Move]) -> tuple[int, ...]:
    """The moves of a turn, each as its place among the legal ones."""
    place = position.legal.index(turn[0])
    return (place, *_places_of_turn(position.play(turn[0]), turn[1:])) if turn[1:] else (place,)


_SEATS = [frozenset(seats) for seats in ((), (1,), (2,), (1, 2))]
# Everything that a verdict may remember of a game; it begins with the first.
COURSES = [Course(moved, chance) for moved in _SEATS for chance in _SEATS]
assert COURSES[0] == START


def _tells_ascents(book: Book) -> bool:
    """Whether a text depends on an order of picks in which the states of a page do not differ."""
    if book.game.endings.sees_order:
        return False
    ended = {**book.words.ended, "longest-ascent": ()}  # which cannot be the reason then
    texts = (*chain(*book.words.lines.values(), *ended.values()), *book.words.phrases.values())
    return any("{ascent" in text for text in texts)


def too_large(size: str) -> NinefoldError:
    """The refusal of a game of this size."""
    reason = f"This game is too large for a page: it has {size}."
    most = f"up to {MOST_POSITIONS:,} positions of up to {MOST_NUMBERS} numbers"
    advice = f"A page holds {most}; ninefold serve plays larger games in a browser."
    return NinefoldError("too-large", reason, advice)
