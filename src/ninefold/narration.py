"""Events and positions of a game as text, in the words of its book, for every front end."""

from collections.abc import Callable, Mapping
from functools import partial

from ninefold.books import Book
from ninefold.books.families import MEASURES, count, counted, shown_order, why
from ninefold.books.language import values_sentence
from ninefold.books.words import fill
from ninefold.core.moves import PASS, SWAP, Declare
from ninefold.core.outcome import Outcome
from ninefold.core.patterns import Pattern, quotient
from ninefold.core.position import Hand, Position
from ninefold.core.rules import Criterion, Measure
from ninefold.core.text import shorten
from ninefold.referee import Referee
from ninefold.referee.events import Ended, Event, Forfeited, Moved, Refused, TakenBack

MAX_DETAIL = 300

# What is shown of each player's numbers, with the link that would compare it.
_SHOWN = {
    "sum": Criterion("hand-sum", "higher"),
    "product": Criterion("hand-product", "higher"),
    "count": Criterion("count", "higher"),
    "highest": Criterion("highest", "higher"),
    "lowest": Criterion("lowest", "higher"),
    "ascent": Criterion("longest-ascent", "higher"),
}


class _Values(dict[str, object]):
    """The values of a template for the player in a seat; a value is there once it is needed."""

    def __init__(self, view: "View", position: Position, seat: int) -> None:
        super().__init__()
        self._given = view, position, seat

    def __missing__(self, name: str) -> object:
        return _VALUES[name](*self._given)


