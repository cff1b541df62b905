"""Examples: each is replayed by the judge, up to the first move or statement that is wrong."""

from collections.abc import Mapping
from typing import Any

from ninefold.audit.figures import Moves
from ninefold.audit.finding import ExampleFinding, Shown
from ninefold.audit.told import is_so, result_faults
from ninefold.audit.words import numbers, outcome_words, plural
from ninefold.books import Book
from ninefold.books.claims import about
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import PASS, Declare, Move, format_move, parse_moves
from ninefold.core.position import Position

Told = Mapping[str, Any]

# Two hands of seven numbers each can come about by no more positions than this.
MAX_ORDERS = 20_000


def example_findings(book: Book) -> list[ExampleFinding]:
    """What became of every example of the book that is about its reading."""
    return [replay(book, told) for told in book.examples if about(told, book.reading)]


def replay(book: Book, told: Told) -> ExampleFinding:
    """The example as the judge sees it, up to the first thing that is wrong."""
    return Replay(book, told).run()


class Wrong(Exception):
    """The first thing that is wrong: what kind, what the book says, what is so."""

    def __init__(self, kind: str, told: str, truth: str) -> None:
        super().__init__(truth)
        self.kind, self.told, self.truth = kind, told, truth


class Replay:
    """An example on the way: the position, and the moves that led to it."""

    def __init__(self, book: Book, told: Told) -> None:
        self.game, self.told = book.game, told
        self.first = told.get("first", 1)
        self.position = book.game.start(self.first)
        self.moves: Moves = ()
        self.after = 0

    def run(self) -> ExampleFinding:
        """What became of the example."""
        wrong: Wrong | None = None
        try:
            self._play_all()
            self._check_result()
        except Wrong as found:
            wrong = found
        return ExampleFinding(
            name=self.told["name"],
            right=wrong is None,
            wrong=wrong.kind if wrong else None,
            after=self.after,
            told=wrong.told if wrong else "",
            truth=wrong.truth if wrong else outcome_words(self.position),
            shown=Shown(self.game, self.moves, self.first),
        )

    def _play_all(self) -> None:
        moves = self._told_moves()
        for self.after in range(len(moves) + 1):
            self._check_choices()
            self._check_statements()
            if self.after < len(moves):
                self._play(moves[self.after])
        self._declare()

    def _told_moves(self) -> list[Move]:
        """The moves; of two hands, any order that does not end the game too early."""
        if "moves" in self.told:
            return parse_moves(self.told["moves"])
        one, two = map(tuple, self.told["hands"])
        moves = _quiet_order(self.position, one, two, self.game.rules.in_order)
        if moves is None:
            told = f"the hands are {numbers(one)} and {numbers(two)}"
            raise Wrong("move", told, "taking turns, the players cannot come to hold them.")
        return [*moves]

    def _play(self, move: Move) -> None:
        """Play a move the way a written list of moves is played."""
        if self.position.outcome is not None:
            over = f"the game is over after {plural(self.after, 'move')}: "
            raise Wrong("move", self._told_move(move), over + outcome_words(self.position) + ".")
        try:
            if self.position.asking and not self._answers(move):
                self._step(PASS)
            if isinstance(move, int) and not self._is_pick(move):
                raise Wrong("move", self._told_move(move), self._not_a_pick(move))
            self._step(move)
        except NinefoldError as error:
            raise Wrong("move", self._told_move(move), error.message) from None

    def _answers(self, move: Move) -> bool:
        own = set(self.position.hands[self.position.turn - 1])
        return move is PASS or (isinstance(move, Declare) and bool(own & set(move.numbers)))

    def _is_pick(self, number: int) -> bool:
        return self.position.attempt(number) == number

    def _not_a_pick(self, number: int) -> str:
        return f"{number} is not available, and choosing it loses the turn."

    def _step(self, move: Move) -> None:
        self.position = self.position.play(move)
        self.moves = (*self.moves, move)

    def _told_move(self, move: Move) -> str:
        if "hands" in self.told:
            one, two = map(numbers, self.told["hands"])
            return f"the hands become {one} and {two} before anybody wins"
        return f"move {self.after + 1} is {format_move(move)}"

    def _check_choices(self) -> None:
        """Each choice the book says is refused: it must be refused, and cost nothing."""
        for attempt in self.told.get("attempts", ()):
            if attempt["after"] != self.after:
                continue
            number = attempt["number"]
            told = f"{number} is refused, and another number chosen instead"
            position = self._passed()
            if position.outcome is not None:
                raise Wrong("choice", told, f"the game is over: {outcome_words(position)}.")
            if not self._would_be_refused(position, number):
                if position.attempt(number) == number:
                    raise Wrong("choice", told, f"{number} may be chosen.")
                raise Wrong("choice", told, f"choosing {number} loses the turn.")

    def _passed(self) -> Position:
        return self.position.play(PASS) if self.position.asking else self.position

    def _would_be_refused(self, position: Position, number: int) -> bool:
        try:
            position.play(position.attempt(number))
        except NinefoldError:
            return True
        return False

    def _check_statements(self) -> None:
        for statement in self.told.get("statements", ()):
            if statement["after"] == self.after:
                said, truth = is_so(self._passed(), statement)
                if truth is not None:
                    raise Wrong("statement", said, truth)

    def _declare(self) -> None:
        """Where a win must be declared, the one the example announces is."""
        announced = self.told.get("says", {}).get("set")
        if announced and Declare(tuple(sorted(announced))) in self.position.legal:
            self._step(Declare(tuple(sorted(announced))))
        elif self.position.asking and not self.position.available:
            self._step(PASS)

    def _check_result(self) -> None:
        for said, truth in result_faults(self.position, self.told.get("says", {})):
            raise Wrong("result", said, truth)


