"""Games that follow from others: an opponent joins, the same two again, or on from a position."""

import secrets
import string

from ninefold.coach.review import only_human
from ninefold.core.errors import Illegal
from ninefold.new_game import check_name
from ninefold.players import MAX_NAME
from ninefold.record.text import format_fact, format_settings
from ninefold.session import timestamp
from ninefold.web.server.game_rows import read_settings
from ninefold.web.server.hosted import Hosted
from ninefold.web.server.store import GameRow, StoredEvent, wall_time

_ORDERED = "".join(sorted(f"{string.ascii_letters}{string.digits}-_"))
# What an opponent is called who has not joined yet.
WAITING = "Opponent"


def new_id() -> str:
    """The id of a game, which nobody can guess.

    It begins with the time: so games of one time are neighbours in the database, and a group of
    moves changes few of its pages.
    """
    time = wall_time() >> 4
    begin = "".join([_ORDERED[time >> shift & 63] for shift in (30, 24, 18, 12, 6, 0)])
    return begin + secrets.token_urlsafe(12)


def next_game(game: Hosted, now: int) -> tuple[Hosted, list[StoredEvent]]:
    """The game after this one, begun at once, with its events. After a match, a new one begins."""
    outcome = game.referee.outcome
    assert outcome is not None, "the game is over"
    winners = f"{game.row.winners} {outcome.winner or 0}".lstrip()
    is_new_match = game.row.wins is not None and not game.match_goes_on
    settings = game.settings._replace(
        first=3 - game.settings.first,
        date=timestamp(),
        seed=game.settings.seed + 1,
        given=None,
    )
    row = game.row._replace(
        id=new_id(),
        created=wall_time(),
        state="playing",
        listed=False,
        settings=format_settings(settings),
        winners="" if is_new_match else winners,
        wake=None,
        winner=None,
    )
    events = [StoredEvent(1, now, "begun", "")]
    following = Hosted(row, events, game.book, settings)
    following.row = following.row_now(now)
    return following, events


def played_on(
    game: Hosted, plies: int, who: str, name: str, now: int
) -> tuple[Hosted, list[StoredEvent]]:
    """A game of this player that begins after so many moves of another one; raises NinefoldError.

    The same computer is the opponent, or else whoever has the link.
    """
    referee, settings = game.referee, game.settings
    if referee.outcome is None:
        raise Illegal("not-over", "The game is not over.")
    if not 0 <= plies < len(referee.positions) or referee.positions[plies].outcome is not None:
        raise Illegal("no-such-position", "Nobody can play on from there.")
    alone = only_human(settings.humans)
    # The owner of a game has the first seat, so seats may change; who began does not.
    seat = game.seat_of(who) or alone or referee.positions[plies].turn
    other = settings.players[2 - seat] if alone else WAITING
    settings = settings._replace(
        player1=name,
        player2=other_name(name, other),
        seat2=settings.seats[2 - seat],
        first=settings.first if seat == 1 else 3 - settings.first,
        date=timestamp(),
        seed=secrets.randbits(32),
        given=plies or None,
    )
    facts = [format_fact(fact, at).strip() for at, fact in enumerate(referee.made[:plies], 1)]
    kinds = {"given": "\n".join(facts)} if facts else {}
    kinds |= {"begun": ""} if alone else {}
    events = [StoredEvent(at, now, *kind) for at, kind in enumerate(kinds.items(), 1)]
    row = GameRow(
        id=new_id(),
        created=wall_time(),
        state="playing" if alone else "open",
        listed=False,
        who1=who,
        who2=None,
        settings=format_settings(settings),
        book=game.row.book,
        wins=None,
        winners="",
        wake=None,
        title=game.row.title,
    )
    begun = Hosted(row, events, game.book)
    begun.row = begun.row_now(now)
    return begun, events


def with_opponent(row: GameRow, who: str, name: str) -> GameRow:
    """An open game with its opponent."""
    settings = read_settings(row.settings)
    other = other_name(settings.player1, name)
    written = format_settings(settings._replace(player2=other))
    return row._replace(who2=who, settings=written, state="playing")


def other_name(taken: str, name: str) -> str:
    """The name, or another one if both players would be called the same."""
    if name.casefold() != taken.casefold():
        return name
    return check_name(f"{name[: MAX_NAME - 4]} (2)")