class View:
    """The text of one book for two named players; every method returns text to show."""

    def __init__(self, book: Book, names: tuple[str, str], humans: tuple[bool, bool]) -> None:
        self.book = book
        self.names = names
        self.humans = humans

    def text(self, name: str, position: Position) -> str:
        """A text of the book: ``opening``, ``between`` turns, ``retry``, or the whole ``board``."""
        return self._lines(name, self._values(position))

    def turn(self, position: Position) -> str:
        """The text before a player is asked for a number."""
        if position.asking:
            return ""
        name = "computer-turn" if self.is_impersonal(position) else "turn"
        return self.text(name, position) + self.limits(position) + self.choices(position)

    def limits(self, position: Position) -> str:
        """Which numbers a person may take, unless these are all that are left."""
        everything = position.picks == position.available
        if everything or position.asking or not self.humans[position.turn - 1]:
            return ""
        first = self.book.game.opening and not any(position.hands)
        name = "first-number" if first else "may-take"
        return self._phrase(name, self._values(position)) + "\n"

    def counts(self) -> str:
        """What numbers count in totals, unless they all count themselves."""
        rules = self.book.game.rules
        return f"{values_sentence(rules)}\n" if rules.values else ""

    def board(self, position: Position) -> str:
        """Everything there is to see: the board, what numbers count, and which may be taken."""
        return self.text("board", position) + self.counts() + self.limits(position)

    def hands(self, shown: str, position: Position) -> str:
        """The whole board, unless hands are in the text just shown or in that of each turn."""
        lines = self.book.words.lines
        words = " ".join((*lines[shown], *lines["turn"]))
        return "" if "{hand" in words or "{line}" in words else self.text("board", position)

    def choices(self, position: Position) -> str:
        """What else a person may do, besides taking a number."""
        if position.asking or not self.humans[position.turn - 1]:
            return ""
        may, legal = (("may-pass", PASS), ("may-swap", SWAP)), position.legal
        names = [name for name, move in may if move in legal]
        return "".join(self._phrase(name, self._values(position)) + "\n" for name in names)

    def prompt(self, position: Position) -> str:
        """The prompt, without a line break and with its trailing space."""
        more = position.picked > 0
        name = "question" if position.asking else "next-prompt" if more else "prompt"
        return self._phrase(name, self._values(position))

    def describe(self, event: Event, referee: Referee) -> str:
        """What this event has just changed, in words; nothing for a command."""
        position = referee.position
        if isinstance(event, Moved):
            moved = self.moved(event, position, referee.was_asked)
            return moved + self.skipped(event.seat, position)
        if isinstance(event, Forfeited):
            detail = shorten(" ".join(event.detail.split()), MAX_DETAIL)
            return f"{self.names[event.seat - 1]}: {detail}\n" if detail else ""
        if isinstance(event, Ended):
            return self.ended(event.outcome, position)
        if isinstance(event, Refused):
            return self.refused(event, position) + self.choices(position)
        if isinstance(event, TakenBack):
            begun = any(position.hands)
            return self.undone(position) + (
                self.hands("between", position) if begun else self.text("opening", position)
            )
        return ""

    def moved(self, event: Moved, position: Position, asked: bool = False) -> str:
        """The text after a move; ``asked`` means that it answered a question."""
        move = event.move
        number = move if isinstance(move, int) else event.tried
        taken = "taken" if number in self.book.game.bits else "outside"
        values = self._values(position, event.seat)
        values |= {"number": number, "taken": self._phrase(taken, {"number": number})}
        if event.tried in position.available:
            values["taken"] = position.why_barred(event.tried, event.seat)
        lapse = f"{self.lapse(event, position)}\n" if event.cause == "timeout" else ""
        if move is SWAP:
            return self._lines("swapped", values) + self.hands("swapped", position)
        if move is PASS and not asked and self.book.game.rules.passing:
            return self._lines("passed", values)
        if isinstance(move, int):
            return lapse + self._lines("moved", values) + self._not_yet(event.seat, position)
        if event.tried is not None:
            return self._lines("lost-choice", values)
        is_answer = move is PASS or isinstance(move, Declare)
        lost = "" if is_answer else self._lines("lost-turn", values)
        return lapse + lost

    def lapse(self, event: Moved, position: Position) -> str:
        """That the time for a turn has run out, and which number is drawn, if one is."""
        values = self._values(position, event.seat)
        values |= {"number": event.move}
        names = ("time-up", "drawn-for") if isinstance(event.move, int) else ("time-up",)
        return " ".join(self._phrase(name, values) for name in names)

    def undone(self, position: Position, reader: int | None = None) -> str:
        """The line after moves were taken back; the player in the seat of the reader is you."""
        turn = position.turn
        chooses = "you choose" if turn == reader else f"{self.names[turn - 1]} chooses"
        return f"Undone: {chooses} again.\n"

    def skipped(self, seat: int, position: Position) -> str:
        """The text after a move of this player that leaves the opponent no number to take."""
        goes_on = position.outcome is None and position.turn == seat
        fresh = goes_on and not position.picked and not position.asking
        skips = fresh and position.is_stuck(3 - seat)
        return self._lines("skipped", self._values(position, 3 - seat)) if skips else ""

    def refused(self, event: Refused, position: Position) -> str:
        """One line: what is wrong, and what to type instead."""
        error = event.error
        if error.code == "bad-command":
            return f"{error.reason}\n"
        values = self._values(position, event.seat)
        values |= {"number": error.number, "reason": error.reason, "available": values["picks"]}
        if error.code in ("taken", "not-in-pool"):
            phrase = "taken" if error.code == "taken" else "outside"
            values["reason"] = self._phrase(phrase, values)
        values["advice"] = self._phrase("advice", values)
        return self._phrase("wrong-claim" if position.asking else "refused", values) + "\n"

    def ended(self, outcome: Outcome, position: Position) -> str:
        """How the game ended, and who won it."""
        words, winner, sets = self.book.words, outcome.winner, outcome.sets
        # The player whose set decided the game; without a set, the winner.
        holder = position.set_holder or winner
        lost = holder != winner
        values = self._values(position, holder)
        values["exhausted"] = self._phrase(self._why_over(position), self._values(position))
        if winner:
            values["winner"], values["loser"] = self.names[winner - 1], self.names[2 - winner]
        if holder and sets:
            hand = position.hands[holder - 1]
            values |= self._announced(sets[0], hand, self.book.game.deciding_pattern(position))
        values["victory"] = self._phrase("victory", values)
        usual = words.lines["lost" if lost else "won"]
        return _fill_lines(words.ended.get(outcome.reason, usual), values)

    def result(self, outcome: Outcome, position: Position, *more: str) -> str:
        """How the game ended, ``more`` lines, and what decided a tie; without blank lines."""
        lines = [*self.ended(outcome, position).split("\n"), *more, self.tie_break(position)]
        return "\n".join(line for line in lines if line.strip())

    def tie_break(self, position: Position) -> str:
        """The link of the ending that decided a finished game, and what it compared; or nothing."""
        link, outcome = position.deciding_link, position.outcome
        if link is None or outcome is None:
            return ""
        words, values, winner = MEASURES[link.measure], self._values(position), outcome.winner
        values |= {"winner": self.names[winner - 1] if winner else "", "set": ""}
        if winner and outcome.sets:
            pattern, hand = self.book.game.deciding_pattern(position), position.hands[winner - 1]
            values |= self._announced(outcome.sets[0], hand, pattern)
        rule = words.winner(link, self._target(position))
        return f"Tie-break: {rule}. {fill(words.shown, values)}"

    def is_impersonal(self, position: Position) -> bool:
        """Whether a computer is to act, and the book has its own words for that."""
        own_words = self.book.words.lines["computer-turn"]
        return bool(own_words) and not self.humans[position.turn - 1]

    def _not_yet(self, seat: int, position: Position) -> str:
        """The line after a move that could have completed a set but did not."""
        enough = len(position.hands[seat - 1]) >= self.book.game.smallest_set
        if position.outcome is not None or not enough or self.book.game.rules.declare:
            return ""
        return self._lines("not-yet", self._values(position, seat))

    def _values(self, position: Position, seat: int | None = None) -> dict[str, object]:
        """The values of a template; each is worked out where a template needs it."""
        return _Values(self, position, seat or position.turn)

    def _run(self, position: Position, seat: int) -> str:
        among = self._link(position, "run-start", "run-sum").among
        return _format_run(self.book.game.run(position.masks[seat - 1], among))

    def _measured(self, position: Position, seat: int, link: Criterion | None) -> object:
        """What a link of the ending compares for a player; without a link, what is counted."""
        found = position.measure(link or self._link(position, "count"), seat)
        return "none" if found is None else found

    def _link(self, position: Position, *measures: Measure) -> Criterion:
        """The link of the ending with one of these measures that decided, or else the first one."""
        links = [position.deciding_link, *self.book.game.rules.ending]
        found = (link for link in links if link is not None and link.measure in measures)
        return next(found, Criterion(measures[0], "higher"))

    def _target(self, position: Position) -> str:
        """The target of the tie-break by distance, if any: the one that decided, or the first."""
        link = self._link(position, "distance")
        if link not in self.book.game.rules.ending:
            return ""
        return str(link.target) if link.exceeding else f"{link.target}, and not more"

    def _why_over(self, position: Position) -> str:
        """The phrase for the end: no numbers left, full hands, both players passed or are stuck."""
        rules = self.book.game.rules
        if not position.available:
            return "exhausted"
        if rules.hand_limit is not None and min(map(len, position.hands)) >= rules.hand_limit:
            return "hands-full"
        if position.is_stuck(position.turn):
            return "stuck" if rules.stuck == "end" else "both-stuck"
        return "both-passed"

    def _announced(self, found: Hand, hand: Hand, pattern: Pattern) -> dict[str, object]:
        """The values that describe the announced set."""
        family = pattern.family
        numbers = hand if self.book.game.rules.in_order else shown_order(pattern, found)
        low, high = numbers[0], numbers[min(1, len(numbers) - 1)]
        step = quotient(high, low) if family == "geometric" else str(high - low)
        return {
            "set": self.book.words.phrases["set-separator"].join(map(str, numbers)),
            "why": why(pattern, numbers, self.book.game.points),
            "holds": "completes" if pattern.is_shared else "holds",
            "equation": _equation(found, hand),
            "length": _in_words(len(numbers)),
            "family": family,
            "Family": family.capitalize(),
            "a-family": ("an " if family[0] in "aeiou" else "a ") + family,
            "step": step,
            "step-name": "ratio" if family == "geometric" else "difference",
        }

    def _numbers(self, numbers: Hand) -> str:
        phrases = self.book.words.phrases
        return phrases["separator"].join(map(str, numbers)) if numbers else phrases["no-numbers"]

    def _line(self, position: Position) -> str:
        marks = {
            number: f"[{marker}]"
            for hand, marker in zip(position.hands, self.book.words.markers, strict=True)
            for number in hand
        }
        return " ".join(marks.get(number, str(number)) for number in self.book.game.pool)

    def _phrase(self, name: str, values: Mapping[str, object]) -> str:
        return fill(self.book.words.phrases[name], values)

    def _lines(self, name: str, values: Mapping[str, object]) -> str:
        return _fill_lines(self.book.words.lines[name], values)


