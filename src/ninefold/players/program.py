"""``program:CMD``: a seat for any program that speaks the Go Text Protocol.

Whatever the program does, every turn ends: with a move, a resignation, or a NoMove that says why.
"""

from collections.abc import Sequence

from ninefold.books.exchange import format_game
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move, parse_move
from ninefold.core.position import Position
from ninefold.players import Chance, NoMove, Player, UnknownPlayer
from ninefold.players.connection import Connection, Response, quote

# Seconds for each answer where the game has no clock, and for everything that is not a move.
PATIENCE = 10.0
# Seconds for the first answer: some programs load much before they can speak.
START = 30.0
# Seconds to leave after quit.
GRACE = 1.0
MAX_COMMAND = 1_000
COLOURS = {1: "b", 2: "w"}


def split_command(text: str) -> list[str]:
    """The words of a command line, as a shell would split them; raises UnknownPlayer.

    No shell ever sees it.
    """
    import shlex

    if not text.isprintable() or len(text) > MAX_COMMAND:
        what = f"a command is one line of at most {MAX_COMMAND} visible characters"
        raise UnknownPlayer("bad-command", f"program: {what}.")
    try:
        arguments = shlex.split(text)
    except ValueError as error:
        raise UnknownPlayer("bad-command", f"program: {error} in {text!r}.") from None
    if not arguments or not arguments[0]:
        raise UnknownPlayer("bad-command", "program: names no program; write program:CMD.")
    return arguments


class ProgramPlayer(Player):
    """Sends a program the course of the game, and asks it for its moves.

    One process plays game after game. A process that failed is ended; the next game gets another.
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
        self._course: list[str] = []
        self._told: list[str] | None = None

    def begin(self, game: Game, limit: float | None) -> None:
        """Start the program, unless it is running; raises UnknownPlayer if it cannot be."""
        self._game, self._told, self._clock = game, None, limit
        self._limit = limit or self._patience
        if self._connection is None:
            self._connection = Connection(self._arguments)
            self._commands = frozenset()

    def follow(self, first: int, moves: Sequence[Move]) -> None:
        """Keep the course of the game; the program hears of it when it has to move."""
        assert self._game is not None, "begin comes first"
        position = self._game.start(first)
        self._course = []
        for move in moves:
            self._course.append(f"{COLOURS[position.turn]} {format_move(move)}")
            position = position.play(move)

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:  # noqa: ARG002 - the program has its own
        """What the program answers, legal or not; raises NoMove."""
        try:
            self._introduce(position.game)
            self._catch_up()
            return self._generate(COLOURS[position.turn])
        except NoMove as failure:
            if failure.code != "resign":
                self._end()
            raise

    def close(self) -> None:
        """Ask the program to leave, and see to it."""
        if self._connection is None:
            return
        try:
            self._ask("quit", GRACE)
            self._end(GRACE)
        except NoMove:
            self._end()

    def _introduce(self, game: Game) -> None:
        """Before the first move of a game: what is played."""
        if self._told is not None:
            return
        if not self._commands:
            self._commands = frozenset(self._must("list_commands", self._start).split())
        if "ninefold-game" in self._commands:
            self._must(f"ninefold-game {format_game(game)}")
        self._must(f"boardsize {len(game.pool)}")
        if self._clock is not None and "time_settings" in self._commands:
            # So many seconds for each move, in the words of the protocol.
            self._must(f"time_settings 0 {max(1, int(self._clock))} 1")
        self._clear()

    def _catch_up(self) -> None:
        """Tell the program the moves it has not heard of, after taking back those that are gone."""
        told = self._told or []
        common = _common(told, self._course)
        while len(told) > common:
            if "undo" not in self._commands or not self._ask("undo", self._patience).ok:
                self._clear()
                told, common = [], 0
                break
            told.pop()
        for move in self._course[common:]:
            self._must(f"play {move}")
            told.append(move)
        self._told = told

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
        assert self._told is not None, "the program has caught up"
        self._told.append(f"{colour} {format_move(move)}")
        return move

    def _clear(self) -> None:
        self._must("clear_board")
        self._told = []

    def _must(self, command: str, seconds: float | None = None) -> str:
        """The text of a response that has to be a success; raises NoMove."""
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


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """How many moves two courses have in common."""
    for at, (left, right) in enumerate(zip(one, two, strict=False)):
        if left != right:
            return at
    return min(len(one), len(two))
