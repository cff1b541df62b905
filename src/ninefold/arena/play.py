"""Plays games of one pairing: all of them in step, one after the other, or in threads."""

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from os import makedirs

from ninefold.arena.game import GameInProgress, Limits, Start
from ninefold.arena.nodes import nodes_for
from ninefold.arena.seats import TRANSCRIPTS, Seat, seat_for
from ninefold.arena.threads import play_in_threads
from ninefold.core.game import Game
from ninefold.core.moves import Move, parse_moves
from ninefold.players import Who


def play_games(
    rules: Game,
    players: tuple[Who, Who],
    starts: Sequence[Start],
    limits: Limits,
    done: Container[str] = (),
) -> Iterator[list[str]]:
    """The rows of these games, as they are finished; raises UnknownPlayer and PlayStopped.

    Those that are done, by their ids, are left out.
    """
    if limits.folder:
        makedirs(f"{limits.folder}/{TRANSCRIPTS}", exist_ok=True)
    with ExitStack() as stack:
        seats = _sit_down(rules, players, limits, stack)
        apart = [seat for seat in seats if seat.is_apart]
        if apart or not any(seat.is_batched for seat in seats):
            starts = [start for start in starts if start.heading.id not in done]
        if not apart:
            games = _play_in_step(rules, seats, starts, limits)
            # Batched agents are given the same batches as if nothing had been done before.
            yield [game.row() for game in games if game.start.heading.id not in done]
        elif min(seat.concurrency for seat in apart) == 1:
            for start in starts:
                yield [_play_alone(rules, seats, start, limits)]
        else:
            yield from _play_at_once(rules, players, starts, limits, apart)


def _sit_down(
    rules: Game, players: tuple[Who, Who], limits: Limits, stack: ExitStack
) -> tuple[Seat, Seat]:
    """Both players, who leave with the stack."""
    one, two = (seat_for(who, rules, limits) for who in players)
    stack.callback(one.close)
    stack.callback(two.close)
    return one, two


@lru_cache(maxsize=1 << 10)
def _moves_of(opening: str) -> tuple[Move, ...]:
    """The moves of an opening, which many games share."""
    return tuple(parse_moves(opening))


def _begin(rules: Game, seats: tuple[Seat, Seat], start: Start, limits: Limits) -> GameInProgress:
    """A game after its opening."""
    node, opening = nodes_for(rules).start(), _moves_of(start.opening)
    for move in opening:
        node = node.play(move)
    one, two = (seats[at] for at in start.seats)
    return GameInProgress(start, node, (one, two), opening, limits)


def _play_in_step(
    rules: Game, seats: tuple[Seat, Seat], starts: Sequence[Start], limits: Limits
) -> list[GameInProgress]:
    """All games at once; each batched player is asked once per step."""
    games = [_begin(rules, seats, start, limits) for start in starts]
    for number, game in enumerate(games):
        game.number = number
    going = games
    while going:
        waiting: dict[Seat, list[GameInProgress]] = {}
        for game in going:
            while game.ending is None:
                seat = game.players[game.node.turn - 1]
                if seat.is_batched:
                    waiting.setdefault(seat, []).append(game)
                    break
                seat.move(game)
        for seat, asked in waiting.items():
            seat.move_all(asked)
        going = [game for game in going if game.ending is None]
    return games


def _play_alone(
    rules: Game,
    seats: tuple[Seat, Seat],
    start: Start,
    limits: Limits,
    is_over: Callable[[], bool] = lambda: False,
) -> str:
    """One game from its opening to its end; nothing if everything is over before."""
    game = _begin(rules, seats, start, limits)
    for seat in game.players:
        seat.begin(game)
    while game.ending is None:
        if is_over():
            return ""
        game.players[game.node.turn - 1].move(game)
    return game.row()


def _play_at_once(
    rules: Game,
    players: tuple[Who, Who],
    starts: Sequence[Start],
    limits: Limits,
    apart: Sequence[Seat],
) -> Iterator[list[str]]:
    """Each game in a thread with players of its own, as many as the players can take."""

    def play(start: Start, is_over: Callable[[], bool]) -> str:
        with ExitStack() as stack:
            seats = _sit_down(rules, players, limits, stack)
            return _play_alone(rules, seats, start, limits, is_over)

    most = min(len(starts), *(seat.concurrency for seat in apart if seat.concurrency > 1))
    yield from play_in_threads(play, starts, most)
