"""One turn of a computer at the referee's table: it moves, resigns, or forfeits the game."""

from ninefold.players import Chance, NoMove, Player
from ninefold.referee import Referee
from ninefold.referee.events import Event


def take_turn(referee: Referee, player: Player, chance: Chance, now: float) -> list[Event]:
    """Let the computer whose turn it is act; the events it caused."""
    position, seat = referee.position, referee.position.turn
    player.follow(referee.first, referee.moves)
    try:
        move = player.choose(position, referee.plies, chance)
    except NoMove as failure:
        if failure.code == "resign":
            return referee.resign(seat)
        return referee.forfeit(seat, failure.code, failure.reason)
    return referee.answer(seat, move, now)
