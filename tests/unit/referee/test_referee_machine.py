"""A state machine drives the referee with every kind of input, and the judge checks it."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from unit.record.records import settings_of

from ninefold import books
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.referee import Referee
from ninefold.referee.events import (
    FORFEITS,
    Command,
    Ended,
    Event,
    Fact,
    Forfeited,
    Moved,
    Refused,
    TakenBack,
)

TABLES = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]
GARBAGE = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["", "0", "-3", "4.5", "99", "1 2", "pick", "\x00", "9" * 500, "declare", "?"]),
)


def replayed(game: Game, first: int, moves: tuple[Move, ...]) -> Position:
    """The position the judge reaches from the start by these moves alone."""
    position = game.start(first)
    for move in moves:
        position = position.play(move)
    return position


class RefereeMachine(RuleBasedStateMachine):
    """Whatever is sent, the referee stays consistent with the judge and forgets nothing."""

    @initialize(
        table=st.sampled_from(TABLES),
        first=st.sampled_from([1, 2]),
        humans=st.sampled_from([(True, True), (True, False), (False, True), (False, False)]),
        limit=st.sampled_from([None, 10.0]),
        on_timeout=st.sampled_from(["lose", "lose-turn", "random"]),
    )
    def sit_down(
        self,
        table: tuple[str, str],
        first: int,
        humans: tuple[bool, bool],
        limit: float | None,
        on_timeout: str,
    ) -> None:
        """Begin a game."""
        book = books.load_book(*table)
        self.game = book.game
        self.first = first
        self.now = 0.0
        self.facts: list[Fact] = []
        seats = ["human" if human else "program:bot" for human in humans]
        self.tags = settings_of(
            book,
            first=first,
            seat1=seats[0],
            seat2=seats[1],
            time_limit=limit,
            on_timeout=on_timeout,
        )
        self.referee = Referee(self.game, self.tags)
        self.referee.begin_turn(self.now)

    def note(self, events: list[Event]) -> None:
        """Keep the facts, and check that a refusal changes nothing."""
        for event in events:
            if isinstance(event, Fact):
                self.facts.append(event)
        if any(isinstance(event, Refused | Command) for event in events):
            assert len(events) == 1

    @rule(data=st.data(), seat=st.sampled_from([1, 2]))
    def a_number(self, data: st.DataObject, seat: int) -> None:
        """Somebody types a number, usually one of the pool."""
        number = data.draw(st.sampled_from(self.game.pool))
        self.note(self.referee.submit(seat, f"pick {number}", self.now))

    @rule(text=GARBAGE, seat=st.sampled_from([1, 2]))
    def garbage(self, text: str, seat: int) -> None:
        """Somebody types anything at all."""
        self.note(self.referee.submit(seat, text, self.now))

    @rule(data=st.data(), seat=st.sampled_from([1, 2]))
    def a_move_from_a_program(self, data: st.DataObject, seat: int) -> None:
        """A program sends a move: any legal one is taken from the player to act."""
        position = self.referee.position
        moves = position.legal or [self.game.pool[0]]
        move = data.draw(st.sampled_from(moves))
        over, right = self.referee.outcome is not None, seat == position.turn
        events = self.referee.move(seat, move, self.now)
        self.note(events)
        assert isinstance(events[0], Refused if over or not right else Moved)

    @rule(data=st.data(), wild=st.integers(0, 9))
    def an_answer_of_a_program(self, data: st.DataObject, wild: int) -> None:
        """A program whose turn it is answers: it moves, or loses the game by an illegal answer."""
        position, over = self.referee.position, self.referee.outcome is not None
        if self.tags.humans[position.turn - 1]:
            return
        moves = position.legal or [self.game.pool[0]]
        move = data.draw(st.sampled_from(moves)) if wild else 99
        events = self.referee.answer(position.turn, move, self.now)
        self.note(events)
        lost = self.game.rules.invalid == "lose-turn" and not position.asking
        expected = Forfeited if not wild and not lost else Moved
        assert isinstance(events[0], Refused if over else expected)

    @rule(seat=st.sampled_from([1, 2]), reason=st.sampled_from(FORFEITS), sure=st.integers(0, 9))
    def forfeit(self, seat: int, reason: str, sure: int) -> None:
        """Once in a while a program fails; nobody else can lose that way."""
        if sure:
            return
        program = not self.tags.humans[seat - 1]
        right = program and self.referee.outcome is None and self.referee.position.turn == seat
        events = self.referee.forfeit(seat, reason, "why")
        self.note(events)
        assert isinstance(events[0], Forfeited if right else Refused)

    @rule(
        text=st.sampled_from(["help", "board", "rules", "save x", "quit", "undo", "HELP"]),
        seat=st.sampled_from([1, 2]),
    )
    def a_command(self, text: str, seat: int) -> None:
        """Somebody types a command."""
        self.note(self.referee.submit(seat, text, self.now))

    @rule(data=st.data(), honest=st.booleans())
    def a_declaration(self, data: st.DataObject, honest: bool) -> None:
        """Somebody declares, after a pick or in place of one, rightly or wrongly."""
        position = self.referee.position
        sets = position.sets_of(position.turn)
        claim = data.draw(st.sampled_from(sets)) if sets and honest else (1, 2, 4)
        text = "declare " + " ".join(map(str, claim))
        self.note(self.referee.submit(position.turn, text, self.now))

    @precondition(lambda self: self.referee.position.asking)
    @rule(data=st.data(), honest=st.booleans())
    def an_answer(self, data: st.DataObject, honest: bool) -> None:
        """The open question is answered, rightly or wrongly."""
        position = self.referee.position
        sets = position.sets_of(position.turn)
        claim = data.draw(st.sampled_from(sets)) if sets and honest else (1, 2, 4)
        text = data.draw(st.sampled_from(["", "declare " + " ".join(map(str, claim))]))
        self.note(self.referee.submit(position.turn, text, self.now))

    @rule(seat=st.sampled_from([1, 2]))
    def undo(self, seat: int) -> None:
        """Somebody takes a move back."""
        before = self.referee.moves
        events = self.referee.undo(seat, self.now)
        self.note(events)
        if isinstance(events[0], TakenBack):
            assert self.referee.moves == before[: events[0].plies]
            assert len(self.referee.moves) < len(before)
        else:
            assert self.referee.moves == before

    @rule(seconds=st.floats(0, 12))
    def time_passes(self, seconds: float) -> None:
        """The clock is looked at."""
        self.now += seconds
        deadline = self.referee.deadline
        events = self.referee.tick(self.now)
        self.note(events)
        assert bool(events) == (deadline is not None and self.now >= deadline)

    @rule(seat=st.sampled_from([1, 2]), sure=st.integers(0, 9))
    def resign(self, seat: int, sure: int) -> None:
        """Once in a while somebody gives up."""
        if sure == 0:
            self.note(self.referee.resign(seat))

    @invariant()
    def agrees_with_the_judge(self) -> None:
        """The moves that stand lead to the position the referee shows."""
        if hasattr(self, "referee"):
            position = replayed(self.game, self.first, self.referee.moves)
            assert position == self.referee.position
            if position.outcome:
                assert self.referee.outcome == position.outcome

    @invariant()
    def is_rebuilt_by_its_facts(self) -> None:
        """A second referee, told only the facts, ends up in the same place."""
        if not hasattr(self, "referee"):
            return
        other = Referee(self.game, self.tags)
        for fact in self.facts:
            recorded = fact._replace(seat=0) if isinstance(fact, Moved) else fact
            events = other.replay(recorded)
            assert events[0] == fact
            assert other.deadline is None
            assert not any(isinstance(event, Refused) for event in events)
        assert other.moves == self.referee.moves
        assert other.position == self.referee.position
        assert other.outcome == self.referee.outcome

    @invariant()
    def ends_for_good(self) -> None:
        """After the end nothing more happens, and no clock runs."""
        if hasattr(self, "referee") and self.referee.outcome is not None:
            assert self.referee.deadline is None
            assert self.referee.tick(1e9) == []
            events = self.referee.submit(self.referee.position.turn, "1", self.now)
            assert not any(isinstance(event, Moved | Ended) for event in events)


TestReferee = RefereeMachine.TestCase
TestReferee.settings = settings(max_examples=150, stateful_step_count=40)
