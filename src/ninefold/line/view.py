"""The text of line mode: events and positions in the words of the book."""

from collections.abc import Mapping
from typing import TypeAlias

from ninefold.books import Book
from ninefold.books.words import fill
from ninefold.core.moves import PASS, SWAP, Declare
from ninefold.core.outcome import Outcome
from ninefold.core.patterns import quotient
from ninefold.core.position import Position
from ninefold.core.rules import Criterion
from ninefold.referee.events import Moved, Refused

Values: TypeAlias = Mapping[str, object]
_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()


class View:
    """The text of one book for two named players; every method returns text to show."""

    def __init__(self, book: Book, names: tuple[str, str], humans: tuple[bool, bool]) -> None:
        self.book = book
        self.names = names
        self.humans = humans

    def opening(self, position: Position) -> str:
        """The text before the first turn, and before the turn after an undo."""
        return self._lines("opening", self._values(position))

    def between(self, position: Position) -> str:
        """The text between two turns."""
        return self._lines("between", self._values(position))

    def turn(self, position: Position) -> str:
        """The text before a player is asked for a number."""
        if position.asking:
            return ""
        name = "computer-turn" if self._is_impersonal(position) else "turn"
        return self._lines(name, self._values(position)) + self._choices(position)

    def _choices(self, position: Position) -> str:
        """What else a person may do, besides taking any number."""
        rules, names = self.book.game.rules, list[str]()
        if position.picks != position.available:
            names.append("first-number")
        names += ["may-pass"] * rules.passing + ["may-swap"] * position.may_swap
        if not self.humans[position.turn - 1]:
            return ""
        return "".join(self._phrase(name, self._values(position)) + "\n" for name in names)

    def prompt(self, position: Position) -> str:
        """The prompt, without a line break and with its trailing space."""
        more = position.picked > 0
        name = "question" if position.asking else "next-prompt" if more else "prompt"
        return self._phrase(name, self._values(position))

    def answered(self, position: Position, text: str) -> str:
        """The prompt and its answer, unless the book does not show them for a computer."""
        return "" if self._is_impersonal(position) else self.prompt(position) + text + "\n"

    def retry(self, position: Position) -> str:
        """The text between a refusal and the next prompt."""
        return self._lines("retry", self._values(position))

    def board(self, position: Position) -> str:
        """The whole board, on request."""
        return self._lines("board", self._values(position))

    def moved(self, event: Moved, position: Position, asked: bool = False) -> str:
        """The text after a move; if it ended the game, ``ended`` follows.

        ``asked`` means that the move answered a question.
        """
        values = self._values(position, event.seat) | self._chosen(event)
        late = event.cause == "timeout"
        if event.move is SWAP or (event.move is PASS and not asked and self._may_pass()):
            return self._lines("swapped" if event.move is SWAP else "passed", values)
        if event.move is PASS or isinstance(event.move, Declare):
            return self._phrase("time-up", values) + "\n" if late else ""
        if isinstance(event.move, int):
            drawn = self._phrase("time-up", values) + " " + self._phrase("drawn-for", values)
            shown = drawn + "\n" if late else ""
            return shown + self._lines("moved", values) + self._not_yet(event.seat, position)
        if event.tried is not None:
            return self._lines("lost-choice", values)
        time_up = self._phrase("time-up", values) + "\n" if late else ""
        return time_up + self._lines("lost-turn", values)

    def refused(self, event: Refused, position: Position) -> str:
        """One line: what is wrong, and what to type instead."""
        values = self._values(position, event.seat)
        error = event.error
        values |= {"number": error.number, "reason": error.reason}
        phrase = {"taken": "taken", "not-in-pool": "outside"}.get(error.code)
        if phrase:
            values |= {"reason": self._phrase(phrase, values)}
        values |= {"available": values["picks"]}
        values |= {"advice": self._phrase("advice", values)}
        if error.code == "bad-command":
            return f"{error.reason}\n"
        return self._phrase("wrong-claim" if position.asking else "refused", values) + "\n"

    def ended(self, outcome: Outcome, position: Position) -> str:
        """How the game ended, and who won it."""
        words = self.book.words
        seat = self._holder(outcome) or position.turn
        values = self._values(position, seat) | self._result(outcome, position)
        values["victory"] = fill(words.phrases["victory"], values)
        if outcome.reason in words.ended:
            return _fill_lines(words.ended[outcome.reason], values)
        return self._lines("lost" if self.book.game.rules.misere else "won", values)

    def _may_pass(self) -> bool:
        return self.book.game.rules.passing

    def _holder(self, outcome: Outcome) -> int | None:
        """The player whose set decided the game; without a set, the winner."""
        if outcome.winner and outcome.sets and self.book.game.rules.misere:
            return 3 - outcome.winner
        return outcome.winner

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

    def _chosen(self, event: Moved) -> dict[str, object]:
        number = event.move if isinstance(event.move, int) else event.tried
        values: dict[str, object] = {"number": number}
        in_pool = number in self.book.game.bits
        return values | {"taken": self._phrase("taken" if in_pool else "outside", values)}

    def _values(self, position: Position, seat: int | None = None) -> dict[str, object]:
        seat = seat or position.turn
        one, two = position.hands
        values: dict[str, object] = {
            "player": self.names[seat - 1],
            "opponent": self.names[2 - seat],
            "marker": self.book.words.markers[seat - 1],
            "available": self._numbers(position.available),
            "hand": self._numbers(position.hands[seat - 1]),
            "line": self._line(position),
            "player1": self.names[0],
            "player2": self.names[1],
            "hand1": self._numbers(one),
            "hand2": self._numbers(two),
            "goal": _in_words(self.book.game.smallest_set),
            "picks": self._numbers(position.picks),
            "left": _in_words(position.picks_left),
            "last": self.names[position.last_picker - 1] if position.last_picker else "",
            "sum1": sum(one),
            "sum2": sum(two),
            "run1": self._run(position, 1),
            "run2": self._run(position, 2),
            "target": self._target,
        }
        for at, hand in enumerate(position.hands, 1):
            values[f"count{at}"] = len(hand)
            values[f"highest{at}"] = max(hand, default="none")
            values[f"lowest{at}"] = min(hand, default="none")
        return values

    @property
    def _target(self) -> str:
        """The target of the first tie-break by distance, if any."""
        links = self.book.game.rules.ending
        return next((_target_of(link) for link in links if link.measure == "distance"), "")

    def _result(self, outcome: Outcome, position: Position) -> dict[str, object]:
        """The placeholders that make sense only at the end."""
        phrases = self.book.words.phrases
        values: dict[str, object] = {"exhausted": phrases[self._why_over(position)]}
        if outcome.winner:
            values |= {
                "winner": self.names[outcome.winner - 1],
                "loser": self.names[2 - outcome.winner],
            }
            values |= self._announced(outcome, position.hands[(self._holder(outcome) or 1) - 1])
        if outcome.reason == "distance":
            values["target"] = _target(position)
        return values

    def _why_over(self, position: Position) -> str:
        """The phrase for the end: no numbers left, both hands full, or both players passed."""
        limit = self.book.game.rules.hand_limit
        if not position.available:
            return "exhausted"
        full = limit is not None and all(len(hand) >= limit for hand in position.hands)
        return "hands-full" if full else "both-passed"

    def _announced(self, outcome: Outcome, hand: tuple[int, ...]) -> dict[str, object]:
        """The values that describe the announced set."""
        if not outcome.sets:
            return {}
        from ninefold.books.families import shown_order, why

        pattern = self.book.game.pattern(outcome.sets[0], hand)
        family, numbers = pattern.family, shown_order(pattern, outcome.sets[0])
        if self.book.game.rules.in_order:
            numbers = hand
        low, high = numbers[0], numbers[min(1, len(numbers) - 1)]
        step = quotient(high, low) if family == "geometric" else str(high - low)
        return {
            "set": self.book.words.phrases["set-separator"].join(map(str, numbers)),
            "why": why(pattern, numbers),
            "equation": _equation(outcome.sets[0], hand),
            "length": _in_words(len(numbers)),
            "family": family,
            "Family": family.capitalize(),
            "a-family": ("an " if family[0] in "aeiou" else "a ") + family,
            "step": step,
            "step-name": "ratio" if family == "geometric" else "difference",
        }

    def _numbers(self, numbers: tuple[int, ...]) -> str:
        phrases = self.book.words.phrases
        return phrases["separator"].join(map(str, numbers)) if numbers else phrases["no-numbers"]

    def _line(self, position: Position) -> str:
        marks = {
            number: f"[{marker}]"
            for hand, marker in zip(position.hands, self.book.words.markers, strict=True)
            for number in hand
        }
        return " ".join(marks.get(number, str(number)) for number in self.book.game.pool)

    def _run(self, position: Position, seat: int) -> str:
        game = self.book.game
        length, start = game.longest_run(position.masks[seat - 1])
        if start is None:
            return "none"
        at = game.pool.index(start)
        return "-".join(map(str, game.pool[at : at + length]))

    def _phrase(self, name: str, values: Values) -> str:
        return fill(self.book.words.phrases[name], values)

    def _lines(self, name: str, values: Values) -> str:
        return _fill_lines(self.book.words.lines[name], values)


def _fill_lines(lines: tuple[str, ...], values: Values) -> str:
    return "".join(fill(line, values) + "\n" for line in lines)


def _target(position: Position) -> str:
    """The target of the tie-break that decided."""
    links = (link for link in position.game.rules.ending if link.measure == "distance")
    link = next(link for link in links if position.measure(link, 1) != position.measure(link, 2))
    return _target_of(link)


def _target_of(link: Criterion) -> str:
    return str(link.target) if link.exceeding else f"{link.target}, and not more"


def _in_words(count: int) -> str:
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


def _equation(numbers: tuple[int, ...], hand: tuple[int, ...]) -> str:
    """A sum of three as x + y = z, the addends in the order they were taken."""
    for total in numbers:
        addends = [number for number in hand if number in numbers and number != total]
        if sum(addends) == total:
            return " + ".join(map(str, addends)) + f" = {total}"
    return ""
