"""The checks on a board: moves told, moves asked for, moves taken back, games to their end."""

from random import Random

from ninefold.core.game import Game
from ninefold.core.moves import LOST, Move
from ninefold.gtp.subject import Skipped, Subject
from ninefold.gtp.table import ask_move, set_up, tell_move

POSITIONS = 8
_STATE = "Keep the moves in a list: play and genmove append, undo removes, clear_board empties it."


def has_a_board(subject: Subject) -> None:
    """The program plays one of the games at least, which is then used for the next checks."""
    for game in subject.games:
        try:
            set_up(subject, game)
        except Skipped:
            continue
        subject.game = game
        return
    raise subject.failure(
        "a refusal of every size",
        "= for the number of numbers in the game, for instance boardsize 9",
        "Answer boardsize with = if the game can be played with so many numbers.",
    )


def clears_the_board(subject: Subject) -> None:
    """After clear_board the same numbers are free again."""
    game = _game(subject)
    for _ in range(2):
        position = set_up(subject, game)
        for number in (game.pool[3], game.pool[2]):
            position = tell_move(subject, position, number, _STATE)


def knows_the_colours(subject: Subject) -> None:
    """Short and long, in small and in capital letters."""
    game = _game(subject)
    set_up(subject, game)
    advice = "A colour is b, w, black or white, in small or capital letters."
    for colour, at in (("b", 0), ("W", 1), ("Black", 3), ("WHITE", 2)):
        subject.must(f"play {colour} {game.pool[at]}", advice)


def refuses_illegal_moves(subject: Subject) -> None:
    """A number that is taken or not in the pool is refused, and nothing changes by it."""
    game = _game(subject)
    low, high = game.pool[0], game.pool[-1]
    position = tell_move(subject, set_up(subject, game), low)
    advice = "Answer a number that is taken or not in the pool with: ? illegal move."
    for number in (low, low - 1, high + 1, 10**20):
        subject.must_refuse(f"play w {number}", "? illegal move", advice)
    tell_move(subject, position, high, "A refused move must change nothing.")


def takes_moves_back(subject: Subject) -> None:
    """What play and genmove have done is undone, and nothing more."""
    game = _game(subject)
    position = set_up(subject, game)
    subject.must_refuse("undo", "? cannot undo", "Refuse undo when no move is left to take back.")
    tell_move(subject, position, game.pool[2])
    advice = "undo must take back the last move, and that one only."
    subject.must("undo", advice)
    position = tell_move(subject, position, game.pool[2], advice)
    after = ask_move(subject, position)
    if after is None:
        return
    advice = "undo must also take back what genmove has played."
    subject.must("undo", advice)
    tell_move(subject, position, after.hands[1][-1], advice)


def shows_the_board(subject: Subject) -> None:
    """Any picture will do, but there is one."""
    tell_move(subject, set_up(subject, _game(subject)), _game(subject).pool[0])
    advice = "Answer showboard with any picture of the board, without an empty line in it."
    if not subject.must("showboard", advice):
        raise subject.failure("=", "= and a picture of the board", advice)


def accepts_lost_turns(subject: Subject) -> None:
    """A turn may be lost where there is a clock; a program need not know of that."""
    position = set_up(subject, _game(subject))
    if not subject.ask("play b lost").ok:
        raise Skipped("it refuses play b lost, so no turn may be lost in its games; optional")
    ask_move(subject, position.play(LOST))


def plays_legally(subject: Subject, game: Game, seed: int) -> None:
    """Ask for moves in positions of every age, and let it play both sides; raises Failed."""
    chance = Random(f"{seed}:{game.name}")
    for at in range(POSITIONS):
        moves = _random_game(game, 1 + at % 2, chance)
        # From the empty board to the last free move, evenly.
        _ask_once(subject, game, 1 + at % 2, moves[: at * (len(moves) - 1) // (POSITIONS - 1)])
    for first in (1, 2):
        _play_itself(subject, game, first)


def _game(subject: Subject) -> Game:
    """The game the program plays; raises Skipped if there is none, or too little of one."""
    if subject.game is None:
        raise Skipped("it has no board")
    if len(subject.game.pool) < 4:
        raise Skipped("this takes a game of four numbers at least")
    if subject.game.rules.has_turns or subject.game.rules.opening:
        raise Skipped("this takes a game in which every turn is one pick of any number")
    return subject.game


def _random_game(game: Game, first: int, chance: Random) -> list[Move]:
    """Random moves to the end of a game, as late as that comes, and without lost turns."""
    position, moves = game.start(first), list[Move]()
    while position.outcome is None:
        legal = [move for move in position.legal if move is not LOST]
        quiet = [move for move in legal if position.play(move).outcome is None]
        moves.append(chance.choice(quiet or legal))
        position = position.play(moves[-1])
    return moves


def _ask_once(subject: Subject, game: Game, first: int, moves: list[Move]) -> None:
    set_up(subject, game)
    position = game.start(first)
    for move in moves:
        position = tell_move(subject, position, move)
    ask_move(subject, position)


def _play_itself(subject: Subject, game: Game, first: int) -> None:
    """Both sides of a game; one in which turns are given away for ever is left in the end."""
    set_up(subject, game)
    position = game.start(first)
    for _ in range(4 * len(game.pool)):
        after = ask_move(subject, position)
        if after is None or after.outcome is not None:
            return
        position = after