_Value = Callable[[View, Position, int], object]


def _values_of(at: int) -> dict[str, _Value]:
    """The values of templates about one of the players."""
    found: dict[str, _Value] = {
        f"player{at}": lambda view, _position, _seat: view.names[at - 1],
        f"hand{at}": lambda view, position, _seat: view._numbers(position.hands[at - 1]),
        f"run{at}": lambda view, position, _seat: view._run(position, at),
        f"counted{at}": lambda view, position, _seat: view._measured(position, at, None),
    }
    for name, link in _SHOWN.items():
        found[f"{name}{at}"] = partial(_measured, at, link)
    return found


def _measured(at: int, link: Criterion, view: View, position: Position, _seat: int) -> object:
    return view._measured(position, at, link)


_VALUES: dict[str, _Value] = {
    "player": lambda view, _position, seat: view.names[seat - 1],
    "opponent": lambda view, _position, seat: view.names[2 - seat],
    "marker": lambda view, _position, seat: view.book.words.markers[seat - 1],
    "available": lambda view, position, _seat: view._numbers(position.available),
    "hand": lambda view, position, seat: view._numbers(position.hands[seat - 1]),
    "line": lambda view, position, _seat: view._line(position),
    "goal": lambda view, _position, _seat: _in_words(view.book.game.smallest_set),
    "picks": lambda view, position, _seat: view._numbers(position.picks),
    "left": lambda _view, position, _seat: _in_words(position.picks_left),
    "last": lambda view, position, _seat: (
        view.names[position.last_picker - 1] if position.last_picker else ""
    ),
    "target": lambda view, position, _seat: view._target(position),
    "Counted": lambda view, position, _seat: counted(view._link(position, "count")).capitalize(),
    **_values_of(1),
    **_values_of(2),
}


def _fill_lines(lines: tuple[str, ...], values: Mapping[str, object]) -> str:
    return "".join(fill(line, values) + "\n" for line in lines)


def _format_run(run: Hand) -> str:
    """A run as 4-5-6; a single number would look like its length."""
    return f"only {run[0]}" if len(run) == 1 else "-".join(map(str, run)) or "none"


def _in_words(number: int) -> str:
    return count(number).split()[0]


def _equation(numbers: Hand, hand: Hand) -> str:
    """A sum of three as x + y = z, the addends in the order they were taken."""
    for total in numbers:
        addends = [number for number in hand if number in numbers and number != total]
        if sum(addends) == total:
            return " + ".join(map(str, addends)) + f" = {total}"
    return ""
