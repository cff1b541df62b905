"""One session with the engine over the Go Text Protocol: takes lines, returns responses, no I/O."""

import json
import re
from collections.abc import Callable

from ninefold import __version__
from ninefold.books.rules import format_game, parse_game
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move, parse_move
from ninefold.core.position import Position
from ninefold.players import (
    FORMS,
    HUMAN,
    PROGRAM,
    Chance,
    PlayStopped,
    UnknownPlayer,
    is_outside,
    make,
)
from ninefold.players.python import failure_of
from ninefold.solver import is_small

# A longer line cannot be a command.
MAX_LINE = 1 << 16
# An engine is neither a person nor another program.
ENGINES = tuple(form for form in FORMS if form != HUMAN and not form.startswith(PROGRAM))
_CONTROL = {code: None for code in (*range(32), 127) if code != 9} | {9: " "}
_ID = re.compile(r"[0-9]+\Z")
_COLOURS = {"b": 1, "black": 1, "w": 2, "white": 2}
_NAMES = {1: "B", 2: "W"}


class Failure(Exception):
    """The text of a ``?`` response; nothing has changed."""


def parse_command(line: bytes) -> tuple[str, str, str] | None:
    """The id, name and arguments in a line, without a name if it is too long; None if empty."""
    text = line[:MAX_LINE].decode("utf-8", "replace").translate(_CONTROL)
    text = text.partition("#")[0].strip()
    if not text:
        return None
    number, (first, _, rest) = "", text.partition(" ")
    if _ID.match(first):
        number, (first, _, rest) = first, rest.strip().partition(" ")
    return number, "" if len(line) > MAX_LINE else first, rest.strip()


def format_response(number: str, ok: bool, text: str) -> str:
    """The response: a sign, the id, the text, and the empty line that ends it."""
    body = "\n".join(filter(None, map(str.rstrip, text.split("\n"))))
    return f"{'=' if ok else '?'}{number} {body}".rstrip() + "\n\n"


