"""Examples: the judge replays each of them, and everything that is wrong is listed.

A book may hand out numbers after the game is over. So hands and available numbers come from a
``board``, which may belong to a game that goes on without a winner.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ninefold.audit.figures import LOSS, PATTERN, Moves, deciders
from ninefold.audit.finding import ExampleFault, ExampleFinding
from ninefold.books import Book
from ninefold.books.claims import about
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Declare, Move, format_move, parse_moves
from ninefold.core.position import Position
from ninefold.core.text import plural
from ninefold.core.turns import LOSING_SET, Phase
from ninefold.pages.shown import Shown
from ninefold.pages.words import numbers, outcome_words
from ninefold.solver.breadth_first import TooLarge, position_key

Entry: TypeAlias = Mapping[str, Any]  # an example of the book, or a statement in one

# Two hands of seven numbers each can come about by no more positions than this, if the rules do
# not look at the order.
MAX_ORDERS = 20_000


def example_findings(book: Book) -> list[ExampleFinding]:
    """What became of every example of the book that is about its reading."""
    return [Replay(book, item).run() for item in book.examples if about(item, book.reading)]


class Replay:
    """An example in progress: where the judge stands, and what the book says by then."""

    def __init__(self, book: Book, example: Entry) -> None:
        self.game, self.example = book.game, example
        self.first = example.get("first", 1)
        self.position = self.board = book.game.start(self.first)
        self.moves: Moves = ()
        self.after = 0
        self.faults: list[ExampleFault] = []

    def run(self) -> ExampleFinding:
        """The example as the judge sees it, with all its faults."""
        name = self.example["name"]
        try:
            moves = self._listed_moves()
        except TooLarge:
            tried = f"{MAX_ORDERS:,} positions"
            truth = f"no order of picks that leads to them was found among {tried}."
            return ExampleFinding(name, None, None, 0, self._said_hands, truth, self._shown)
        if moves is not None:
            for self.after in range(len(moves) + 1):
                self._check_choices()
                self._check_statements()
                if self.after < len(moves):
                    self._play(moves[self.after])
            self._declare()
            says = self.example.get("says", {})
            for said, truth in _result_faults(self.position, self.board, says):
                self._fault("result", said, truth)
        faults = tuple(self.faults)
        if faults:
            return ExampleFinding(name, False, *faults[0], faults)
        truth = outcome_words(self.position)
        return ExampleFinding(name, True, None, self.after, "", truth, self._shown)

    @property
    def _shown(self) -> Shown:
        return Shown(self.game, self.moves, self.first)

    def _fault(self, kind: str, said: str, truth: str) -> None:
        self.faults.append(ExampleFault(kind, self.after, said, truth, self._shown))

    @property
    def _went_on(self) -> bool:
        """Whether the book went on after the end of the game."""
        return self.board.game is not self.game

    def _listed_moves(self) -> Sequence[Move] | None:
        """The moves; for two hands, any order that leads to them, if possible before the game ends.

        None if the turns do not allow it; raises TooLarge.
        """
        if "moves" in self.example:
            return parse_moves(self.example["moves"])
        one, two = hands = self.example["hands"]
        each_once = len({*one, *two}) == len(one) + len(two)
        can_be_quiet = each_once and not self.game.rules.in_order
        moves = _quiet_order(self.position, hands) if can_be_quiet else None
        truth = "taking turns, the players cannot come to hold them."
        if not moves and self.game.picks.can_stick and can_be_quiet:
            truth = "no order of allowed picks leads to them before the game is over."
        elif not moves:
            moves = _order_as_written(self.position, hands)
        if moves is None:
            self._fault("move", self._said_hands, truth)
        return moves

    @property
    def _said_hands(self) -> str:
        one, two = map(numbers, self.example["hands"])
        return f"the hands are {one} and {two}"

    def _play(self, move: Move) -> None:
        """Play a move of a written list; one that is impossible costs the turn."""
        if self.position.outcome is not None:
            self._go_on(move)
            return
        try:
            if self.position.asking and not self._answers(move):
                self._step(PASS)
            if isinstance(move, int) and self.position.attempt(move) != move:
                barred = "not allowed" if move in self.position.available else "not available"
                truth = f"{move} is {barred}, and choosing it loses the turn."
                self._fault("move", self._said_move(move), truth)
                move = LOST
            self._step(move)
        except NinefoldError as error:
            self._fault("move", self._said_move(move), error.reason)
            if not isinstance(move, Declare) and not self.position.asking:
                self._step(LOST)

    def _go_on(self, move: Move) -> None:
        """Hand out a number although the game is over, which is a fault once."""
        if not self._went_on:
            over = f"the game is over after {plural(self.after, 'move')}: "
            self._fault("move", self._said_move(move), f"{over}{outcome_words(self.position)}.")
            self.board = _without_winner(self.game, self.moves, self.first)
        try:
            self.board = self.board.play(move)
        except NinefoldError as error:
            if isinstance(move, int) and self.board.outcome is None:
                self._fault("move", self._said_move(move), error.reason)

    def _answers(self, move: Move) -> bool:
        own = set(self.position.hands[self.position.turn - 1])
        return move is PASS or (isinstance(move, Declare) and bool(own & set(move.numbers)))

    def _step(self, move: Move) -> None:
        self.position = self.board = self.position.play(move)
        self.moves = (*self.moves, move)

    def _said_move(self, move: Move) -> str:
        if "hands" in self.example:
            one, two = map(numbers, self.example["hands"])
            return f"the hands become {one} and {two} before anybody wins"
        return f"move {self.after + 1} is {format_move(move)}"

    def _check_choices(self) -> None:
        """Each choice the book says is refused must be refused, and cost nothing."""
        for attempt in () if self._went_on else self.example.get("attempts", ()):
            if attempt["after"] != self.after:
                continue
            number = attempt["number"]
            said = f"{number} is refused, and another number chosen instead"
            position = self.position.answered()
            if position.outcome is not None:
                self._fault("choice", said, f"the game is over: {outcome_words(position)}.")
            elif number in position.picks:
                self._fault("choice", said, f"{number} may be chosen.")
            elif position.attempt(number) is LOST:
                self._fault("choice", said, f"choosing {number} loses the turn.")

    def _check_statements(self) -> None:
        for statement in self.example.get("statements", ()):
            if statement["after"] == self.after and not (self._went_on and "turn" in statement):
                # The sets are those of the game, also on a board on which no set wins.
                board = self.board.answered()._replace(game=self.game)
                said, truth = _statement_fault(board, statement)
                if truth is not None:
                    self._fault("statement", said, truth)

    def _declare(self) -> None:
        """Where a win must be declared, declare the one the example announces."""
        announced = self.example.get("says", {}).get("set")
        if announced and Declare(tuple(sorted(announced))) in self.position.legal:
            self._step(Declare(tuple(sorted(announced))))
        elif self.position.asking and not self.position.available:
            self._step(PASS)


def _without_winner(game: Game, moves: Moves, first: int) -> Position:
    """The position after these moves in a game in which no set counts, and no number is barred."""
    asked = game.rules.declare
    rules = game.rules._replace(wins=(), declare=False, misere=False, in_order=False)
    rules = rules._replace(losses=(), restrictions=(), caps=(), row_ends=False)
    position = Game(rules, game.name).start(first)
    for move, before in zip(moves, Shown(game, moves, first).positions, strict=False):
        skipped = isinstance(move, Declare) or (asked and move is PASS and not rules.passing)
        if not skipped and isinstance(position.phase, Phase):
            # A player who was stuck was skipped.
            position = position._replace(phase=position.phase._replace(turn=before.turn)).play(move)
    return position


def _quiet_order(start: Position, hands: Sequence[Sequence[int]]) -> list[int] | None:
    """An order in which all of these numbers are picked; None if there is none; raises TooLarge."""
    seen: set[Hashable] = set()
    stack: list[tuple[Position, tuple[int, ...]]] = [(start, ())]
    while stack:
        if len(seen) > MAX_ORDERS:
            raise TooLarge
        position, picks = stack.pop()
        rest = [[number for number in hand if number not in picks] for hand in hands]
        if not any(rest):
            return [*picks]
        key = position_key(position)
        if position.outcome is None and key not in seen:
            seen.add(key)
            own = [number for number in rest[position.turn - 1] if number in position.picks]
            # The first one is put on top.
            stack += [(position.play(pick).answered(), (*picks, pick)) for pick in reversed(own)]
    return None


def _order_as_written(position: Position, hands: Sequence[Sequence[int]]) -> list[int] | None:
    """The picks made in turn, and then all others; None if it is nobody's turn to make them."""
    left, picks = [[*hand] for hand in hands], list[int]()
    while position.outcome is None and (own := left[position.turn - 1]):
        try:
            position = position.follow(own[0]).answered()
        except NinefoldError:
            return [*picks, *own, *left[2 - position.turn]]
        picks.append(own.pop(0))
    rest = [*left[0], *left[1]]
    return None if rest and position.outcome is None else picks + rest