def _quiet_order(
    start: Position, one: tuple[int, ...], two: tuple[int, ...], in_order: bool
) -> list[int] | None:
    """The picks that lead to these hands, in an order that does not end the game too early.

    If there is none, they are taken as they stand; None if the turns do not allow it at all.
    """
    twice = len({*one, *two}) < len(one) + len(two)
    quiet = None if in_order or twice else _search(start, one, two)
    if quiet is not None:
        return quiet
    picks, rest, stuck = _take(start, one, two)
    return None if stuck else picks + rest


def _search(start: Position, one: tuple[int, ...], two: tuple[int, ...]) -> list[int] | None:
    """An order in which all of these numbers are picked, each position being tried once."""
    seen: set[tuple[object, ...]] = set()
    stack: list[tuple[Position, tuple[int, ...]]] = [(start, ())]
    while stack and len(seen) < MAX_ORDERS:
        position, picks = stack.pop()
        rest = [[number for number in hand if number not in picks] for hand in (one, two)]
        if not any(rest):
            return [*picks]
        key = (position.turn, *position.key)
        if position.outcome is None and key not in seen:
            seen.add(key)
            own = rest[position.turn - 1]
            stack += [(after, (*picks, pick)) for pick, after in _after(position, own)]
    return None


def _after(position: Position, own: list[int]) -> list[tuple[int, Position]]:
    """Each of these numbers that may be picked, with what follows; the first one comes last."""
    picks = [number for number in reversed(own) if number in position.picks]
    after = [(number, position.play(number)) for number in picks]
    return [(number, item.play(PASS) if item.asking else item) for number, item in after]


def _take(
    position: Position, one: tuple[int, ...], two: tuple[int, ...]
) -> tuple[list[int], list[int], bool]:
    """The picks made in turn, those that are left, and whether it is nobody's turn to make them."""
    hands = (list(one), list(two))
    picks: list[int] = []
    while position.outcome is None and (own := hands[position.turn - 1]):
        try:
            position = position.follow(own[0])
        except NinefoldError:
            return picks, own + hands[2 - position.turn], False
        picks.append(own.pop(0))
        position = position.play(PASS) if position.asking else position
    rest = [*hands[0], *hands[1]]
    return picks, rest, bool(rest) and position.outcome is None
