"""What the server answers about positions and puzzles, as fields."""

from ninefold.web.server.answers import ABOUT_BOOK, BOOK, VIEW
from ninefold.web.server.fields import (
    Fields,
    an_object,
    flag,
    one_of,
    optional,
    or_null,
    several,
    some,
)

_TEXT, _NUMBER = some("", "string"), some("", "integer")
_MOVES = several(_TEXT, "Moves as in records.")
_OF_GAMES = ("actions", "bots", "score", "match")  # which a position alone does not have
BOARD = an_object("Board", {name: field for name, field in VIEW.items() if name not in _OF_GAMES})
ABOUT = an_object(
    "",
    {
        "title": VIEW["title"],
        **ABOUT_BOOK,
        "book": BOOK,
        "solved": flag("Whether every position is solved without a visible wait."),
    },
)
_LINE: Fields = {
    "line": several(_TEXT, "A line of play from here on, as in records."),
    "line_words": some("The same in words.", "string"),
}
_VALUE: Fields = {
    "value": or_null(one_of("For the player to act; null if not proved.", "win", "draw", "loss")),
    "plies": or_null(some("How many moves the game takes from here, if known.", "integer")),
    "proved": flag("Whether that is proved."),
}
_DEFENCE = an_object(
    "",
    {
        "moves": several(_TEXT, "The moves that make it hardest."),
        "turn": several(_TEXT, "A whole turn that begins with one of them."),
        "replies": or_null(several(_TEXT, "What then still wins for the opponent.")),
        "mistakes": several(_TEXT, "What then no longer wins."),
        "plies": or_null(_NUMBER),
    },
)
_HINT = an_object(
    "Hint",
    {
        **_VALUE,
        **_LINE,
        "kind": some("What makes the move good.", "string"),
        "moves": several(_TEXT, "What it recommends."),
        "sets": several(several(_NUMBER), "The sets that it is about."),
        "threats": several(_NUMBER, "Numbers that complete a set afterwards."),
        "area": several(_NUMBER, "Numbers that are worth a look."),
        "defence": or_null(_DEFENCE),
        "sentences": several(_TEXT, "Three, each says more than the one before."),
        "reason": some("What to play and why.", "string"),
    },
)
_MOVE = an_object(
    "Move",
    {
        **_VALUE,
        **_LINE,
        "move": some("As in records.", "string"),
        "label": some("For people.", "string"),
        "number": or_null(_NUMBER),
        "words": some("What it is worth.", "string"),
        "best": flag("Whether no other move is better."),
    },
)
ANALYSIS = an_object(
    "Analysis",
    {
        "turn": one_of("Who is to act, or acted last.", 1, 2),
        "value": an_object("", _VALUE),
        "proved": flag("Whether the value of every move is proved."),
        "moves": several(_MOVE, "Every legal move."),
        "hint": or_null(_HINT),
        "over": VIEW["over"],
        "view": BOARD,
    },
)
FRAMES = an_object(
    "",
    {
        "frames": several(
            an_object("", {"text": some("What was just done.", "string"), "view": BOARD}),
            "The position before the line, and after each of its moves.",
        )
    },
)
_PUZZLE: Fields = {
    "identity": some("The same for equal positions of equal rules.", "string"),
    "game": _TEXT,
    "reading": _TEXT,
    "changes": several(_TEXT),
    "first": one_of("Who went first.", 1, 2),
    "moves": _MOVES,
    "question": _TEXT,
    "rating": some("From 1, the easiest, to 5.", "integer"),
    "rating_words": _TEXT,
    "view": BOARD,
}
DAILY = an_object(
    "Daily",
    {
        **_PUZZLE,
        "day": _TEXT,
        "solved": or_null(flag("Whether you found it at the first try; null if not tried.")),
    },
)
PUZZLES = an_object(
    "",
    {
        "ratings": several(
            an_object(
                "",
                {
                    "rating": _NUMBER,
                    "about": some("What has to be found.", "string"),
                    "count": _NUMBER,
                    "new": some("How many you have not answered.", "integer"),
                },
            )
        ),
        "puzzles": several(an_object("Puzzle", _PUZZLE)),
    },
)
ANSWERED = an_object(
    "",
    {
        **_LINE,
        "right": or_null(flag("Null: it cannot be taken, which counts as no answer.")),
        "text": some("Why or why not.", "string"),
    },
)
HINTED = an_object(
    "",
    {
        **{name: optional(field) for name, field in _LINE.items()},
        "step": _NUMBER,
        "text": _TEXT,
        "area": several(_NUMBER, "Numbers that are worth a look."),
        "moves": several(_TEXT, "The number that wins, from step 2 on."),
    },
)
_LESSON = an_object(
    "Lesson",
    {
        **_PUZZLE,
        "origin": some("Where it was missed.", "string"),
        "record": or_null(some("The id of your game in which it was missed.", "string")),
        "ply": or_null(some("Which move it was.", "integer")),
        "played": or_null(some("What you played instead.", "string")),
        "solved": some("How often you have solved it in a row.", "integer"),
        "due": some("The day on which it comes back.", "string"),
    },
)
LESSONS = an_object(
    "Lessons",
    {
        "due": several(_LESSON, "The most overdue first; with those for later, at most 50."),
        "later": several(_LESSON),
        "counts": an_object("", {"due": _NUMBER, "later": _NUMBER}),
        "next": or_null(some("The day on which the next one is due.", "string")),
        "warnings": several(_TEXT, "Games that could not be looked through."),
    },
)