def _statement_fault(board: Position, said: Entry) -> tuple[str, str | None]:
    """The statement in words, and what is so instead; None if it is true."""
    if "available" in said:
        words = f"available are {numbers(said['available'])}"
        true = tuple(sorted(said["available"])) == board.available
        return words, None if true else f"available are {numbers(board.available)}."
    if "turn" in said:
        words = f"Player {said['turn']} is to move"
        if board.outcome is not None:
            return words, f"the game is over: {outcome_words(board)}."
        return words, None if board.turn == said["turn"] else f"Player {board.turn} is."
    return _about_player(board, said)


def _about_player(board: Position, said: Entry) -> tuple[str, str | None]:
    player = said["player"]
    hand = board.hands[player - 1]
    holds = f"Player {player} holds {numbers(hand) or 'nothing'}"
    if "hand" in said:
        same = tuple(said["hand"]) == hand
        return f"Player {player} holds {numbers(said['hand'])}", None if same else f"{holds}."
    if "threats" in said:
        words = f"Player {player} can win at once with {numbers(said['threats'])}"
        threats = board.threats(player)
        truth = f"it is {numbers(threats) or 'nothing'}."
        return words, None if tuple(sorted(said["threats"])) == threats else truth
    if "could-form" in said:
        words = f"with {said['with']}, Player {player} could form {numbers(said['could-form'])}"
        return words, _why_not(board, said)
    sets = board.sets_of(player)
    if "set" in said:
        words = f"Player {player} holds the set {numbers(said['set'])}"
        return words, None if tuple(sorted(said["set"])) in sets else f"{holds}."
    words = f"Player {player} has no set"
    return words, f"{holds}, and {numbers(sets[0])} is a set." if sets else None


