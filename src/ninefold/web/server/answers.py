"""What the server answers, as fields: the document shows them, and tests hold answers to them."""

from ninefold.web.server.fields import (
    Field,
    Fields,
    an_object,
    one_of,
    optional,
    or_null,
    several,
    some,
)

_SEAT = one_of("1 or 2; 0 for nobody.", 0, 1, 2)
_NUMBER = some("", "integer")
_NAMES = several(some("", "string"), "Both players.")
_BOTS = several(_NUMBER, "The seats of bots.")
SECONDS = or_null(some("Seconds; null without such a clock.", "number"))
STATE = one_of(
    "Whether it waits for an opponent, no longer does, is being played, or is over.",
    "open",
    "withdrawn",
    "playing",
    "over",
)

_TIMES: Fields = {"time_limit": SECONDS, "game_time": SECONDS, "increment": SECONDS}
_SUMMARY: Fields = {
    "id": some("", "string"),
    "state": STATE,
    "title": some("The game and its rules variant.", "string"),
    "names": _NAMES,
    "computers": several(some("", "string"), "The kinds of computer players."),
    "bots": _BOTS,
    "first": one_of("Who goes first.", 1, 2),
    "wins": or_null(some("How many wins decide the match.", "integer")),
    "created": some("Milliseconds since 1970.", "integer"),
    **_TIMES,
    "clock": some("The clock in words, also if there is none.", "string"),
    "length": some("The length of the match in words, also of a single game.", "string"),
    "terms": several(some("", "string"), "Both, but only what is not the usual."),
}
SUMMARY = an_object("Game", _SUMMARY)
_MINE: Fields = {
    **_SUMMARY,
    "you": one_of("My seat.", 1, 2),
    "turn": _SEAT,
    "winner": or_null(_SEAT),
    "status": some("Whose turn it is, or who has won, in words.", "string"),
}
GAMES = an_object("", {"games": several(an_object("MyGame", _MINE))})
OPEN_GAMES = an_object(
    "",
    {
        "games": several(SUMMARY),
        "mine": several(some("", "string"), "The ids of those that I can withdraw."),
    },
)