class Session:
    """A game and a computer player, by default the strongest quick one; raises UnknownPlayer."""

    def __init__(self, game: Game, kind: str | None, seed: int) -> None:
        self._kind = kind
        self._seed = seed
        self._number = 1
        self.over = False
        self._commands: dict[str, Callable[[str], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Ninefold",
            "version": lambda _: __version__,
            "list_commands": lambda _: "\n".join(self._commands),
            "known_command": lambda name: str(name in self._commands).lower(),
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "play": self._play,
            "genmove": self._genmove,
            "undo": self._undo,
            "showboard": self._showboard,
            "final_score": self._final_score,
            "quit": self._quit,
            "ninefold-game": self._game_command,
            "ninefold-result": self._result,
        }
        self._set_game(game)

    @property
    def position(self) -> Position:
        """The position now."""
        return self._history[-1]

    def answer(self, line: bytes) -> str:
        """The response to a line; empty if the line has no command."""
        command = parse_command(line)
        if command is None:
            return ""
        number, name, rest = command
        try:
            if not name:
                what = f"an id without a command, or a line of more than {MAX_LINE:,} bytes"
                raise Failure(f"syntax error: {what}")
            if name not in self._commands:
                raise Failure("unknown command")
            return format_response(number, True, self._commands[name](rest))
        except Failure as failure:
            return format_response(number, False, str(failure))

    def _set_game(self, game: Game) -> None:
        """Play this game from now on; raises UnknownPlayer, and then nothing has changed."""
        kind = self._kind or ("perfect" if is_small(game) else "level:5")
        player = None if kind.startswith(PROGRAM) else make(kind, game)
        if player is None:
            reason = f"{kind} cannot play for the engine; choose one of: {', '.join(ENGINES)}"
            raise UnknownPlayer("unknown-player", reason)
        player.begin(game, None)
        self._game, self._player = game, player
        self._history, self._moves = [game.start()], list[Move]()

    def _boardsize(self, rest: str) -> str:
        pool = self._game.pool
        if not rest.isdecimal():
            raise Failure("syntax error: boardsize NUMBER")
        if rest.lstrip("0") != str(len(pool)):
            raise Failure(f"unacceptable size: this game has {len(pool)} numbers")
        return self._clear_board(rest)

    def _clear_board(self, _: str) -> str:
        if self._moves:
            self._number += 1  # a new game draws new random numbers
        self._history, self._moves = [self._game.start()], []
        return ""

    def _play(self, rest: str) -> str:
        words = rest.split()
        if len(words) != 2:
            raise Failure("syntax error: play COLOUR MOVE, for instance play b 5")
        before = self._on_turn(words[0])
        try:
            move = parse_move(words[1].casefold())
            after = before.play(move)
        except NinefoldError as error:
            raise Failure(f"illegal move: {error.message}") from None
        self._history.append(after)
        self._moves.append(move)
        return ""

    def _genmove(self, rest: str) -> str:
        if len(rest.split()) != 1:
            raise Failure("syntax error: genmove COLOUR, for instance genmove b")
        before = self._on_turn(rest)
        if before.outcome is not None:
            raise Failure("illegal move: the game is over")
        chance = Chance(self._seed, self._number)
        self._player.follow(self._history[0].turn, self._moves)
        try:
            move = self._player.choose(before, len(self._moves), chance)
            after = before.play(move)
        except PlayStopped as error:
            raise Failure(f"cannot move: {error.message}") from None
        except Exception as error:
            if not is_outside(self._kind or ""):
                raise
            raise Failure(f"cannot move: {failure_of(error).message}") from None
        self._history.append(after)
        self._moves.append(move)
        return format_move(move)

    def _on_turn(self, word: str) -> Position:
        """The position with this colour to act; before the first move, either colour may start."""
        seat = _COLOURS.get(word.casefold())
        if seat is None:
            raise Failure("syntax error: a colour is b, w, black or white")
        if not self._moves:
            self._history = [self._game.start(seat)]
        if seat != self.position.turn and self.position.outcome is None:
            asked = ", who is asked to declare a set or pass" if self.position.asking else ""
            raise Failure(f"illegal move: it is the turn of {_NAMES[3 - seat]}{asked}")
        return self.position

    def _undo(self, _: str) -> str:
        if not self._moves:
            raise Failure("cannot undo")
        self._history.pop()
        self._moves.pop()
        return ""

    def _showboard(self, _: str) -> str:
        position = self.position
        hands = [" ".join(map(str, hand)) for hand in position.hands]
        state = f"{_NAMES[position.turn]} to move"
        if not self._moves:
            state = "either colour may begin"
        elif position.outcome is not None:
            state = f"over: {self._final_score('')} ({position.outcome.reason})"
        elif position.asking:
            state = f"{_NAMES[position.turn]} may declare a set or pass"
        free = " ".join(map(str, position.available))
        if position.outcome is None and position.picks != position.available:
            free += f"\nAllowed: {' '.join(map(str, position.picks))}"
        return f"{self._game.name}: {state}\nAvailable: {free}\nB: {hands[0]}\nW: {hands[1]}"

    def _final_score(self, _: str) -> str:
        """The score in the notation of the protocol: one point for the winner."""
        outcome = self.position.outcome
        if outcome is None:
            raise Failure("cannot score: the game is not over")
        return f"{_NAMES[outcome.winner]}+1" if outcome.winner else "0"

    def _quit(self, _: str) -> str:
        self.over = True
        return ""

    def _game_command(self, rest: str) -> str:
        """Without an argument, print the rules as JSON; with such JSON, change the game."""
        if not rest:
            return format_game(self._game)
        try:
            game = parse_game(rest)
            # Keep the same object for the same game: its solution stays known.
            same = game.fingerprint == self._game.fingerprint
            self._set_game(self._game if same else game)
        except NinefoldError as error:
            raise Failure(error.message) from None
        return ""

    def _result(self, _: str) -> str:
        outcome = self.position.outcome
        ended = "won" if outcome and outcome.winner else "drawn"
        data = {
            "moves": list(map(format_move, self._moves)),
            "status": ended if outcome else "unfinished",
            "turn": self.position.turn if self._moves and outcome is None else None,
            "winner": outcome.winner if outcome else None,
            "reason": outcome.reason if outcome else None,
            "sets": outcome.sets if outcome else [],
        }
        return json.dumps(data)
