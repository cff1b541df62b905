"""A game between two computer players, from the first move to the last, without any record."""

from contextlib import ExitStack

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.core.text import NamedTuple
from ninefold.players import PYTHON, Player, UnknownPlayer, Who, make
from ninefold.referee import Referee, take_turn
from ninefold.referee.events import Forfeited, SetAside
from ninefold.referee.settings import GameSettings

# A game that is not over by then is a draw; only games in which turns can be lost come near.
MOST_MOVES = 1_000


class PlayedGame(NamedTuple):
    """The moves of a finished game, how it ended, and what went wrong if a player forfeited it."""

    moves: tuple[Move, ...]
    outcome: Outcome
    fault: str


def play(
    game: Game,
    players: tuple[Who, Who],
    seed: int = 0,
    first: int = 1,
    most_moves: int = MOST_MOVES,
) -> PlayedGame:
    """Let two players finish a game, by the referee; raises UnknownPlayer.

    After so many moves it is a draw with the reason ``move-limit``; if both give their turns away
    again and again, the reason is ``set-aside``.
    """
    referee = Referee(game, settings_of(game, players, seed, first))
    seats, fault, ended = [_computer(who, game) for who in players], "", None
    with ExitStack() as stack:
        for player in seats:
            stack.callback(player.close)
            player.begin(game, None)
        while ended is None:
            for event in take_turn(referee, seats[referee.position.turn - 1], 0.0):
                fault = event.detail if isinstance(event, Forfeited) else fault
                ended = Outcome(None, "set-aside") if isinstance(event, SetAside) else ended
            ended = referee.outcome or ended
            if ended is None and referee.plies >= most_moves:
                ended = Outcome(None, "move-limit")
    return PlayedGame(tuple(referee.moves), ended, fault)


def _computer(who: Who, game: Game) -> Player:
    player = make(who, game)
    if player is None:
        raise UnknownPlayer("unknown-player", "A person cannot play here.", "Use ninefold play.")
    return player


def settings_of(game: Game, players: tuple[Who, Who], seed: int, first: int) -> GameSettings:
    """The settings of a game between two computer players, without a clock."""
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
