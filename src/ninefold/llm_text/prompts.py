"""A position as text for a language model: the rules, the position, how to answer.

>>> import ninefold
>>> print(prompt(ninefold.load("magic-fifteen").play("5 2 8 1"), rules=False, legal=True))
You are player 1, and it is your turn.
Your numbers: 5 8
Your opponent's numbers: 1 2
Free numbers: 3 4 6 7 9
Legal answers: 3, 4, 6, 7, 9
<BLANKLINE>
Answer with your move and nothing else: one number. You may think aloud first if the last line of \
your answer is "Answer:" with the move behind it.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove
from ninefold.core.position import Position
from ninefold.llm_text.answers import format_answer
from ninefold.llm_text.factors import Factors

# The newest version of the words. Where wins are declared, version 1 says who was the first to
# complete a set and lists the right declarations; version 2 shows only what the book shows.
VERSION = 2

# The numbers that restrictions look at, in the order of ``Position.compared``.
_COMPARED = (
    ("last", ("The last number taken by anybody",)),
    ("own-last", ("The last number you took", "The last number your opponent took")),
    ("own-first", ("The first number you took", "The first number your opponent took")),
)


class NoOwnWords(NinefoldError, ValueError):
    """The rules in force are not described by the book's own text."""


class WrongHistory(NinefoldError, ValueError):
    """These moves do not lead to the given position."""


def prompt(
    position: Position,
    *,
    rules: bool = True,
    history: Iterable[Move] | None = None,
    first: int = 1,
    legal: bool = False,
    factors: Factors = Factors(),  # noqa: B008 - it is frozen
) -> str:
    """The position as the player to act sees it, and how to answer.

    ``history`` are the moves that led here, with player ``first`` to begin; ``legal`` lists all
    legal answers. ``factors`` chooses the words. Raises WrongHistory, Illegal for a history with
    an illegal move, and NoOwnWords.
    """
    words = book_text if factors.rules == "book" else rules_text
    parts = [words(position.game)] if rules else []
    lines = position_lines(position, factors.prompt)
    if history is not None:
        lines.append(f"Moves so far: {_history(position, list(history), first)}")
    if position.outcome is None and legal:
        lines.append("Legal answers: " + _legal(position, factors.prompt))
    parts.append("\n".join(lines))
    if position.outcome is None:
        parts.append(how_to_answer(position, factors))
    return "\n\n".join(parts)


def prompt_for(
    position: Position, factors: Factors, history: Iterable[Move] = (), first: int = 1
) -> str:
    """The whole prompt that these factors ask for; raises as ``prompt`` does."""
    # Where wins are declared, a player who does not remember the moves knows less than a person.
    listed = factors.history == "yes" or (factors.history == "auto" and position.game.rules.declare)
    return prompt(
        position,
        history=history if listed else None,
        first=first,
        legal=factors.legal == "yes",
        factors=factors,
    )


def book_text(game: Game) -> str:
    """The rules in the book's own words, to the letter but for line ends; raises NoOwnWords."""
    from ninefold.books import as_book

    book = as_book(game)
    if book.generated:
        reason = f"The rules of {game.name} as played have no words of the book's own."
        raise NoOwnWords("no-own-words", reason, "Use the generated ones: rules=made")
    texts = [book.text]
    if len(book.readings) > 1:
        reading = book.readings[book.reading]
        texts.append(reading.text or reading.summary)
    return "\n\n".join(" ".join(part.split()) for part in "\n\n".join(texts).split("\n\n"))


def rules_text(game: Game) -> str:
    """All rules of this game in words; sets that are listed are listed completely."""
    from ninefold.books.describe import MAX_SHOWN, text_of

    parts = [text_of(game)]
    for pattern in (*game.rules.wins, *game.rules.losses):
        listed = dict(pattern.parameters).get("sets")
        if isinstance(listed, tuple) and len(listed) > MAX_SHOWN:
            parts.append("The list: " + "; ".join(map(_numbers, listed)) + ".")
    return "\n\n".join(parts)


