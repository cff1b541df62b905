"""A game between two computer players, from the first move to the last, without any record."""

from contextlib import ExitStack

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.core.text import NamedTuple
from ninefold.players import PYTHON, Player, UnknownPlayer, Who, make
from ninefold.referee import Referee, take_turn
from ninefold.referee.events import Forfeited
from ninefold.referee.settings import GameSettings


class PlayedGame(NamedTuple):
    """The moves of a finished game, how it ended, and what went wrong if a player forfeited it."""

    moves: tuple[Move, ...]
    outcome: Outcome
    fault: str


def play(game: Game, players: tuple[Who, Who], seed: int = 0, first: int = 1) -> PlayedGame:
    """Let two players finish a game, by the referee; raises UnknownPlayer."""
    referee = Referee(game, _settings(game, players, seed, first))
    seats, fault = [_computer(who, game) for who in players], ""
    with ExitStack() as stack:
        for player in seats:
            stack.callback(player.close)
            player.begin(game, None)
        while referee.outcome is None:
            for event in take_turn(referee, seats[referee.position.turn - 1], 0.0):
                fault = event.detail if isinstance(event, Forfeited) else fault
    return PlayedGame(tuple(referee.moves), referee.outcome, fault)


def _computer(who: Who, game: Game) -> Player:
    player = make(who, game)
    if player is None:
        raise UnknownPlayer("unknown-player", "A person cannot play here.", "Use ninefold play.")
    return player


def _settings(game: Game, players: tuple[Who, Who], seed: int, first: int) -> GameSettings:
    one, two = (who if isinstance(who, str) else f"{PYTHON}object" for who in players)
    return GameSettings(
        game=game.name,
        reading="",
        rules=game.fingerprint,
        date="",
        player1="Player 1",
        player2="Player 2",
        seat1=one,
        seat2=two,
        first=first,
        time_limit=None,
        on_timeout="lose",
        seed=seed,
    )