def _why_not(board: Position, said: Entry) -> str | None:
    """Why a number would not give a player this set; None if it would."""
    player, number, wanted = said["player"], said["with"], said["could-form"]
    if number not in board.available:
        return f"{number} is not available."
    picks, bit = board.game.picks, board.game.bits[number]
    if picks.limited_later and not bit & picks.allowed(board.seen_by(player)):
        return f"Player {player} is not allowed to take {number} then."
    for other in wanted:
        if other in board.hands[2 - player]:
            return f"{other} belongs to Player {3 - player}."
        if other != number and other not in board.hands[player - 1]:
            return f"nobody has taken {other} yet."
    hand = (*board.hands[player - 1], number)
    held = board.game.wins.held(board.game.mask(hand), hand, board.hands[2 - player])
    is_set = tuple(sorted(wanted)) in (*board.game.sets, *held)
    return None if is_set else f"{numbers(wanted)} is not a winning set."


def _result_faults(position: Position, board: Position, says: Entry) -> Iterator[tuple[str, str]]:
    """What the example says about the end that is not so, with what is."""
    outcome = position.outcome  # where the judge ended the game
    truth = f"{outcome_words(position)}."
    sums = [sum(map(position.game.rules.points, hand)) for hand in board.hands]
    if says.get("pool-empty") and (left := board.available):
        verb = "is" if len(left) == 1 else "are"
        yield "all numbers have been selected", f"{numbers(left)} {verb} still available."
    decides = outcome is not None and tuple(sorted(says.get("set", ()))) in outcome.sets
    named = says.get("winner", 0)
    # In misère, and if it is a losing set, it is the loser's set that decides.
    loses = position.game.rules.misere or getattr(position.phase, "by", "") == LOSING_SET
    holder = 3 - named if named and loses else named
    missing: list[int] = []
    if "set" in says and holder and not decides:
        hand = board.hands[holder - 1]
        missing = [number for number in says["set"] if number not in hand]
        if missing:
            yield (
                f"Player {holder} forms {numbers(says['set'])}",
                f"{missing[0]} is not among {numbers(hand)}; {truth}",
            )
    if says.get("sums", sums) != sums:
        yield f"the sums are {numbers(says['sums'])}", f"they are {numbers(sums)}."
    winner = (outcome.winner or 0) if outcome else 0
    if says.get("winner", winner) != winner:
        by = f" by {says['reason']}" if "reason" in says else ""
        yield f"Player {says['winner']} wins{by}" if says["winner"] else "nobody wins", truth
    elif "reason" in says and says["reason"] not in _reasons(position):
        yield f"it is decided by {says['reason']}", truth
    elif "set" in says and not decides and not missing:
        yield f"{numbers(says['set'])} decides", truth


def _reasons(position: Position) -> list[str]:
    """What the deciding reason may be called: by its code, or as the book names the pattern."""
    if position.outcome is None:
        return []
    rules = position.game.rules
    of = {PATTERN: rules.wins, LOSS: rules.losses}
    patterns = [of[item.kind][item.at] for item in deciders(position) if item.kind in of]
    return [position.outcome.reason, *(pattern.name for pattern in patterns if pattern.name)]
