"""The addresses for learning: an analysis board, puzzles, and what is due."""

from starlette.responses import Response

from ninefold import books
from ninefold.players import LEVELS, SECONDS
from ninefold.web.server import learn_answers as answers
from ninefold.web.server.fields import Fields, list_of, number, one_of, optional, text, whole
from ninefold.web.server.guard import address_of
from ninefold.web.server.learn import Learner
from ninefold.web.server.requests import MAX_KEY, MAX_MOVE
from ninefold.web.server.routes import Ask, Route
from ninefold.web.server.view import Json
from ninefold.web.server.work.analysis import MOST_SECONDS
from ninefold.web.server.work.boards import MOST_FRAMES
from ninefold.web.server.work.given import MAX_CHANGES, BookSpec
from ninefold.web.server.work.puzzles import MOST_PUZZLES, PuzzleSpec

_MOVE = text("A move as in records: 4, pass, swap, declare:3:5:7.", MAX_MOVE)
_BOOK: Fields = {
    "game": one_of("The id of a game.", *books.names()),
    "reading": optional(text("A rules variant of this game; without it, the usual one.", 60)),
    "changes": optional(
        list_of("Changes of its rules.", text("Such as pool=1-12.", 200), MAX_CHANGES), []
    ),
}
_POSITION: Fields = {
    **_BOOK,
    "moves": optional(list_of("The moves from the start on.", _MOVE, MOST_FRAMES), []),
    "first": optional(one_of("Who goes first.", 1, 2), 1),
}
_ANALYSIS: Fields = {
    **_POSITION,
    "seconds": optional(
        number("How long to look for proofs in a large game.", 0, MOST_SECONDS), SECONDS
    ),
}
_LINE: Fields = {**_POSITION, "line": list_of("The moves to show.", _MOVE, MOST_FRAMES)}
_PUZZLES: Fields = {
    **_BOOK,
    "rating": optional(whole("Only puzzles as hard as this.", min(LEVELS), max(LEVELS))),
    "count": optional(whole("How many.", 0, MOST_PUZZLES), 10),
    "seed": optional(whole("The same seed chooses the same puzzles.", 0, 2**32 - 1), 0),
}
_ATTEMPT = text("An id for this attempt, of your choice. Only its first result counts.", MAX_KEY)
_ANSWER: Fields = {**_POSITION, "move": _MOVE, "attempt": _ATTEMPT}
_HINT: Fields = {
    **_POSITION,
    "step": whole("1 shows an area, 2 the number, 3 why; from 2 on it is missed.", 1, 3),
    "attempt": _ATTEMPT,
}


async def show_book_about(ask: Ask) -> Response:
    """The rules of a game in words, and the words on its board."""
    return _text(await ask.server.learn.about(_book(ask), _client(ask)))


async def analyse(ask: Ask) -> Response:
    """What every move of a position is worth, why, and how the game goes on."""
    learn, client = ask.server.learn, _client(ask)
    found = await learn.analyse(_position(ask), ask.given["seconds"], client)
    return _text(found)


async def show_line(ask: Ask) -> Json:
    """The board after each move of a line of play."""
    return await ask.server.learn.line(_position(ask), ask.given["line"], _client(ask))


async def show_daily(ask: Ask) -> Json:
    """The puzzle of a day, by default of today: the same for everyone."""
    return await ask.server.learn.daily(ask.given["day"], await _learner(ask))


async def choose_puzzles(ask: Ask) -> Json:
    """Some puzzles of a game; those that you have not answered come first."""
    wanted = {name: ask.given[name] for name in ("rating", "count", "seed")}
    return await ask.server.learn.puzzles({"book": _book(ask), **wanted}, await _learner(ask))


async def answer_puzzle(ask: Ask) -> Json:
    """Whether a number wins, and why or why not; your result is kept."""
    learner, wanted = await _learner(ask), (ask.given["move"], ask.given["attempt"])
    return await ask.server.learn.answer(_position(ask), *wanted, learner)


async def show_hint(ask: Ask) -> Json:
    """A hint for a puzzle, in three steps."""
    learner, wanted = await _learner(ask), (ask.given["step"], ask.given["attempt"])
    return await ask.server.learn.hint(_position(ask), *wanted, learner)


async def list_lessons(ask: Ask) -> Json:
    """What you missed in your games and puzzles, and when to practise it."""
    return await ask.server.learn.lessons(await _learner(ask))


async def _learner(ask: Ask) -> Learner:
    return Learner((await ask.visitor()).who, _client(ask))


def _text(found: str) -> Response:
    return Response(found, media_type="application/json")


def _client(ask: Ask) -> str:
    # An identity costs nothing; an address does.
    return address_of(ask.request.scope)


def _book(ask: Ask) -> BookSpec:
    given = ask.given
    return {"game": given["game"], "reading": given["reading"], "changes": given["changes"]}


def _position(ask: Ask) -> PuzzleSpec:
    return {"book": _book(ask), "moves": ask.given["moves"], "first": ask.given["first"]}


_WORK = ("busy", "closing", "failed", "took-too-long", "too-large")
_RULES = (*_WORK, "bad-book", "pool-size", "too-many-sets", "unknown-reading")
_PLAYED = (
    *_RULES,
    "asked",
    "game-over",
    "no-clock",
    "no-declaring",
    "no-pass",
    "no-swap",
    "not-a-set",
    "not-in-hand",
    "not-in-pool",
    "opening",
    "restricted",
    "taken",
    "unreadable",
)
_SOLVED = (*_PLAYED, "no-puzzle", "not-a-number")
_DAY = {"day": optional(text("Such as 2026-01-31.", 10, r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))}
ROUTES = (
    Route("POST", "/api/learn/about", show_book_about, answers.ABOUT, _BOOK, errors=_RULES),
    Route("POST", "/api/learn/analysis", analyse, answers.ANALYSIS, _ANALYSIS, errors=_PLAYED),
    Route("POST", "/api/learn/line", show_line, answers.FRAMES, _LINE, errors=_PLAYED),
    Route(
        "GET",
        "/api/learn/daily",
        show_daily,
        answers.DAILY,
        query=_DAY,
        errors=(*_WORK, "unreadable"),
    ),
    Route(
        "POST",
        "/api/learn/puzzles",
        choose_puzzles,
        answers.PUZZLES,
        _PUZZLES,
        errors=(*_RULES, "no-puzzle"),
    ),
    Route("POST", "/api/learn/answer", answer_puzzle, answers.ANSWERED, _ANSWER, errors=_SOLVED),
    Route("POST", "/api/learn/hint", show_hint, answers.HINTED, _HINT, errors=_SOLVED),
    Route("GET", "/api/learn/lessons", list_lessons, answers.LESSONS, errors=_WORK),
)