def position_lines(position: Position, version: int = 1, *, picks: bool = True) -> list[str]:
    """Everything about a position that can still matter, or that the player to act may know.

    Version 1 of the words leaves nothing out; later ones do not say who completed a set. ``picks``
    lists the numbers that restrictions leave.
    """
    game, turn = position.game, position.turn
    seen = position.hands if game.rules.sees_order else map(sorted, position.hands)
    own, other = [*map(_numbers, seen)][:: 1 if turn == 1 else -1]
    ordered = ", in the order taken" * game.rules.sees_order
    if position.outcome is None:
        head = f"You are player {turn}, and it is your turn."
    else:
        winner = position.outcome.winner
        end = "it is a draw" if winner is None else f"player {winner} has won"
        head = f"You are player {turn}. The game is over: {end} ({position.outcome.reason})."
    return [
        head,
        f"Your numbers{ordered}: {own}",
        f"Your opponent's numbers{ordered}: {other}",
        f"Free numbers: {_numbers(position.available)}",
        *(_limits(position, picks) if position.outcome is None else ()),
        *_more(position, version),
    ]


def _limits(position: Position, listed: bool) -> Iterator[str]:
    """What a pick is compared with, and which numbers may be taken, if not all of them."""
    picks = position.game.picks
    names = [name for seen, names in _COMPARED if seen in picks.sees for name in names]
    for name, number in zip(names, position.compared(position.turn), strict=True):
        yield f"{name}: {_numbers(position.game.numbers(number))}"
    if listed and position.picks != position.available and not position.asking:
        yield f"Numbers you may take: {_numbers(position.picks)}"


def _more(position: Position, version: int) -> Iterator[str]:
    """A line for everything else that can matter under these rules."""
    rules, turn = position.game.rules, position.turn
    if rules.declare and version == 1:
        who = {turn: "You were", 3 - turn: "Your opponent was"}.get(position.first_complete or 0)
        yield f"{who} the first to complete a set." if who else "Nobody has completed a set yet."
    if position.asking and position.outcome is None:
        yield "You have just taken a number: declare a set, or pass."
    if rules.picks_per_turn > 1:
        yield f"Numbers left to take in this turn: {position.picks_left}"
    if position.may_swap:
        yield "You may swap: you exchange hands, and your opponent moves next."
    if rules.otherwise != "draw":
        yield f"Who began: {'you' if position.began == turn else 'your opponent'}"
    if rules.passing and position.passed:
        yield "The last turn was passed: if you pass too, the game ends."
    if position.game.turns.sees_last:
        who = {turn: "you", 3 - turn: "your opponent"}.get(position.last_picker or 0, "nobody")
        yield f"Who took the last number so far: {who}"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers)) or "none"


def _history(position: Position, moves: list[Move], first: int) -> str:
    """The moves and who made them; raises WrongHistory, Illegal."""
    at, lines = position.game.start(first), list[str]()
    for move in moves:
        lines.append(f"player {at.turn} {_did(move)}")
        at = at.play(move)
    if (at.turn, at.hands) != (position.turn, position.hands) or at.key != position.key:
        raise WrongHistory("history", "These moves do not lead to this position.")
    return ", ".join(lines) or "none"


def _did(move: Move) -> str:
    if isinstance(move, Declare):
        return f"declared {_numbers(move.numbers)}"
    words = {PASS: "passed", SWAP: "swapped", LOST: "lost the turn"}
    return words[move] if isinstance(move, SpecialMove) else f"took {move}"


def _legal(position: Position, version: int) -> str:
    """The legal answers; which declarations are right is for the player to find out."""
    if version == 1 or not position.game.rules.declare:
        return ", ".join(map(format_answer, position.legal))
    legal = [format_answer(move) for move in position.legal if not isinstance(move, Declare)]
    return ", ".join([*legal, "declare and the numbers of a set you hold"])


