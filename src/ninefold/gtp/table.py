"""A board for a program under examination: setting it up, and asking for a move on it."""

from ninefold.books.exchange import format_game
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move, parse_move
from ninefold.core.position import Position
from ninefold.gtp.subject import Skipped, Subject

COLOURS = {1: "b", 2: "w"}
REMEMBER = "Remember every number that play and genmove have taken, and choose among the others."


def listed(subject: Subject) -> list[str]:
    """The commands the program says it knows."""
    advice = "Answer with the name of each command, a line each."
    return subject.must("list_commands", advice).split()


def set_up(subject: Subject, game: Game) -> Position:
    """The start of this game on an empty board; raises Skipped if the program does not play it."""
    if subject.told is not game:
        _tell(subject, game)
        subject.told = game
    size = len(game.pool)
    if not subject.ask(f"boardsize {size}").ok:
        raise Skipped(f"it does not play with {size} numbers")
    subject.must("clear_board", "Answer clear_board with = and forget all moves.")
    return game.start()


def _tell(subject: Subject, game: Game) -> None:
    """Describe the game to a program that wants to know; most are told the size alone."""
    if "ninefold-game" in listed(subject):
        if not subject.ask(f"ninefold-game {format_game(game)}").ok:
            raise Skipped("it refuses this game with ninefold-game")
    elif game.rules.declare:
        raise Skipped("only a program with ninefold-game can know that wins are declared here")
    elif game.rules.has_turns or game.rules.opening:
        raise Skipped("only a program with ninefold-game can know what a turn is here")
    elif game.pool != tuple(range(1, len(game.pool) + 1)):
        raise Skipped("only a program with ninefold-game can know these numbers")


def tell_move(
    subject: Subject, position: Position, move: Move, advice: str = "Accept every legal move."
) -> Position:
    """The position after a legal move that the program has been told; raises Failed."""
    subject.must(f"play {COLOURS[position.turn]} {format_move(move)}", advice)
    return position.play(move)


def ask_move(subject: Subject, position: Position) -> Position | None:
    """The position after the program's move; None if it resigns. Raises Failed."""
    text = subject.must(f"genmove {COLOURS[position.turn]}", REMEMBER).casefold()
    if text == "resign":
        return None
    legal = " ".join(map(format_move, position.legal))
    why = "A turn cannot be given away."  # lost is playable on the clock, but nobody may choose it
    try:
        move = parse_move(text)
        after = position.play(move)
        if move in position.legal:
            return after
    except NinefoldError as error:
        why = error.reason
    received = f"= {text[:60]} ({why})"
    raise subject.failure(received, f"one of: {legal}, or resign", REMEMBER)
