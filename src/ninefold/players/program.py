"""``program:CMD``: a player that is any program speaking the Go Text Protocol.

Whatever the program does, every turn ends with a move, a resignation, or a NoMove that says why.
"""

from collections.abc import Sequence
from itertools import takewhile
from operator import eq

from ninefold.books.rules import format_game
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move, parse_move
from ninefold.core.position import Position
from ninefold.players import Chance, NoMove, Player, UnknownPlayer
from ninefold.players.connection import Connection, Response, quote

# Seconds per answer in a game without a clock, and for every command but genmove.
PATIENCE = 10.0
# Seconds for the first answer: some programs are slow to start.
START = 30.0
# Seconds to exit after quit.
GRACE = 1.0
MAX_COMMAND = 1_000
COLOURS = {1: "b", 2: "w"}


def split_command(text: str) -> list[str]:
    """The words of a command line, split as a shell would; raises UnknownPlayer.

    No shell is ever run.
    """
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
    """Tells a program the moves of the game, and asks it for its own.

    One process plays game after game. After a failure it is stopped, and the next game starts a
    new one.
    """

    def __init__(
        self, arguments: Sequence[str], patience: float = PATIENCE, start: float = START
    ) -> None:
        self._arguments = arguments
        self._patience = patience
        self._start = start
        self._limit = patience
        self._clock: float | None = None
        self._connection: Connection | None = None
        self._game: Game | None = None
        self._commands: frozenset[str] = frozenset()
        self._moves: list[str] = []
        self._sent: list[str] | None = None

    def begin(self, game: Game, limit: float | None) -> None:
        """Start the program unless it is running; raises UnknownPlayer if it does not start."""
        self._game, self._sent, self._clock = game, None, limit
        self._limit = limit or self._patience
        if self._connection is None:
            self._connection = Connection(self._arguments)
            self._commands = frozenset()

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
                self._end()
            raise

    def close(self) -> None:
        """Ask the program to quit, and stop it if it does not."""
        if self._connection is None:
            return
        try:
            self._ask("quit", GRACE)
            self._end(GRACE)
        except NoMove:
            self._end()

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
        sent = self._sent or []
        common = sum(takewhile(bool, map(eq, sent, self._moves)))
        while len(sent) > common:
            if "undo" not in self._commands or not self._ask("undo", self._patience).ok:
                self._clear()
                sent, common = [], 0
                break
            sent.pop()
        for move in self._moves[common:]:
            self._must(f"play {move}")
            sent.append(move)
        self._sent = sent

    def _generate(self, colour: str) -> Move:
        response = self._ask(f"genmove {colour}", self._limit)
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
        assert self._connection is not None, "begin comes first"
        return self._connection.ask(command, seconds)

    def _end(self, grace: float = 0.0) -> None:
        if self._connection is not None:
            self._connection.close(grace)
        self._connection = None
