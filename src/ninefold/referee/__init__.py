"""The referee of one game in progress: it takes inputs and returns events, without any I/O."""

from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Move, declare
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position, as_seat
from ninefold.core.rules import TIMEOUT_POLICIES
from ninefold.players import NoMove, Player, PlayStopped, is_outside
from ninefold.referee.clock import Clock
from ninefold.referee.events import (
    FORFEITS,
    Cause,
    Command,
    Ended,
    Event,
    Fact,
    Forfeited,
    Moved,
    Refused,
    SetAside,
    TakenBack,
)
from ninefold.referee.parse import parse_input
from ninefold.referee.settings import GameSettings

# Three turns each without any action: nobody is playing.
MAX_LAPSES = 6


class Referee:
    """One game in progress. Every method that takes an input returns the events it caused."""

    def __init__(self, game: Game, settings: GameSettings) -> None:
        if settings.on_timeout not in TIMEOUT_POLICIES:
            expected = f"on_timeout must be one of {TIMEOUT_POLICIES}"
            raise ValueError(f"{expected}, not {settings.on_timeout!r}")
        self.game = game
        self.settings = settings
        self.humans = settings.humans
        self.clock = Clock(settings)
        self.outcome: Outcome | None = None
        self._history = [game.start(settings.first)]
        self._made: list[Moved] = []
        self._lapses = 0

    @property
    def position(self) -> Position:
        """The position now."""
        return self._history[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position from the start to now."""
        return tuple(self._history)

    @property
    def deadline(self) -> float | None:
        """When the player to act runs out of time; None while no clock runs."""
        return self.clock.deadline

    @property
    def was_asked(self) -> bool:
        """Whether the last move answered a question."""
        return len(self._history) > 1 and self._history[-2].asking

    @property
    def plies(self) -> int:
        """How many moves have been made and not undone."""
        return len(self._made)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that have been made and not undone."""
        return tuple(fact.move for fact in self._made)

    @property
    def made(self) -> tuple[Moved, ...]:
        """The same moves as facts: who made each, and why."""
        return tuple(self._made)

    def begin_turn(self, now: float) -> None:
        """Start the clock of the player to act, if it is a person and there is a limit."""
        self.clock.begin(self.position.turn, now)

    def submit(self, seat: int, text: str, now: float) -> list[Event]:
        """A player types a line."""
        if expired := self.tick(now):
            return expired
        try:
            given = parse_input(text, self.position.asking)
        except NinefoldError as error:
            return [Refused(seat, error)]
        if isinstance(given, Command):
            if given.name == "undo":
                return self.undo(seat, now)
            return self.resign(seat) if given.name == "resign" else [given]
        if isinstance(given, int):
            alone = declare((given,))  # a set may be a single number
            if self.position.asking and alone in self.position.legal:
                return self.move(seat, alone, now)
        return self.choose(seat, given, now)

    def move(self, seat: int, move: Move, now: float) -> list[Event]:
        """A player makes a move."""
        if self.outcome is not None:
            return [_game_over(seat)]
        if seat != self.position.turn:
            return [Refused(seat, Illegal("not-your-turn", "It is not your turn."))]
        if move is LOST and not self.game.turns.is_endless:
            return [Refused(seat, Illegal("no-pass", "A turn cannot be given away."))]
        try:
            return self._make(move, "chosen", now)
        except NinefoldError as error:
            return [Refused(seat, error)]

    def answer(self, seat: int, decision: Move | NoMove, now: float) -> list[Event]:
        """A computer player answers: judged like any choice, but a program has no second try."""
        if isinstance(decision, NoMove):
            if decision.code == "resign":
                return self.resign(seat)
            return self.forfeit(seat, decision.code, decision.reason)
        events = self.choose(seat, decision, now)
        if isinstance(events[0], Refused) and self._may_forfeit(seat):
            return self.forfeit(seat, "illegal-answer", events[0].error.reason)
        return events

    def forfeit(self, seat: int, reason: str, detail: str = "") -> list[Event]:
        """The program to move makes no valid move and loses; ``reason`` is one of the FORFEITS."""
        if reason not in FORFEITS:
            raise ValueError(f"reason must be one of {FORFEITS}, not {reason!r}")
        if self.outcome is None and not self._may_forfeit(seat):
            return [Refused(seat, Illegal("no-forfeit", "no program is to move"))]
        return self._lose(seat, reason, detail)

    def tick(self, now: float) -> list[Event]:
        """Check the clock: a player who ran out of time pays the price."""
        if self.outcome is not None or not self.clock.is_over(now):
            return []
        if self.clock.is_out_of_game_time:
            return self._lose(self.position.turn, "timeout")
        return self._lapse(now)

    def resign(self, seat: int) -> list[Event]:
        """Player 1 or 2 gives up."""
        return self._lose(as_seat(seat), "resignation")

    def undo(self, seat: int, now: float, *, apart: bool = False) -> list[Event]:
        """Take back the last move; against a computer, back to this player's previous turn.

        So it is between two people who play ``apart``, not side by side at one screen.
        """
        if self.outcome is not None:
            return [_game_over(seat)]
        if not self.humans[seat - 1]:
            return [Refused(seat, Illegal("computer", "A computer cannot undo."))]
        plies = self._plies_after_undo(seat, apart)
        if plies is None:
            return [Refused(seat, Illegal("nothing-to-undo", "There is no move to undo."))]
        return [self._take_back(plies, now)]

    def can_undo(self, seat: int, *, apart: bool = False) -> bool:
        """Whether there is a move that this player could take back."""
        return self._plies_after_undo(seat, apart) is not None

    def _plies_after_undo(self, seat: int, apart: bool) -> int | None:
        """How many moves are left after an undo of this player; None if there is none to undo."""
        chooser = None if not apart and all(self.humans) else seat
        history = self._history
        for plies in range(len(history) - 2, -1, -1):
            if can_choose_again(history[plies], chooser):
                return plies
        return None

    def replay(self, fact: Fact, at: float | None = None) -> list[Event]:
        """Judge a recorded fact again; raises Illegal if it cannot have happened.

        If it is known when it happened, the clock is judged again, too; otherwise the clock is
        stopped, and shows what the fact says is left.
        """
        if self.outcome is not None:
            raise Illegal("game-over", "the game was already over")
        if at is not None:
            self._check_time(fact, at)
        events = self._replay(fact, at)
        if isinstance(events[0], Refused):
            raise events[0].error
        # Nothing else can have happened than what the rules lead to, by the player they say.
        if isinstance(fact, Moved) and isinstance(events[0], Moved):
            fact = fact._replace(seat=events[0].seat)
            if at is None and fact.left is not None and events[0].left is not None:
                self.clock.correct(fact.seat, fact.left)
                events[0] = self._made[-1] = events[0]._replace(left=fact.left)
            if at is None:
                fact = fact._replace(left=events[0].left)
        if events[0] != fact:
            raise Illegal("not-so", "the rules lead to something else")
        if at is None:
            self._lapses = 0
            self.clock.stop()
        return events

    def _check_time(self, fact: Fact, at: float) -> None:
        """Refuse a fact at this time if the clock had run out, or had not; raises Illegal."""
        is_lapse = isinstance(fact, Moved) and fact.cause == "timeout"
        is_lapse = is_lapse or (isinstance(fact, Forfeited) and fact.reason == "timeout")
        if is_lapse != self.clock.is_over(at):
            reason = "the clock had not run out" if is_lapse else "the clock had run out"
            raise Illegal("not-in-time", reason)

    def _replay(self, fact: Fact, at: float | None) -> list[Event]:
        """What follows from a player's choice, or from an unavailable number or the clock."""
        turn, now = self.position.turn, at or 0.0
        if isinstance(fact, TakenBack):
            before = self._history[fact.plies] if 0 <= fact.plies < self.plies else None
            if before is None or before.asking or not self.humans[before.turn - 1]:
                reason = f"nobody can have undone back to move {fact.plies + 1}"
                raise Illegal("nothing-to-undo", reason)
            return [self._take_back(fact.plies, now)]
        if isinstance(fact, Moved) and fact.cause == "chosen":
            return self.move(turn, fact.move, now)
        if isinstance(fact, Moved) and fact.tried is not None:
            return self.choose(turn, fact.tried, now)
        if isinstance(fact, Forfeited) and fact.reason == "resignation":
            return self.resign(fact.seat)
        if isinstance(fact, Forfeited) and fact.reason != "timeout":
            return self.forfeit(*fact)
        if at is not None:
            return self.tick(at)
        by_game_clock = self.settings.game_time is not None and isinstance(fact, Forfeited)
        if not self.humans[turn - 1] or not (by_game_clock or self.settings.time_limit):
            raise Illegal("no-clock", "there is no time limit for this player")
        return self._lose(turn, "timeout") if by_game_clock else self._lapse(now)

    def _lapse(self, now: float) -> list[Event]:
        """The player to act ran out of time for this turn, and pays the price."""
        position = self.position
        if self.settings.on_timeout == "lose":
            return self._lose(position.turn, "timeout")
        move: Move = PASS if position.asking else LOST
        if self.settings.on_timeout == "random" and not position.asking:
            move = self.settings.chance.draw(position.picks, self.plies)
        return self._make(move, "timeout", now)

    def _may_forfeit(self, seat: int) -> bool:
        on_turn = self.outcome is None and seat == self.position.turn
        return on_turn and is_outside(self.settings.seats[seat - 1])

    def choose(self, seat: int, chosen: Move, now: float) -> list[Event]:
        """A player makes a move, or loses the turn by choosing an unavailable number."""
        if expired := self.tick(now):
            return expired
        if type(chosen) is int and self._costs_turn(seat, chosen):
            return self._make(LOST, "invalid", now, chosen)
        return self.move(seat, chosen, now)

    def _costs_turn(self, seat: int, chosen: int) -> bool:
        """Whether this player loses the turn by choosing this number."""
        on_turn = self.outcome is None and seat == self.position.turn
        return on_turn and self.position.attempt(chosen) is LOST

    def _make(self, move: Move, cause: Cause, now: float, tried: int | None = None) -> list[Event]:
        position = self._history[-1]
        seat, after = position.turn, position.play(move)
        turn, is_over = after.turn, after.outcome is not None
        goes_on = turn == seat and (after.picked > 0 or after.asking)
        left = self.clock.moved(seat, not is_over and not goes_on, now)
        made = Moved(seat, move, cause, tried, left)
        self._history.append(after)
        self._made.append(made)
        if move is not PASS:
            # Two programs that give their turns away forever are not playing either.
            idle = cause == "timeout" or (move is LOST and not self.humans[seat - 1])
            self._lapses = self._lapses + 1 if idle else 0
        events: list[Event] = [made]
        self.clock.begin(turn, now)
        if after.outcome is not None:
            events.append(self._end(after.outcome))
        elif self._lapses >= MAX_LAPSES:
            events.append(SetAside(self._lapses))
            self.clock.stop()
        return events

    def _lose(self, seat: int, reason: str, detail: str = "") -> list[Event]:
        if self.outcome is not None:
            return [_game_over(seat)]
        return [Forfeited(seat, reason, detail), self._end(Outcome(3 - seat, reason))]

    def _end(self, outcome: Outcome) -> Ended:
        self.outcome = outcome
        self.clock.stop()
        return Ended(outcome)

    def _take_back(self, plies: int, now: float) -> TakenBack:
        del self._history[plies + 1 :], self._made[plies:]
        self._lapses = 0
        self.clock.take_back(plies)
        self.begin_turn(now)
        return TakenBack(plies)


def decide(referee: Referee, player: Player) -> Move | NoMove:
    """The move of the computer player to act, or why it makes none; changes nothing.

    Raises PlayStopped if the game cannot go on now, for which nobody may lose it.
    """
    settings = referee.settings
    try:
        player.follow(settings.first, referee.moves)
        return player.choose(referee.position, referee.plies, settings.chance)
    except NoMove as failure:
        return failure
    except PlayStopped:
        raise
    except Exception as error:
        if not is_outside(settings.seats[referee.position.turn - 1]):
            raise
        from ninefold.players.python import failure_of

        return failure_of(error)


def take_turn(referee: Referee, player: Player, now: float) -> list[Event]:
    """Let the computer player to act move, resign or forfeit the game; the events it caused."""
    return referee.answer(referee.position.turn, decide(referee, player), now)


def can_choose_again(position: Position, seat: int | None) -> bool:
    """Whether an undo of this player can lead back here; None for two people side by side.

    The answer to a question goes with the number that was asked about.
    """
    return seat in (None, position.turn) and not position.asking


def _game_over(seat: int) -> Refused:
    return Refused(seat, Illegal("game-over", "The game is over."))
