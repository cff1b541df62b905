"""What the pages for playing ask for besides the game itself."""

from ninefold.web.server import answers
from ninefold.web.server.fields import whole
from ninefold.web.server.routes import FIND, WORK, Ask, Route
from ninefold.web.server.view import Json, about_book

MAX_MOVES = 10**6


async def show_about(ask: Ask) -> Json:
    """What does not change during a game: its rules, its clock, and the words on the board."""
    game = (await ask.server.games.find(ask.given["game"])).game
    book = game.book
    named = {
        "game": game.row.book or book.id,
        "reading": book.reading,
        "changes": book.changes,
    }
    return {
        **game.summary(),
        **about_book(book),
        "listed": game.row.listed,
        "people": game.settings.humans,
        "book": named,
    }


async def show_review(ask: Ask) -> Json:
    """Every move of a finished game with its verdict; or how far that is, if it takes long."""
    game = (await ask.server.games.find(ask.given["game"])).game
    who = await ask.identify()
    seat = game.seat_of(who and who.who)
    return await ask.server.reviews.find(game, seat, ask.address)


async def play_on(ask: Ask) -> Json:
    """A new game after some moves of a finished one, against the same computer or by a link."""
    who = await ask.visitor()
    games, given = ask.server.games, ask.given
    table = await games.play_on(given["game"], given["moves"], who, ask.address)
    return table.game.summary()


_PLAY_ON = {"moves": whole("How many moves to take over.", 0, MAX_MOVES)}
ROUTES = (
    Route("GET", "/api/games/{game}/about", show_about, answers.ABOUT, errors=FIND),
    Route(
        "GET",
        "/api/games/{game}/review",
        show_review,
        answers.REVIEW,
        errors=(*FIND, *WORK, "not-over"),
    ),
    Route(
        "POST",
        "/api/games/{game}/play-on",
        play_on,
        answers.SUMMARY,
        _PLAY_ON,
        errors=(*FIND, "not-over", "no-such-position"),
        status=201,
    ),
)
