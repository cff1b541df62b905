"""Checks of play: moves, undo, illegal moves, and whole games."""

from contextlib import suppress
from random import Random

from ninefold.core.game import Game
from ninefold.core.moves import LOST, Move
from ninefold.core.position import Position
from ninefold.gtp.program import Check, CheckedProgram, Skipped

POSITIONS = 8
_STATE = "Keep the moves in a list: play and genmove append, undo removes, clear_board empties it."


def _has_a_board(program: CheckedProgram) -> None:
    """The program plays at least one of the games; the next checks use it."""
    for game in program.games:
        with suppress(Skipped):
            program.set_up(game)
            program.game = game
            return
    raise program.failure(
        "a refusal of every size",
        "= for the number of numbers in the game, for instance boardsize 9",
        "Answer boardsize with = if you can play with so many numbers.",
    )


def _clears_the_board(program: CheckedProgram) -> None:
    game = _game(program)
    for _ in range(2):
        position = program.set_up(game)
        for number in (game.pool[3], game.pool[2]):
            position = program.play(position, number, _STATE)


def _knows_the_colours(program: CheckedProgram) -> None:
    game = _game(program)
    program.set_up(game)
    advice = "A colour is b, w, black or white, in small or capital letters."
    for colour, at in (("b", 0), ("W", 1), ("Black", 3), ("WHITE", 2)):
        program.must(f"play {colour} {game.pool[at]}", advice)


def _refuses_illegal_moves(program: CheckedProgram) -> None:
    game = _game(program)
    low, high = game.pool[0], game.pool[-1]
    position = program.play(program.set_up(game), low)
    advice = "Answer a number that is taken or not in the pool with: ? illegal move."
    for number in (low, low - 1, high + 1, 10**20):
        program.must_refuse(f"play w {number}", "? illegal move", advice)
    program.play(position, high, "A refused move must change nothing.")


def _takes_moves_back(program: CheckedProgram) -> None:
    game = _game(program)
    position = program.set_up(game)
    program.must_refuse("undo", "? cannot undo", "Refuse undo when there is no move to undo.")
    program.play(position, game.pool[2])
    advice = "undo must take back the last move, and only that one."
    program.must("undo", advice)
    position = program.play(position, game.pool[2], advice)
    after = program.genmove(position)
    if after is not None:
        advice = "undo must also take back a move of genmove."
        program.must("undo", advice)
        program.play(position, after.hands[1][-1], advice)


def _shows_the_board(program: CheckedProgram) -> None:
    program.play(program.set_up(_game(program)), _game(program).pool[0])
    advice = "Answer showboard with any picture of the board, without an empty line in it."
    if not program.must("showboard", advice):
        raise program.failure("=", "= and a picture of the board", advice)


def _accepts_lost_turns(program: CheckedProgram) -> None:
    """With a clock a turn may be lost; a program need not support that."""
    position = program.set_up(_game(program))
    if not program.ask("play b lost").ok:
        raise Skipped("it refuses play b lost, so its games cannot have lost turns; optional")
    program.genmove(position.play(LOST))


def _game(program: CheckedProgram) -> Game:
    """The game the program plays; raises Skipped if there is none, or it is unsuitable."""
    if program.game is None:
        raise Skipped("it has no board")
    if len(program.game.pool) < 4:
        raise Skipped("this check needs a game with at least four numbers")
    if program.game.rules.has_turns or program.game.rules.opening:
        raise Skipped("this check needs a game in which every turn is one pick of any number")
    return program.game


def _random_game(game: Game, first: int, chance: Random) -> list[Move]:
    """Random moves of a game as long as possible, without lost turns."""
    position, moves = game.start(first), list[Move]()
    while position.outcome is None:
        legal = [move for move in position.legal if move is not LOST]
        quiet = [move for move in legal if position.play(move).outcome is None]
        moves.append(chance.choice(quiet or legal))
        position = position.play(moves[-1])
    return moves


BOARD: dict[str, Check] = {
    "has a board of the right size": _has_a_board,
    "clear_board forgets everything": _clears_the_board,
    "knows b, w, black and white": _knows_the_colours,
    "refuses illegal moves and keeps its board": _refuses_illegal_moves,
    "undo takes back play and genmove": _takes_moves_back,
    "shows the board": _shows_the_board,
    "accepts lost turns": _accepts_lost_turns,
}


def plays_legally(program: CheckedProgram, game: Game, seed: int) -> None:
    """Ask for moves early and late in the game, and let it play both sides; raises Failed."""
    chance = Random(f"{seed}:{game.name}")
    for at in range(POSITIONS):
        first = 1 + at % 2
        moves = _random_game(game, first, chance)
        position = program.set_up(game, first)
        # From the empty board to the last free move, evenly.
        for move in moves[: at * (len(moves) - 1) // (POSITIONS - 1)]:
            position = program.play(position, move)
        program.genmove(position)
    for first in (1, 2):
        after: Position | None = program.set_up(game, first)
        # A game of endless passes is abandoned.
        for _ in range(4 * len(game.pool)):
            if after is None or after.outcome is not None:
                break
            after = program.genmove(after)
