"""The addresses for learning: an analysis board, puzzles, and what is due."""

from starlette.responses import Response

from ninefold import books
from ninefold.players import LEVELS, SECONDS
from ninefold.web.server import learn_answers as answers
from ninefold.web.server.fields import (
    Fields,
    described,
    list_of,
    number,
    one_of,
    optional,
    text,
    whole,
)
from ninefold.web.server.learn import Learner
from ninefold.web.server.requests import CHANGES, MAX_KEY, MAX_MOVE, READING
from ninefold.web.server.routes import ID, RULES, WORK, Ask, Route
from ninefold.web.server.view import Json
from ninefold.web.server.work.analysis import MOST_SECONDS
from ninefold.web.server.work.boards import MOST_FRAMES
from ninefold.web.server.work.given import BookSpec
from ninefold.web.server.work.puzzles import MOST_PUZZLES, PuzzleSpec

# So many moves lead to a position; whoever runs out of time often may lose many turns.
MAX_MOVES = 1_000
_MOVE = text("A move as in records: 4, pass, swap, declare:3:5:7.", MAX_MOVE)
_BOOK: Fields = {
    "game": described(ID, "A built-in game, or a rule book that somebody saved."),
    "reading": READING,
    "changes": CHANGES,
}
_POSITION: Fields = {
    **_BOOK,
    "moves": optional(list_of("The moves from the start on.", _MOVE, MAX_MOVES), []),
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
    return _text(await ask.server.learn.about(await _book(ask), ask.address))


async def analyse(ask: Ask) -> Response:
    """What every move of a position is worth, why, and how the game goes on."""
    learn, seconds = ask.server.learn, ask.given["seconds"]
    return _text(await learn.analyse(await _position(ask), seconds, ask.address))


async def show_line(ask: Ask) -> Json:
    """The board after each move of a line of play."""
    return await ask.server.learn.line(await _position(ask), ask.given["line"], ask.address)


async def show_daily(ask: Ask) -> Json:
    """The puzzle of a day, by default of today: the same for everyone."""
    return await ask.server.learn.daily(ask.given["day"], await _learner(ask))


async def choose_puzzles(ask: Ask) -> Json:
    """Some puzzles of a game; those that you have not answered come first."""
    wanted = {name: ask.given[name] for name in ("rating", "count", "seed")}
    wanted["book"] = await _book(ask)
    return await ask.server.learn.puzzles(wanted, await _learner(ask))


async def answer_puzzle(ask: Ask) -> Json:
    """Whether a number wins, and why or why not; your result is kept."""
    learner, wanted = await _learner(ask), (ask.given["move"], ask.given["attempt"])
    return await ask.server.learn.answer(await _position(ask), *wanted, learner)


async def show_hint(ask: Ask) -> Json:
    """A hint for a puzzle, in three steps."""
    learner, wanted = await _learner(ask), (ask.given["step"], ask.given["attempt"])
    return await ask.server.learn.hint(await _position(ask), *wanted, learner)


async def list_lessons(ask: Ask) -> Json:
    """What you missed in your games and puzzles, and when to practise it."""
    return await ask.server.learn.lessons(await _learner(ask))


async def _learner(ask: Ask) -> Learner:
    return Learner((await ask.visitor()).who, ask.address)


def _text(found: str) -> Response:
    return Response(found, media_type="application/json")


async def _book(ask: Ask) -> BookSpec:
    """The book that is asked for; raises NinefoldError."""
    name, reading, changes = (ask.given[field] for field in _BOOK)
    spec: BookSpec = {"game": name, "reading": reading, "changes": changes}
    if name in books.names():
        return spec
    return {**spec, "copy": (await ask.server.store.books.open(name)).copy}


async def _position(ask: Ask) -> PuzzleSpec:
    return {"book": await _book(ask), "moves": ask.given["moves"], "first": ask.given["first"]}


_RULES = (*RULES, "pool-size", "too-many-sets")
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
        errors=(*WORK, "unreadable"),
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
    Route("GET", "/api/learn/lessons", list_lessons, answers.LESSONS, errors=WORK),
)