_ASK = some("A question to ask first.", "string")
_TILE = an_object(
    "Tile",
    {
        "number": _NUMBER,
        "owner": _SEAT,
        "free": some("Whether it can be taken now.", "boolean"),
        "worth": optional(some("What it counts, if that is not its number.", "integer")),
        "why": optional(some("Why a number that is left may not be taken.", "string")),
        "last": optional(some("It was taken last.", "boolean")),
        "lit": optional(some("It decided the game.", "boolean")),
    },
)
_MOVE = an_object(
    "",
    {
        "seat": _SEAT,
        "move": some("As in records.", "string"),
        "text": some("The same for people.", "string"),
        "number": or_null(_NUMBER),
    },
)
_CONTROL = an_object(
    "",
    {
        "move": some("What to send as the move.", "string"),
        "label": some("", "string"),
        "choose": optional(several(_NUMBER, "It is completed by some of these.")),
        "ask": optional(_ASK),
    },
)
_ACTION = an_object(
    "",
    {
        "action": some("What to send as the type.", "string"),
        "label": some("", "string"),
        "ask": optional(_ASK),
    },
)
VIEW: Fields = {
    "title": some("The game and its rules variant.", "string"),
    "names": _NAMES,
    "first": one_of("Who went first.", 1, 2),
    "bots": _BOTS,
    "you": one_of("Your seat; 0 for a spectator.", 0, 1, 2),
    "turn": one_of("Whose turn it is; 0 after the end.", 0, 1, 2),
    "status": some("Whose turn it is, or who has won, in words.", "string"),
    "tiles": several(_TILE),
    "hands": several(several(_NUMBER), "The numbers of both players."),
    "moves": several(_MOVE),
    "over": or_null(an_object("", {"winner": or_null(_SEAT), "text": some("Why.", "string")})),
    "controls": several(_CONTROL, "Your moves besides numbers."),
    "actions": several(_ACTION, "What else you can do now."),
    "score": several(_NUMBER, "The wins of both players."),
    "match": or_null(an_object("", {"wins": _NUMBER, "over": some("", "boolean")})),
    "prompt": some("A question that is open.", "string"),
    "ask": optional(
        some("A question to ask before a {number} that is not free: it costs the turn.", "string")
    ),
}
_CLOCKS = an_object(
    "",
    {
        "running": _SEAT,
        "limit": or_null(some("Seconds per turn.", "number")),
        "left": several(SECONDS, "For the rest of the game."),
        "deadline": or_null(some("Seconds until the player runs out of time.", "number")),
    },
)
_ENTRY = an_object(
    "",
    {
        "seq": _NUMBER,
        "kind": some("", "string"),
        "seat": one_of("The player it is about; 0 for nobody.", 0, 1, 2),
        "text": some("What happened, to anybody.", "string"),
        "yours": some("The same to that player.", "string"),
    },
)
EVENT = an_object(
    "Event",
    {
        "type": one_of("", "event"),
        "game": some("The id of the game.", "string"),
        "seq": some("The number of the newest event.", "integer"),
        "state": STATE,
        "next": or_null(some("The id of the next game, once there is one.", "string")),
        "events": several(_ENTRY),
        "clocks": or_null(_CLOCKS),
        "view": an_object("View", VIEW),
    },
)
_READING = an_object("", {"name": some("", "string"), "summary": some("How it differs.", "string")})
BOOK = an_object(
    "Book",
    {
        "id": some("", "string"),
        "title": some("", "string"),
        "summary": some("", "string"),
        "reading": some("The rules variant.", "string"),
        "readings": several(_READING, "The rules variants."),
    },
)
BOOKS = an_object(
    "",
    {
        "games": several(BOOK),
        "opponents": several(
            an_object(
                "",
                {
                    "kind": some("What to send as the opponent.", "string"),
                    "name": some("", "string"),
                    "plays": some("How it plays.", "string"),
                },
            )
        ),
        "computers": several(some("", "string"), "The opponents that are computer players."),
        "clocks": several(an_object("", {"label": some("", "string"), **_TIMES}), "A selection."),
        "matches": several(
            an_object("", {"label": some("", "string"), "wins": or_null(_NUMBER)}), "A selection."
        ),
    },
)
_PARAGRAPH = an_object("", {"text": some("", "string"), "is_heading": some("", "boolean")})
ABOUT_BOOK: Fields = {
    "goal": some("What the game is about, in a line.", "string"),
    "rules": several(_PARAGRAPH),
    "pool": several(an_object("", {"number": _NUMBER, "worth": or_null(_NUMBER)})),
    "markers": several(some("", "string"), "The letters of both players."),
    "words": some("The words on the board by what they are for.", "object"),
}
ABOUT = an_object(
    "About",
    {
        **_SUMMARY,
        **ABOUT_BOOK,
        "listed": some("Whether anyone could join.", "boolean"),
        "people": several(some("", "boolean"), "Whether each player is a person."),
        "book": an_object(
            "",
            {
                "game": some("The id of a built-in game or a stored rule book.", "string"),
                "reading": some("Its rules variant.", "string"),
                "changes": several(some("", "string"), "Changes to its rules."),
            },
        ),
    },
)
_POSITION: Fields = {
    "turn": one_of("", 1, 2),
    "hands": several(several(_NUMBER), "The numbers of both players."),
    "over": some("Whether the rules end the game here.", "boolean"),
}
_VALUE = an_object(
    "Value",
    {
        "value": or_null(one_of("For the player who moves.", "win", "draw", "loss")),
        "plies": or_null(some("In how many moves.", "integer")),
        "proved": some("", "boolean"),
    },
)
_NOTATIONS = several(some("", "string"), "Moves as records write them.")
_JUDGED = an_object(
    "JudgedMove",
    {
        "ply": _NUMBER,
        "player": one_of("", 1, 2),
        "move": some("As records write it.", "string"),
        "label": some("As people read it.", "string"),
        "number": or_null(_NUMBER),
        "verdict": some("A code.", "string"),
        "words": some("The verdict in words, and what was better.", "string"),
        "text": some("The same, with who did what.", "string"),
        "mistake": some("Whether it threw away a win or a draw.", "boolean"),
        "before": _VALUE,
        "after": _VALUE,
        "standing": or_null(_SEAT),
        "proved": some("Whether it is proved who wins after it.", "boolean"),
        "better": _NOTATIONS,
        "defence": or_null(some("The best defence of a lost position.", "object")),
        "line": _NOTATIONS,
        "line_words": some("", "string"),
        "steps": several(
            an_object("", {"text": some("", "string"), "number": or_null(_NUMBER), **_POSITION}),
            "The line after the best move, step by step.",
        ),
    },
)
_REVIEW = an_object(
    "Review",
    {
        "names": _NAMES,
        "reader": or_null(one_of("Who is called you.", 1, 2)),
        "ended": some("How the game ended.", "string"),
        "overview": some("What decided the game, and how well both played.", "string"),
        "legend": some("What the signs of a chart mean.", "string"),
        "decided": or_null(some("The move that decided the game.", "integer")),
        "standing": or_null(_SEAT),
        "proved": some("Whether every verdict is proved.", "boolean"),
        "players": several(some("Counts of moves.", "object")),
        "moves": several(_JUDGED),
        "positions": several(an_object("", _POSITION), "Before the first move and after each."),
        "lit": several(_NUMBER, "The numbers that decided the game."),
        "printed": an_object(
            "",
            {
                "legend": some("", "string"),
                "overview": some("", "string"),
                "moves": several(some("", "string"), "With the names of both, for anybody."),
            },
        ),
    },
)
REVIEW = an_object(
    "",
    {
        "review": or_null(_REVIEW),
        "progress": or_null(
            an_object("", {"move": _NUMBER, "of": _NUMBER}),
        ),
    },
)
ME = an_object(
    "", {"name": some("", "string"), "account": some("Whether I have signed in.", "boolean")}
)
TOKEN = an_object("", {"token": some("Shown only once.", "string"), "name": some("", "string")})
_BOT: Fields = {
    "id": some("", "string"),
    "name": some("", "string"),
    "created": some("Milliseconds since 1970.", "integer"),
}
BOTS = an_object("", {"bots": several(an_object("Bot", _BOT))})
_STORED: Fields = {
    "id": some("", "string"),
    "created": some("Milliseconds since 1970.", "integer"),
    "state": STATE,
    "seat": one_of("Mine, or that of my bot.", 1, 2),
    "bot": or_null(some("The name of my bot that plays; null if I do.", "string")),
    "record": some("The game as a record.", "string"),
    "book": optional(some("Its rule book, if that is not a built-in one.", "string")),
}
DATA = an_object(
    "",
    {
        "name": some("", "string"),
        "registered": or_null(some("Milliseconds since 1970.", "integer")),
        "bots": several(some("", "object")),
        "sessions": several(some("", "object"), "When I signed in on each device."),
        "answers": several(some("", "object")),
        "rule_books": several(some("", "object")),
        "texts": some("The texts of my rule books by their ids.", "object"),
        "games": several(an_object("StoredGame", _STORED)),
    },
)
_READY_BOT: Fields = {
    "id": some("The opponent of a new game is bot:ID.", "string"),
    "name": some("", "string"),
    "games": or_null(several(some("", "string"), "The games it plays; null for all.")),
}
READY_BOTS = an_object("", {"bots": several(an_object("ReadyBot", _READY_BOT))})
RULES = an_object(
    "Rules",
    {
        "game": some("The name of the game.", "string"),
        "rules": some("The rules, as in a rule book.", "object"),
        "sets": optional(several(several(_NUMBER), "All winning sets, up to 1,000.")),
    },
)
DONE = an_object("", {"seq": some("The number of the event that it caused.", "integer")})


def error_of(codes: tuple[str, ...]) -> Field:
    """A refusal with one of these codes."""
    code = one_of("What is wrong, for programs; it does not change.", *codes)
    return an_object("", {"code": code, "message": some("The same for people.", "string")})
