"""``program:CMD``: a player that is any program speaking the Go Text Protocol."""

import re
from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

from ninefold.books.rules import format_game
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move, parse_move
from ninefold.core.position import Position
from ninefold.players import Chance, NoMove, Player, UnknownPlayer
from ninefold.players.process import Closed, Flooded, Late, Process, clean, quote

# Seconds per answer in a game without a clock, and for every command but genmove.
PATIENCE = 10.0
# Seconds for the first answer: some programs are slow to start.
START = 30.0
# Seconds to exit after quit.
GRACE = 1.0
MAX_COMMAND = 1_000
COLOURS = {1: "b", 2: "w"}
_END = re.compile(rb"\n[ \t\r]*\n")
_HEAD = re.compile(r"([=?])([0-9]*)(?:[ \t]+(.*))?\Z", re.DOTALL)


class Response(NamedTuple):
    """A program's answer: the id of the command, success or failure, and the text."""

    id: str
    ok: bool
    text: str

    def __str__(self) -> str:
        return f"{'=' if self.ok else '?'}{self.id} {self.text}".strip()


def response_length(data: bytes) -> int:
    """The length of the first response in bytes; 0 while it is incomplete."""
    start = len(data) - len(data.lstrip())
    line = data.find(b"\n", start) + 1
    if line and data[start : start + 1] not in (b"=", b"?"):
        return line  # it cannot start a response, so waiting for more is useless
    found = _END.search(data, start)
    return found.end() if found else 0


def parse_response(data: bytes) -> Response | None:
    """The response in these bytes; None if there is none."""
    found = _HEAD.match(clean(data))
    if not found:
        return None
    return Response(found[2], found[1] == "=", (found[3] or "").strip())


def split_command(text: str) -> list[str]:
    """The words of a command line, split as a shell would; raises UnknownPlayer."""
    import shlex

    if not text.isprintable() or len(text) > MAX_COMMAND:
        what = f"the command must be one line of up to {MAX_COMMAND} printable characters"
        raise UnknownPlayer("bad-command", f"program: {what}.")
    try:
        arguments = shlex.split(text)
    except ValueError as error:
        raise UnknownPlayer("bad-command", f"program: {error} in {text!r}.") from None
    if not arguments or not arguments[0]:
        raise UnknownPlayer("bad-command", "program: needs a command; write program:CMD.")
    return arguments


class ProgramPlayer(Player):
    """Tells a program the moves of each game and asks for its own; restarts it after a failure."""

    def __init__(
        self, arguments: Sequence[str], patience: float = PATIENCE, start: float = START
    ) -> None:
        self._arguments = arguments
        self._patience = patience
        self._start = start
        self._clock: float | None = None
        self._process: Process | None = None
        self._number = 0
        self._game: Game | None = None
        self._commands: frozenset[str] = frozenset()
        self._moves: list[str] = []
        self._sent: list[str] | None = None

    def begin(self, game: Game, limit: float | None) -> None:
        """Start the program unless it is running; raises UnknownPlayer if it does not start."""
        self._game, self._sent, self._clock = game, None, limit
        if self._process is None:
            self._process = Process(self._arguments)
            self._number, self._commands = 0, frozenset()

    def follow(self, first: int, moves: Sequence[Move]) -> None:
        """Keep the moves so far; the program hears of them when it has to move."""
        assert self._game is not None, "begin comes first"
        position = self._game.start(first)
        self._moves = []
        for move in moves:
            self._moves.append(f"{COLOURS[position.turn]} {format_move(move)}")
            position = position.play(move)

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:  # noqa: ARG002 - the program has its own
        """The program's move, legal or not; raises NoMove."""
        try:
            self._introduce(position.game)
            self._catch_up()
            return self._generate(COLOURS[position.turn])
        except NoMove as failure:
            if failure.code != "resign":
                self._stop()
            raise

    def close(self) -> None:
        """Ask the program to quit, and stop it if it does not."""
        if self._process is None:
            return
        try:
            self._ask("quit", GRACE)
            self._process.close_input()
            self._process.wait_for_end(GRACE)
        except NoMove:
            pass
        self._stop()

    def interrupt(self) -> None:
        """Kill the program while another thread waits for its move, which raises NoMove there."""
        if self._process is not None:
            self._process.interrupt()

    def _introduce(self, game: Game) -> None:
        """Tell the program which game it plays, before its first move."""
        if self._sent is not None:
            return
        if not self._commands:
            self._commands = frozenset(self._must("list_commands", self._start).split())
        if "ninefold-game" in self._commands:
            self._must(f"ninefold-game {format_game(game)}")
        self._must(f"boardsize {len(game.pool)}")
        if self._clock is not None and "time_settings" in self._commands:
            # The protocol's way to say: so many seconds per move.
            self._must(f"time_settings 0 {max(1, int(self._clock))} 1")
        self._clear()

    def _catch_up(self) -> None:
        """Undo moves that were taken back, then tell the program the new ones."""
        assert self._sent is not None, "the game was introduced"
        while self._sent != self._moves[: len(self._sent)]:
            if "undo" in self._commands and self._ask("undo", self._patience).ok:
                self._sent.pop()
            else:
                self._clear()
        for move in self._moves[len(self._sent) :]:
            self._must(f"play {move}")
            self._sent.append(move)

    def _generate(self, colour: str) -> Move:
        response = self._ask(f"genmove {colour}", self._clock or self._patience)
        if not response.ok:
            raise NoMove("refusal", f"it refused genmove: {quote(response.text.encode())}.")
        word = response.text.casefold()
        if word == "resign":
            raise NoMove("resign", "it resigns.")
        try:
            move = parse_move(word)
        except NinefoldError:
            what = f"{quote(response.text.encode())} is not a move."
            raise NoMove("unreadable-answer", what) from None
        assert self._sent is not None, "the program has caught up"
        self._sent.append(f"{colour} {format_move(move)}")
        return move

    def _clear(self) -> None:
        self._must("clear_board")
        self._sent = []

    def _must(self, command: str, seconds: float | None = None) -> str:
        """The text of a successful response; raises NoMove."""
        response = self._ask(command, seconds or self._patience)
        if not response.ok:
            said = quote(response.text.encode())
            raise NoMove("refusal", f"it refused {quote(command.encode())}: {said}.")
        return response.text

    def _ask(self, command: str, seconds: float) -> Response:
        """The response to a command; raises NoMove, and then the two sides are out of step."""
        process = self._process
        assert process is not None, "begin comes first"
        self._number += 1
        if process.output.strip():
            raise NoMove("unreadable-answer", f"unexpected output: {quote(process.output)}.")
        process.send(f"{self._number} {command}\n".encode())
        word = command.split(maxsplit=1)[0]
        try:
            data = process.read(response_length, monotonic() + seconds)
        except Flooded:
            raise NoMove("unreadable-answer", f"its answer to {word} never ends.") from None
        except Closed:
            raise NoMove("crash", f"on {word}, {process.last_words()}") from None
        except Late:
            partial = process.output.strip()
            why = f": no empty line after {quote(partial)}" if partial else ""
            raise NoMove("no-answer", f"no complete answer to {word} in time{why}.") from None
        response = parse_response(data)
        if response is None:
            raise NoMove(
                "unreadable-answer", f"{quote(data)} is not a response, which starts with = or ?."
            )
        if response.id != str(self._number):
            wrong = f"{quote(data)} does not repeat the id {self._number} of the command."
            raise NoMove("unreadable-answer", wrong)
        return response

    def _stop(self) -> None:
        if self._process is not None:
            self._process.stop()
        self._process = None
