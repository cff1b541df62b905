"""Checks of a program that speaks the Go Text Protocol: framing, ids, bad input, play, quitting."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import NamedTuple

from ninefold.books import Book
from ninefold.core.game import Game
from ninefold.core.moves import LOST, Move
from ninefold.core.position import Position
from ninefold.gtp.program import Check, CheckedProgram, Failed, Skipped

NEEDED = (
    "protocol_version name version list_commands known_command boardsize clear_board play genmove "
    "undo showboard quit"
).split()
NOBODY_KNOWS = "ninefold-no-such-command"
# Seconds to watch a program for unexpected output.
WATCHED = 0.3
# In how many positions of each game the program is asked for a move.
POSITIONS = 8
STATE = "Keep the moves in a list: play and genmove append, undo removes, clear_board empties it."


def _answers(program: CheckedProgram) -> None:
    program.must_say("protocol_version", "2", "Answer protocol_version with: = 2")


def _introduces_itself(program: CheckedProgram) -> None:
    for command in ("name", "version"):
        advice = f"Answer {command} with any text."
        if not program.must(command, advice):
            raise program.failure("=", "= and a text", advice)


def _lists_commands(program: CheckedProgram) -> None:
    listed = program.commands()
    missing = [command for command in NEEDED if command not in listed]
    if missing:
        names = ", ".join(missing)
        advice = f"List them and answer them: {names}."
        raise program.failure(f"a list without {names}", "all needed commands", advice)


def _knows_what_it_lists(program: CheckedProgram) -> None:
    advice = "Answer known_command with = true for what list_commands lists, else with = false."
    for command in program.commands():
        program.must_say(f"known_command {command}", "true", advice)
    program.must_say(f"known_command {NOBODY_KNOWS}", "false", advice)


def _answers_once(program: CheckedProgram) -> None:
    program.must("name", "Answer name with any text.")
    program.watch(WATCHED)


def _repeats_ids(
    program: CheckedProgram, exchanges: Mapping[str, Sequence[str]], advice: str
) -> None:
    """Each text is answered by successes with these ids."""
    for text, ids in exchanges.items():
        program.send(text)
        for number in ids:
            reply = program.read()
            if reply.id.lstrip("0") != number.lstrip("0") or not reply.ok:
                raise program.failure(str(reply), f"={number} and the text", advice)
        program.refuse_more()


def _refuses_unknown_commands(program: CheckedProgram) -> None:
    advice = "Answer a command you do not know with: ? unknown command. Then continue."
    program.must_refuse(NOBODY_KNOWS, "? unknown command", advice)
    program.must_refuse(f"41 {NOBODY_KNOWS} b 5", "?41 unknown command", advice)
    program.must("name", advice)


def _refuses_bad_arguments(program: CheckedProgram) -> None:
    advice = "Answer a command with wrong or missing arguments with: ? syntax error. Then continue."
    for command in ("play", "play b", "play x 5", "play b five", "boardsize many", "genmove"):
        program.must_refuse(command, "? syntax error", advice)
    program.must("name", advice)


def _accepts_the_clock(program: CheckedProgram) -> None:
    if "time_settings" not in program.commands():
        raise Skipped("it does not list it; optional")
    program.must("time_settings 0 10 1", "Accept time_settings as the protocol defines it.")


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
            position = program.play(position, number, STATE)


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
    if program.game.rules.has_turns or program.game.picks.limited:
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


def _plays_legally(program: CheckedProgram, game: Game, seed: int) -> None:
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


def _quits(program: CheckedProgram) -> None:
    advice = "Answer quit with =, flush, and exit with code 0."
    program.must("51 quit", advice)
    code = program.leave()
    if code != 0:
        how = "it keeps running" if code is None else f"exit code {code}"
        raise program.failure(f"=, and then: {how}", "=, and then exit code 0", advice)


def _ends_with_its_input(program: CheckedProgram) -> None:
    program.must("name", "Answer name with any text.")
    program.close_input()
    if program.leave() is None:
        raise program.failure(
            "it keeps running without any input",
            f"an exit within {program.seconds:g} s",
            "Exit when standard input ends: no more commands can arrive.",
        )


# The games are played between these checks and LAST.
FIRST: dict[str, Check] = {
    "answers protocol_version with 2": _answers,
    "has a name and a version": _introduces_itself,
    "lists the needed commands": _lists_commands,
    "known_command agrees with list_commands": _knows_what_it_lists,
    "answers once, then waits": _answers_once,
    "repeats ids": partial(
        _repeats_ids,
        exchanges={"17 name": ["17"], "name": [""], "004 version": ["004"]},
        advice="A number before a command is its id: put it right after = or ?, as in =17 text.",
    ),
    "ignores comments and empty lines": partial(
        _repeats_ids,
        exchanges={"\n   \n# a comment\n21 name # another comment": ["21"]},
        advice="Cut each line at #, and send no response if nothing is left.",
    ),
    "understands tabs and CR LF": partial(
        _repeats_ids,
        exchanges={"22\tname\r": ["22"], "\t\r\n23   name": ["23"]},
        advice="Treat a tab as a space, and drop carriage returns: line.split() does both.",
    ),
    "answers several commands in order": partial(
        _repeats_ids,
        exchanges={"31 name\n32 version\n33 protocol_version": ["31", "32", "33"]},
        advice="Answer each line with exactly one response, in order, even if many lines arrive at "
        "once.",
    ),
    "refuses unknown commands and continues": _refuses_unknown_commands,
    "refuses bad arguments and continues": _refuses_bad_arguments,
    "accepts time_settings": _accepts_the_clock,
    "has a board of the right size": _has_a_board,
    "clear_board forgets everything": _clears_the_board,
    "knows b, w, black and white": _knows_the_colours,
    "refuses illegal moves and keeps its board": _refuses_illegal_moves,
    "undo takes back play and genmove": _takes_moves_back,
    "shows the board": _shows_the_board,
    "accepts lost turns": _accepts_lost_turns,
}
LAST: dict[str, Check] = {
    "answers quit and exits with code 0": _quits,
    "exits when its input ends": _ends_with_its_input,
}


class Result(NamedTuple):
    """The result of one check: ``status`` is ok, failed or skipped; the rest explains it."""

    check: str
    status: str
    sent: str = ""
    received: str = ""
    expected: str = ""
    advice: str = ""


def examine(
    arguments: Sequence[str], books: Sequence[Book], seconds: float, seed: int
) -> Iterator[Result]:
    """The result of each check, as soon as it is known."""
    program = CheckedProgram(arguments, [book.game for book in books], seconds)
    games = {
        f"plays {book.id} ({book.reading}) by its rules": partial(
            _plays_legally, game=book.game, seed=seed
        )
        for book in books
    }
    try:
        for name, check in (FIRST | games | LAST).items():
            yield _run(name, check, program)
            if check is _answers and program.silences:
                reason = "it does not answer the first command"
                yield Result("everything else", "skipped", advice=reason)
                return
    finally:
        program.stop()


def _run(name: str, check: Check, program: CheckedProgram) -> Result:
    """Run one check; after a failure the program is restarted for the next check."""
    program.log.clear()
    try:
        check(program)
    except Failed as failure:
        program.stop()
        return Result(name, "failed", *failure.args)
    except Skipped as skipped:
        return Result(name, "skipped", advice=str(skipped))
    return Result(name, "ok")
