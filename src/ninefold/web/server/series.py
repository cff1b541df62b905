"""The next game of a match, and a rematch: the same again, with the other player first."""

import secrets

from ninefold.record.text import format_settings
from ninefold.session import timestamp
from ninefold.web.server.hosted import Hosted
from ninefold.web.server.store import StoredEvent, wall_time


def new_id() -> str:
    """The id of a game, which nobody can guess."""
    return secrets.token_urlsafe(12)


def next_game(game: Hosted, now: int) -> tuple[Hosted, list[StoredEvent]]:
    """The game after this one, begun at once, with its events. After a match, a new one begins."""
    outcome = game.referee.outcome
    assert outcome is not None, "the game is over"
    match = game.match.add(outcome.winner)
    winners = " ".join(str(winner or 0) for winner in match.winners)
    settings = game.settings._replace(
        first=3 - game.settings.first, date=timestamp(), seed=game.settings.seed + 1
    )
    row = game.row._replace(
        id=new_id(),
        created=wall_time(),
        state="playing",
        listed=False,
        settings=format_settings(settings),
        winners="" if game.row.wins is not None and match.over else winners,
        wake=None,
    )
    events = [StoredEvent(1, now, "begun", "")]
    following = Hosted(row, events)
    following.row = following.row_now(now)
    return following, events
