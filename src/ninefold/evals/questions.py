"""A comprehension test: does a reader of the rules know what is legal, who won, who threatens?

Every answer comes from the judge. Each kind of question has a few possible answers, which are
equally often right, so that a constant answer scores no better than chance.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.evals.items import PATIENCE, Item, Reached, random_game
from ninefold.llm_text import LegalAnswer, Relabelling, read_answer
from ninefold.llm_text import format_answer as plain_answer

YES, NO = YES_NO = ("yes", "no")
NOT_OVER = "not over"


class Asked(NamedTuple):
    """A question about a moment of a game, what the reader is shown, and the right answer."""

    reached: Reached
    shown: str
    question: str
    answer: str


# Finds a question of its kind in a random game; None if this game has none.
Find = Callable[[Relabelling, list[Reached], Random], Asked | None]


class Kind(NamedTuple):
    """A kind of question: its possible answers, and how one is found."""

    options: tuple[str, ...]
    find: Find


def question_items(
    relabelling: Relabelling, count: int, seed: int = 0, kinds: Sequence[str] = ()
) -> list[Item]:
    """Different questions of all kinds, or of these; each answer is right equally often.

    A kind that this game has no questions of is left out, and so are answers that are never right.
    There are fewer than ``count`` questions if the game has no more.
    """
    random, asked = Random(f"questions {seed}"), list[tuple[str, Asked]]()
    found = {name: _answers(relabelling, QUESTIONS[name], random) for name in kinds or QUESTIONS}
    usable = {name: options for name, options in found.items() if len(options) > 1}
    for at, (name, options) in enumerate(usable.items()):
        many = count // len(usable) + (at < count % len(usable))
        several = islice(_ask(relabelling, QUESTIONS[name], options, random), many)
        asked += [(name, one) for one in several]
    random.shuffle(asked)
    rules = relabelling.rules_text()
    return [
        Item(
            f"{name}-{number}",
            name,
            f"{rules}\n\n{one.shown}\n\n{one.question}\n\n{_how_to_answer(usable[name])}",
            usable[name],
            (one.answer,),
            one.reached.notation,
        )
        for number, (name, one) in enumerate(asked, 1)
    ]


def _answers(relabelling: Relabelling, kind: Kind, random: Random) -> tuple[str, ...]:
    """The answers that are right at times."""
    found = (_find(relabelling, kind, answer, random, set()) for answer in kind.options)
    return tuple(one.answer for one in found if one is not None)


def _ask(
    relabelling: Relabelling, kind: Kind, options: Sequence[str], random: Random
) -> Iterator[Asked]:
    """Different questions whose right answers take turns, until there is none left for a turn."""
    seen = set[tuple[str, str]]()
    for answer in cycle(random.sample(options, len(options))):
        one = _find(relabelling, kind, answer, random, seen)
        if one is None:
            return
        seen.add((one.reached.notation, one.question))
        yield one


def _find(
    relabelling: Relabelling, kind: Kind, answer: str, random: Random, seen: set[tuple[str, str]]
) -> Asked | None:
    """A question with this right answer that was not asked before; None after much patience."""
    for _ in range(PATIENCE):
        one = kind.find(relabelling, random_game(relabelling.original, random), random)
        if one is None or one.answer != answer:
            continue
        if (one.reached.notation, one.question) not in seen:
            return one
    return None


def _how_to_answer(options: Sequence[str]) -> str:
    return (
        f"Answer with one of these and nothing else: {', '.join(options)}. You may think aloud "
        'first if the last line of your answer is "Answer:" with it behind.'
    )


def _moment(game: list[Reached], random: Random) -> Reached | None:
    """A moment at which somebody has a number and somebody is to act."""
    return random.choice(game[1:-1]) if len(game) > 2 else None


def _ask_legal(relabelling: Relabelling, game: list[Reached], random: Random) -> Asked | None:
    reached = _moment(game, random)
    if reached is None:
        return None
    position = reached.position
    legal = {
        number: isinstance(read_answer(plain_answer(number), position), LegalAnswer)
        for number in position.game.pool
    }
    answer = random.choice(YES_NO)
    fitting = [number for number, allowed in legal.items() if allowed == (answer == YES)]
    if not fitting:
        return None
    label = relabelling.format_answer(random.choice(fitting))
    shown = relabelling.position_text(position, picks=False)  # which would be the answer
    return Asked(reached, shown, f"Do the rules allow you to take {label} now?", answer)


def _ask_winner(relabelling: Relabelling, game: list[Reached], random: Random) -> Asked | None:
    reached = random.choice((game[-1], random.choice(game)))
    outcome = reached.position.outcome
    answer = NOT_OVER
    if outcome is not None:
        answer = "draw" if outcome.winner is None else f"player {outcome.winner}"
    lines = [
        f"player {before.position.turn}: {relabelling.format_answer(move)}"
        for before, move in zip(game, reached.moves, strict=False)
    ]
    shown = f"These moves were made, player 1 to begin: {', '.join(lines) or 'none'}."
    return Asked(reached, shown, "Who has won, if the game is over?", answer)


def _ask_win(relabelling: Relabelling, game: list[Reached], random: Random) -> Asked | None:
    question = "If you answer {move} now, do you win at once?"
    return _ask_about_move(relabelling, game, random, question, _wins_at_once)


def _ask_threat(relabelling: Relabelling, game: list[Reached], random: Random) -> Asked | None:
    question = "If you answer {move} now, can your opponent win at once with the next answer?"
    return _ask_about_move(relabelling, game, random, question, _allows_a_win)


def _wins_at_once(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner == position.turn


def _allows_a_win(position: Position, move: Move) -> bool:
    after = position.play(move)
    opponent_acts = after.outcome is None and after.turn != position.turn
    return opponent_acts and any(_wins_at_once(after, reply) for reply in after.legal)


def _ask_about_move(
    relabelling: Relabelling,
    game: list[Reached],
    random: Random,
    question: str,
    test: Callable[[Position, Move], bool],
) -> Asked | None:
    reached = _moment(game, random)
    if reached is None:
        return None
    position, answer = reached.position, random.choice(YES_NO)
    legal: list[Move] = [move for move in position.legal if test(position, move) == (answer == YES)]
    if not legal:
        return None
    move = relabelling.format_answer(random.choice(legal))
    shown = relabelling.position_text(position)
    return Asked(reached, shown, question.format(move=f'"{move}"'), answer)


QUESTIONS: dict[str, Kind] = {
    "legal": Kind(YES_NO, _ask_legal),
    "winner": Kind(("player 1", "player 2", "draw", NOT_OVER), _ask_winner),
    "win": Kind(YES_NO, _ask_win),
    "threat": Kind(YES_NO, _ask_threat),
}
