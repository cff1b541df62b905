"""The screen of a game: events and positions in the words of the book, shown on a console."""

from collections.abc import Mapping

from ninefold.books import Book
from ninefold.books.families import count, counted, shown_order, why
from ninefold.books.words import fill
from ninefold.core.moves import PASS, SWAP, Declare, format_move
from ninefold.core.outcome import Outcome
from ninefold.core.patterns import Pattern, quotient
from ninefold.core.position import Hand, Position
from ninefold.core.rules import Criterion, Measure
from ninefold.core.text import shorten
from ninefold.line.console import Console, paint
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
        name = "computer-turn" if self._is_impersonal(position) else "turn"
        text = self.text(name, position)
        if position.picks != position.available and self.humans[position.turn - 1]:
            text += self._phrase("first-number", self._values(position)) + "\n"
        return text + self.choices(position)

    def hands(self, shown: str, position: Position) -> str:
        """The whole board, unless hands are in the text just shown or in that of each turn."""
        lines = self.book.words.lines
        words = " ".join((*lines[shown], *lines["turn"]))
        return "" if "{hand" in words or "{line}" in words else self.text("board", position)

    def choices(self, position: Position) -> str:
        """What else a person may do, besides taking a number."""
        if position.asking or not self.humans[position.turn - 1]:
            return ""
        may = (("may-pass", PASS), ("may-swap", SWAP))
        names = [name for name, move in may if move in position.legal]
        return "".join(self._phrase(name, self._values(position)) + "\n" for name in names)

    def prompt(self, position: Position) -> str:
        """The prompt, without a line break and with its trailing space."""
        more = position.picked > 0
        name = "question" if position.asking else "next-prompt" if more else "prompt"
        return self._phrase(name, self._values(position))

    def moved(self, event: Moved, position: Position, asked: bool = False) -> str:
        """The text after a move; ``asked`` means that it answered a question."""
        move = event.move
        number = move if isinstance(move, int) else event.tried
        taken = "taken" if number in self.book.game.bits else "outside"
        values = self._values(position, event.seat)
        values |= {"number": number, "taken": self._phrase(taken, {"number": number})}
        late, time_up = event.cause == "timeout", self._phrase("time-up", values)
        if move is SWAP:
            return self._lines("swapped", values) + self.hands("swapped", position)
        if move is PASS and not asked and self.book.game.rules.passing:
            return self._lines("passed", values)
        if isinstance(move, int):
            drawn = f"{time_up} {self._phrase('drawn-for', values)}\n" if late else ""
            return drawn + self._lines("moved", values) + self._not_yet(event.seat, position)
        if event.tried is not None:
            return self._lines("lost-choice", values)
        is_answer = move is PASS or isinstance(move, Declare)
        lost = "" if is_answer else self._lines("lost-turn", values)
        return f"{time_up}\n{lost}" if late else lost

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
        values["exhausted"] = words.phrases[self._why_over(position)]
        if winner:
            values["winner"], values["loser"] = self.names[winner - 1], self.names[2 - winner]
        if holder and sets:
            hand = position.hands[holder - 1]
            values |= self._announced(sets[0], hand, self.book.game.deciding_pattern(position))
        values["victory"] = self._phrase("victory", values)
        usual = words.lines["lost" if lost else "won"]
        return _fill_lines(words.ended.get(outcome.reason, usual), values)

    def _is_impersonal(self, position: Position) -> bool:
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
        seat = seat or position.turn
        counting = self._link(position, "count")
        values: dict[str, object] = {
            "player": self.names[seat - 1],
            "opponent": self.names[2 - seat],
            "marker": self.book.words.markers[seat - 1],
            "available": self._numbers(position.available),
            "hand": self._numbers(position.hands[seat - 1]),
            "line": self._line(position),
            "goal": _in_words(self.book.game.smallest_set),
            "picks": self._numbers(position.picks),
            "left": _in_words(position.picks_left),
            "last": self.names[position.last_picker - 1] if position.last_picker else "",
            "target": self._target(position),
            "Counted": counted(counting).capitalize(),
        }
        links = {**_SHOWN, "counted": counting}
        among = self._link(position, "run-start", "run-sum").among
        for at, hand in enumerate(position.hands, 1):
            run = self.book.game.run(position.masks[at - 1], among)
            measured = {name: position.measure(link, at) for name, link in links.items()}
            values |= {
                f"player{at}": self.names[at - 1],
                f"hand{at}": self._numbers(hand),
                f"run{at}": "-".join(map(str, run)) or "none",
                **{f"{name}{at}": "none" if one is None else one for name, one in measured.items()},
            }
        return values

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
        picks, limit = self.book.game.picks, self.book.game.rules.hand_limit
        if not position.available:
            return "exhausted"
        if limit is not None and all(len(hand) >= limit for hand in position.hands):
            return "hands-full"
        stuck = picks.can_stick and not picks.allowed(position.seen_by(position.turn))
        return "both-passed" if position.passed and not stuck else "stuck"

    def _announced(self, found: Hand, hand: Hand, pattern: Pattern) -> dict[str, object]:
        """The values that describe the announced set."""
        family = pattern.family
        numbers = hand if self.book.game.rules.in_order else shown_order(pattern, found)
        low, high = numbers[0], numbers[min(1, len(numbers) - 1)]
        step = quotient(high, low) if family == "geometric" else str(high - low)
        return {
            "set": self.book.words.phrases["set-separator"].join(map(str, numbers)),
            "why": why(pattern, numbers),
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


class Screen(View):
    """Shows one game on a console; a live game and a replay look the same."""

    def __init__(
        self, console: Console, book: Book, names: tuple[str, str], humans: tuple[bool, bool]
    ) -> None:
        super().__init__(book, names, humans)
        self.console = console

    def show(self, text: str, style: str | None = None) -> None:
        """Show text unchanged except for colour, also of both players' markers in brackets."""
        markers = self.book.words.markers
        if self.console.coloured and markers != ("1", "2"):
            for marker, colour in zip(markers, ("one", "two"), strict=True):
                text = text.replace(f"[{marker}]", paint(f"[{marker}]", colour))
        if text:
            self.console.show(text, style)

    def opening(self, position: Position) -> None:
        """The start of a game and its first turn."""
        self.show(self.text("opening", position) + self.turn(position))

    def resumed(self, position: Position, over: bool) -> None:
        """The board of a resumed game, and whose turn it is unless it is over."""
        self.show(self.text("board", position))
        if not over:
            self._turn(position)

    def typed(self, position: Position, event: Event) -> None:
        """The prompt and the answer that caused this event, unless the book hides a computer's."""
        if not self._is_impersonal(position):
            text = _answer_of(event)
            text = "" if position.asking and text == "pass" else text
            self.show(f"{self.prompt(position)}{text}\n")

    def event(self, event: Event, referee: Referee) -> None:
        """Show an event; the front end answers commands itself."""
        position = referee.position
        if isinstance(event, Moved):
            self.show(self.moved(event, position, referee.was_asked))
        elif isinstance(event, Forfeited):
            detail = shorten(" ".join(event.detail.split()), MAX_DETAIL)
            program = self.names[event.seat - 1]
            self.show(f"{program}: {detail}\n" if detail else "", "refusal")
        elif isinstance(event, Ended):
            self.show(self.ended(event.outcome, position), "win")
        elif isinstance(event, Refused):
            refusal = self.refused(event, position) + self.choices(position)
            self.show(refusal, "refusal")
            self.show(self.text("retry", position))
        elif isinstance(event, TakenBack):
            again = f"Undone: {self.names[position.turn - 1]} chooses again.\n"
            begun = any(position.hands)
            shown = self.hands("between", position) if begun else self.text("opening", position)
            self.show(again + shown)

    def next_turn(self, before: Position, referee: Referee) -> None:
        """The next turn, if the last event led to one."""
        after = referee.position
        if referee.outcome is None and after is not before and not after.asking:
            self._turn(after)

    def _turn(self, position: Position) -> None:
        self.show(self.text("between", position) + self.turn(position))


def _answer_of(event: Event) -> str:
    """What a player typed to cause this event; nothing if the clock did."""
    if isinstance(event, Moved) and event.cause != "timeout":
        if isinstance(event.move, Declare):
            return "declare " + " ".join(map(str, event.move.numbers))
        return format_move(event.move) if event.tried is None else str(event.tried)
    if isinstance(event, TakenBack):
        return "undo"
    resigned = isinstance(event, Forfeited) and event.reason == "resignation"
    return "resign" if resigned else ""


def _fill_lines(lines: tuple[str, ...], values: Mapping[str, object]) -> str:
    return "".join(fill(line, values) + "\n" for line in lines)


def _in_words(number: int) -> str:
    return count(number).split()[0]


def _equation(numbers: Hand, hand: Hand) -> str:
    """A sum of three as x + y = z, the addends in the order they were taken."""
    for total in numbers:
        addends = [number for number in hand if number in numbers and number != total]
        if sum(addends) == total:
            return " + ".join(map(str, addends)) + f" = {total}"
    return ""