def how_to_answer(position: Position, factors: Factors) -> str:
    """The grammar of answers, limited to the moves of this game, in the format that is asked for.

    From version 2 on, where wins are declared, a question is not answered with a number.
    """
    game = position.game
    example = format_answer(Declare(game.sets[0] if game.sets else (1, 2, 3)))
    words = {
        "declare": f'"declare" and the numbers of a set you hold (such as: {example})',
        "lost": '"lost" to give the turn away',
    }
    names: Iterable[str] = game.turns.words
    if game.rules.declare and factors.prompt > 1:
        legal = [move.value for move in position.legal if isinstance(move, SpecialMove)]
        names = ["declare", *legal]
    ways = [words.get(word, f'"{word}"') for word in names]
    if not (position.asking and factors.prompt > 1):
        ways.insert(0, "one number")
    return _ANSWERS[factors.format, factors.think].format(ways=", or ".join(ways))


_ANSWERS = {
    ("text", "free"): "Answer with your move and nothing else: {ways}. You may think aloud first "
    'if the last line of your answer is "Answer:" with the move behind it.',
    ("text", "yes"): 'Think step by step first. Then end your answer with a last line: "Answer:" '
    "with your move behind it and nothing else. Your move is: {ways}.",
    ("text", "no"): "Answer with your move and nothing else, without any explanation: {ways}.",
    ("json", "free"): "Answer with a JSON object and nothing else: "
    '{{"move": "..."}}. Your move is: {ways}.',
    ("json", "yes"): "Answer with a JSON object and nothing else: "
    '{{"thoughts": "...", "move": "..."}}. Think step by step in "thoughts" first. '
    "Your move is: {ways}.",
    ("json", "no"): "Answer with a JSON object and nothing else, without any explanation: "
    '{{"move": "..."}}. Your move is: {ways}.',
    ("tool", "free"): 'Answer by calling the tool "play" once with your move: {ways}.',
    ("tool", "yes"): 'Think step by step first, in "thoughts" of the tool "play". '
    "Answer by calling it once with your move: {ways}.",
    ("tool", "no"): 'Answer by calling the tool "play" once with your move, without any '
    "explanation: {ways}.",
}


def follow_up(kind: str, reason: str, position: Position, factors: Factors) -> str:
    """What a model is told after an ``unreadable``, ``illegal`` or ``truncated`` answer."""
    words = {
        "unreadable": f"Your answer could not be read as a move. {reason}",
        "illegal": f"The rules do not allow this move. {reason} Choose another one.",
        "truncated": "Your answer was cut off before its end. Answer more briefly.",
    }
    return f"{words[kind]}\n\n{how_to_answer(position, factors)}"


@cache
def prompt_hash(factors: Factors) -> str:
    """Twelve digits that change with any word of the prompts and messages of these factors."""
    from hashlib import sha256

    from ninefold import books

    digest = sha256()
    for name, reading, changes, played in _SAMPLES:
        game, moves = books.load_book(name, reading, changes).game, list[Move]()
        position = game.start()
        for move in played:
            texts = [prompt_for(position, factors._replace(rules="made"), moves)]
            texts += [follow_up(kind, "", position, factors) for kind in _FOLLOWED]
            digest.update("\0".join(texts).encode())
            moves.append(move)
            position = position.play(move)
    digest.update(f"{factors.rules}\0{factors.history}\0{factors.legal}".encode())
    return digest.hexdigest()[:12]


_FOLLOWED = ("unreadable", "illegal", "truncated")
# Games that show every sentence of a prompt.
_SAMPLES: tuple[tuple[str, str | None, tuple[str, ...], tuple[Move, ...]], ...] = (
    ("magic-fifteen", None, (), (5, 3, 1)),
    ("pattern-builder", "declare", (), (5, 2, 7, 3, 9, PASS, 1)),
    ("sequence-duel-sum", "lose-turn", (), (5, 3, LOST, 1)),
    (
        "magic-fifteen",
        None,
        ("pool=1-5", "passing=true", "pie=true", "picks-per-turn=2", "otherwise='second'"),
        (5, 2, SWAP, 1, PASS, 3),
    ),
)
