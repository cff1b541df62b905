"""A program that is being checked: what it is sent, what it answers, and what is wrong."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeAlias

from ninefold.books.rules import format_game
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move, parse_move
from ninefold.core.position import Position
from ninefold.players.process import Closed, Flooded, Late, Process, quote
from ninefold.players.program import COLOURS, Response, parse_response, response_length

# How many of the latest commands a failure quotes.
QUOTED = 12
# How often it may fail to respond before the rest is skipped.
MAX_SILENCE = 3
ONLY_ANSWER = "Write only responses to standard output; use standard error for everything else."
REMEMBER = "Remember every number that play and genmove have taken, and choose among the others."


class Failed(Exception):
    """What the program gets wrong: what was sent, received and expected, and how to fix it."""


class Skipped(Exception):
    """A check that does not apply, and why."""


class CheckedProgram:
    """The program, started when needed and again after a failure; every wait has a limit."""

    def __init__(self, arguments: Sequence[str], games: Sequence[Game], seconds: float) -> None:
        self._arguments = arguments
        self.games = games
        self.game: Game | None = None  # the first that it accepted
        self._told: Game | None = None
        self.seconds = seconds
        self._end = monotonic() + 30 * seconds
        self._process: Process | None = None
        self.log: list[str] = []  # what was sent in this check
        self.silences = 0

    def ask(self, command: str) -> Response:
        """The response to one command without an id; raises Failed if there is none."""
        if command == "clear_board":
            self.log = self.log[-1:]
        self.send(command)
        reply = self.read()
        self.refuse_more()
        return reply

    def must(self, command: str, advice: str) -> str:
        """The text of a response that must be a success; raises Failed."""
        reply = self.ask(command)
        if not reply.ok:
            raise self.failure(str(reply), "a success: =", advice)
        return reply.text

    def must_say(self, command: str, text: str, advice: str) -> None:
        """Send a command that must be answered with this text; raises Failed."""
        said = self.must(command, advice)
        if said.casefold() != text:
            raise self.failure(f"= {said}", f"= {text}", advice)

    def must_refuse(self, command: str, expected: str, advice: str) -> None:
        """Send a command that must be refused with a question mark; raises Failed."""
        reply = self.ask(command)
        if reply.ok:
            raise self.failure(str(reply), expected, advice)

    def send(self, text: str) -> None:
        """Send one or more lines."""
        if self.silences >= MAX_SILENCE:
            raise Skipped(f"it has failed to respond {MAX_SILENCE} times")
        if monotonic() > self._end:
            raise Skipped("it is too slow to finish the check")
        self.refuse_more()
        self.log.append(text)
        self._running().send(text.encode() + b"\n")

    def read(self) -> Response:
        """The next response; raises Failed if there is none."""
        try:
            data = self._running().read(response_length, monotonic() + self.seconds)
        except (Late, Closed, Flooded) as trouble:
            self.silences += 1
            raise self._no_reply(trouble) from None
        response = parse_response(data)
        if response is None:
            self.silences += 1
            raise self.failure(quote(data), "a response, which starts with = or ?", ONLY_ANSWER)
        return response

    def refuse_more(self) -> None:
        """Raise Failed if there is output that belongs to no command."""
        output = self._running().output
        if output.strip():
            received = f"{quote(output)}, unexpected output"
            expected = "one response per command, and nothing else"
            raise self.failure(received, expected, ONLY_ANSWER)

    def watch(self, seconds: float) -> None:
        """Watch this long for unexpected output; raises Failed if there is any."""
        process = self._running()
        try:
            process.output = process.read(lambda output: len(output.strip()), monotonic() + seconds)
        except Late:
            return
        except Closed as trouble:
            raise self._no_reply(trouble) from None
        self.refuse_more()

    def leave(self) -> int | None:
        """Wait for the program to exit on its own; its exit code, None if it does not."""
        process = self._running()
        ended = process.wait_for_end(self.seconds)
        self.stop()
        return process.stop() if ended else None

    def close_input(self) -> None:
        """Close the program's input."""
        self._running().close_input()

    def stop(self) -> None:
        """Stop the program if it is running; the next check starts a new one."""
        if self._process is not None:
            self._process.stop()
        self._process = self._told = None

    def failure(self, received: str, expected: str, advice: str) -> Failed:
        """A failure on the last commands."""
        return Failed("; ".join(self.log[-QUOTED:]), received, expected, advice)

    def commands(self) -> list[str]:
        """The commands the program says it knows."""
        advice = "Answer with the names of all commands, one per line."
        return self.must("list_commands", advice).split()

    def set_up(self, game: Game, first: int = 1) -> Position:
        """The start of this game on an empty board; raises Skipped if it does not play the game."""
        if self._told is not game:
            self._describe(game)
            self._told = game
        size = len(game.pool)
        if not self.ask(f"boardsize {size}").ok:
            raise Skipped(f"it does not play with {size} numbers")
        self.must("clear_board", "Answer clear_board with = and forget all moves.")
        return game.start(first)

    def play(
        self, position: Position, move: Move, advice: str = "Accept every legal move."
    ) -> Position:
        """The position after a legal move, which the program must accept; raises Failed."""
        self.must(f"play {COLOURS[position.turn]} {format_move(move)}", advice)
        return position.play(move)

    def genmove(self, position: Position) -> Position | None:
        """The position after the program's own move; None if it resigns. Raises Failed."""
        text = self.must(f"genmove {COLOURS[position.turn]}", REMEMBER).casefold()
        if text == "resign":
            return None
        legal = " ".join(map(format_move, position.legal))
        why = "A turn cannot be given away."  # the clock may play "lost", but nobody may choose it
        try:
            move = parse_move(text)
            after = position.play(move)
            if move in position.legal:
                return after
        except NinefoldError as error:
            why = error.reason
        raise self.failure(f"= {text[:60]} ({why})", f"one of: {legal}, or resign", REMEMBER)

    def _describe(self, game: Game) -> None:
        """Describe the game, if the program has ninefold-game; raises Skipped if it must know."""
        if "ninefold-game" in self.commands():
            if not self.ask(f"ninefold-game {format_game(game)}").ok:
                raise Skipped("it refuses this game with ninefold-game")
        elif game.rules.declare:
            raise Skipped("only a program with ninefold-game can know that wins are declared")
        elif game.rules.has_turns:
            raise Skipped("only a program with ninefold-game can know the turns of this game")
        elif game.picks.limited:
            raise Skipped("only a program with ninefold-game can know which numbers may be taken")
        elif game.pool != tuple(range(1, len(game.pool) + 1)):
            raise Skipped("only a program with ninefold-game can know these numbers")

    def _running(self) -> Process:
        if self._process is None:
            self._process = Process(self._arguments)
        return self._process

    def _no_reply(self, trouble: Exception) -> Failed:
        process = self._running()
        wrote = quote(process.output) if process.output.strip() else "nothing"
        if isinstance(trouble, Flooded):
            wrote = f"{wrote} and more, endlessly"
            advice = "End each response with an empty line; it must not go on forever."
        elif isinstance(trouble, Closed):
            wrote = f"{wrote}; {process.last_words()}"
            advice = (
                "Keep running until quit: fix what ended the program, and answer what it cannot do "
                "with ? and a reason."
            )
        elif process.output.strip():
            wrote = f"{wrote}, without an empty line after it"
            advice = "End each response with an empty line: two line feeds."
        else:
            advice = (
                "Answer every command, and flush standard output after each answer "
                "(in Python: print(..., flush=True))."
            )
        return self.failure(wrote, f"a response within {self.seconds:g} s", advice)


Check: TypeAlias = Callable[[CheckedProgram], None]
