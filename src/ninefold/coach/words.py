"""The coach in plain English: lines of play, and hints in three steps."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce

from ninefold.coach.defence import Defence, Moves, choices, wins_at_once
from ninefold.coach.hint import Hint, after_turn, answers_to, tie_breaks
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove, format_move
from ninefold.core.position import Hand, Position
from ninefold.core.text import listed, plural
from ninefold.solver import solver_for

STEPS = 3
# How many moves are named where one of them is enough, and how many of these if there are more;
# how many turns of a line before its last; how many replies to a defence.
MOST_NAMED, A_FEW, MOST_TURNS, MOST_REPLIES = 9, 6, 9, 4

# {number} is "number", or "move" if the position also offers a pass or a swap.
_LOOK = {
    "declare": "You already hold a set.",
    "pass": "You don't hold a set yet.",
    "completes": "You can complete a set now.",
    "stops": "Your opponent is about to complete a set.",
    "double-threat": "Look for a {number} that makes two threats at once.",
    "avoids": "Completing a set loses, and only one {number} avoids it.",
    "corners": "Look for a {number} that forces your opponent to complete a set.",
    "tie-break": "Think about the tie-break: who wins when no more numbers can be taken?",
    "ending": "Think ahead to the end: who wins when no more numbers can be taken?",
    "only": "You can win, but only with one {number}.",
    "forced": "You have a forced win.",
    "holds": "Neither player can force a win, but not every {number} is safe.",
    "even": "Neither player can force a win, whatever you choose.",
    "blocks": "You are losing, but first stop what your opponent is about to complete.",
    "trap": "You are losing. Look for the {number} that leaves them the fewest ways to win.",
    "lasts": "You are losing. Look for the {number} that lasts longest.",
    "tries": "You are losing. Look for the {number} that makes it hardest for them.",
    "all-alike": "You are losing, whatever you {do}.",
    "only-choice": "You have only one choice, and it loses.",
    "keeps": "Neither player can force a win.",
    "estimate": "No forced win was found in {seconds}.",
}

# {then} and {example} are a line of play after the first move: left out if nothing is proved.
_PROOF = {
    "declare": "{set} wins as soon as you declare it.",
    "pass": "None of your numbers form a set, so there is nothing to declare.",
    "completes": "{first} completes {set} and wins{declared}.",
    "stops": "{take}, or your opponent completes {set}.{then}",
    "double-threat": "After {first} you threaten {threats}; only one of them can be stopped.",
    "avoids": "{take}: every other number completes a set, such as {set}, and loses.{then}",
    "corners": "After {first} your opponent has to complete a set, and loses.",
    "tie-break": "{take}: it wins by force, at the latest on the tie-break.{example}",
    "ending": "{take}: it wins by force when the game ends.{example}",
    "only": "{take}: the only {number} that wins{length}.{example}",
    "forced": "{take}: it wins {soon}.{example}",
    "holds": "Only {moves} {keep} the draw; every {other} loses.{then}",
    "keeps": "{take}: it keeps the draw.",
    "even": "Every {number} keeps the draw.{then}",
    "estimate": "{take}: it looks best. This is an estimate: the game is too large to solve in "
    "{seconds}.",
}
_ORDERS = {PASS: "pass", SWAP: "swap", LOST: "give up your turn"}
_NOUNS = {PASS: "a pass", SWAP: "a swap", LOST: "a lost turn"}
# What you or they do, and what somebody with a name does.
DEEDS = {
    PASS: ("pass", "passes"),
    SWAP: ("swap", "swaps"),
    LOST: ("lose the turn", "loses the turn"),
}


def sentence(hint: Hint, step: int) -> str:
    """The hint in words: step 1 says what to look for, 2 which number, 3 why."""
    if step <= 1:
        noun = _noun(hint)
        do = "take" if noun == "number" else "do"
        return _LOOK[_case(hint)].format(number=noun, do=do, seconds=_seconds(hint))
    if hint.defence is not None:
        return _defence(hint, hint.defence) if step == 2 else _refutation(hint, hint.defence)
    return _number(hint) if step == 2 else _proof(hint)


def what_is_wrong(position: Position, number: int) -> str:
    """Why this number does not win a position in which another one does."""
    solver = solver_for(position.game)
    if solver.move_score(position, number) == 0:
        return f"{number} throws the win away: with best play the game is drawn."
    line = answers_to(position, number, solver)
    if not line:
        return f"{number} loses: it ends the game."
    return f"{number} loses: {_answer(position, number, line)}."


def you_and_they(you: int) -> tuple[str, str]:
    """What to call the players, for a reader in this seat."""
    return ("you", "they") if you == 1 else ("they", "you")


def describe_line(position: Position, moves: Iterable[Move], names: tuple[str, str]) -> str:
    """A line of play that names its players: "they take 1, you take 3, they take 7 and win".

    A name in lower case is a pronoun: you, they.
    """
    turns, end = _turns(position, tuple(moves))
    if not turns:
        return ""
    # Long lines are easier to read without the verbs: "you 1, they 2, you 3".
    short = len(turns) > 3 and not any(map(_s, names))
    *most, (seat, last) = turns
    deed, clause = _ending(end, names, seat)
    spoken = [describe_turn(names[player - 1], made, short) for player, made in most[:MOST_TURNS]]
    spoken += ["…"] if len(most) > MOST_TURNS else []
    spoken += [describe_turn(names[seat - 1], last, False, *deed), *clause]
    return ", ".join(spoken)


@lru_cache(maxsize=1)  # a line may be told to several readers in a row
def _turns(position: Position, moves: Moves) -> tuple[list[tuple[int, list[Move]]], Position]:
    """A line of play as turns, each with its player, and the position after it."""
    turns: list[tuple[int, list[Move]]] = []
    for move in moves:
        if not (position.asking and move is PASS):  # not to declare is not worth a word
            if not turns or turns[-1][0] != position.turn:
                turns.append((position.turn, []))
            turns[-1][1].append(move)
        position = position.play(move)
    return turns, position


def describe_turn(name: str, moves: Sequence[Move], short: bool = False, *ending: str) -> str:
    """What a player does in a turn; ``short`` leaves out the verb if it only takes numbers."""
    s = _s(name)
    numbers = listed(move for move in moves if isinstance(move, int))
    deeds = [f"take{s} {numbers}"] if numbers else []
    for move in moves:
        if isinstance(move, Declare):
            deeds.append(f"declare{s} {format_set(move.numbers)}")
        elif isinstance(move, SpecialMove):
            deeds.append(DEEDS[move][s == "s"])
    if short and all(isinstance(move, int) for move in moves):
        return f"{name} {numbers}"
    return f"{name} {listed([*deeds, *ending])}"


def _ending(position: Position, names: tuple[str, str], mover: int) -> tuple[list[str], list[str]]:
    """How a line ends: what the player of the last move does, or else a clause of its own."""
    outcome, name, other = position.outcome, names[mover - 1], names[2 - mover]
    if outcome is None:
        return [], ["and so on"]
    if outcome.winner is None:
        return [], ["and the game is drawn"]
    at_the_end = outcome.reason in tie_breaks(position.game)
    how = " on the tie-break" if at_the_end and _has_sets(position) else ""
    if outcome.winner == mover:
        return [f"win{_s(name)}{how}"], []
    # Unless the ending decides, the last move completed a set that loses.
    return ([], [f"and {other} win{_s(other)}{how}"]) if at_the_end else ([f"lose{_s(name)}"], [])


def _s(name: str) -> str:
    """The ending of a verb after this name or pronoun."""
    return "" if name in ("you", "they") else "s"


def _has_sets(position: Position) -> bool:
    """Whether a set can decide the game, so that its ending is a tie-break."""
    return bool(position.game.rules.wins or position.game.rules.losses)


def _number(hint: Hint) -> str:
    if hint.kind == "declare":
        return f"Declare {listed(map(format_set, hint.sets), 'or')}."
    if hint.kind == "pass":
        return "Pass."
    if hint.kind == "even":
        limited = hint.position.picks != hint.position.available
        return "Take any number that is allowed." if limited else "Take any number."
    if hint.moves == (LOST,):
        return "Give up your turn: choose a number that is not available."
    if hint.moves == (SWAP,):
        return "Swap: your opponent's hand becomes yours."
    numbers = [move for move in hint.moves if not isinstance(move, SpecialMove)]
    orders = [f"take {some_of(numbers)}"] if numbers else []
    orders += [_ORDERS[move] for move in hint.moves if isinstance(move, SpecialMove)]
    chosen = ", or ".join(orders).capitalize()
    return f"{chosen}: an estimate." if hint.kind == "estimate" else f"{chosen}."


def _defence(hint: Hint, defence: Defence) -> str:
    """What to play in a lost position, and what it is good for."""
    case, more = _case(hint), plural(defence.plies or 0, "more move")
    order = _order(hint.position, defence.turn)
    still = winning_replies(defence, "still win{s} for them") if defence.mistakes else ""
    if case == "only-choice":
        return f"{order}: it is your only move{f', and {still}' if still else ''}."
    losing = "You are losing against best play."
    if case == "all-alike":
        return f"{losing} Every {_noun(hint)} lasts equally long ({more})."
    stops = f"it stops {listed(map(format_set, hint.sets))}" if hint.sets else ""
    if still:
        return f"{losing} {order}: {f'{stops}, and ' if stops else ''}{still}."
    if defence.replies is None:
        return f"{losing} {order}: {stops or 'it looks like the best try'}{_danger(hint, defence)}."
    lasts = f"it lasts longest ({more})" if case == "lasts" else f"it lasts {more}"
    return f"{losing} {order}: {stops or lasts}."


def _danger(hint: Hint, defence: Defence) -> str:
    """What still wins at once after a defence of which nothing else is proved."""
    after = reduce(Position.play, defence.turn, hint.position)
    if hint.position.game.rules.picks_per_turn > 1 or after.outcome is not None:
        return ""
    wins = [reply for reply in choices(after) if wins_at_once(after, reply)]
    if not wins or len(wins) > MOST_REPLIES:
        return ""
    named, s = listed(map(name_of, wins)), "s" if len(wins) == 1 else ""
    return f", but {named} still win{s} for them at once"


def winning_replies(defence: Defence, wins: str) -> str:
    """Which replies still win: "only 6 still wins for them"; ``wins`` has a place for the s."""
    replies, every = defence.replies or (), len(defence.replies or ()) + len(defence.mistakes)
    if len(replies) > MOST_REPLIES:
        return f"{len(replies)} of {every} replies {wins.format(s='')}"
    return f"only {listed(map(name_of, replies))} {wins.format(s='s' if len(replies) == 1 else '')}"


def _order(position: Position, turn: Sequence[Move]) -> str:
    """What to do in this turn: "Take 4", "Take 4, then 7", "Pass"."""
    first, *rest = _worth_telling(position, turn)
    orders = [_ORDERS[first] if isinstance(first, SpecialMove) else f"take {name_of(first)}"]
    orders += [_ORDERS[move] if isinstance(move, SpecialMove) else name_of(move) for move in rest]
    return ", then ".join(orders).capitalize()


def _worth_telling(position: Position, moves: Iterable[Move]) -> Iterator[Move]:
    """These moves without each pass that only says that there is nothing to declare."""
    for move in moves:
        if not (position.asking and move is PASS):
            yield move
        position = position.play(move)


def _refutation(hint: Hint, defence: Defence) -> str:
    """How the opponent wins all the same, and that a mistake would help."""
    own = len(defence.turn)
    after = reduce(Position.play, defence.turn, hint.position)
    line = describe_line(after, hint.line[own:], you_and_they(hint.position.turn))
    named = listed(map(name_of, _worth_telling(hint.position, defence.turn)))
    if after.outcome is not None:
        return f"{named.capitalize()} ends the game, and you lose."
    if not line:
        return "Your opponent can force a win, but still has to find it."
    return f"After {named}, {line}.{_way_back(defence)}"


def _way_back(defence: Defence) -> str:
    """Which replies would help the losing player, in a sentence of its own."""
    mistakes = len(defence.mistakes)
    if not mistakes:
        return ""
    named = f"their {listed(map(name_of, defence.mistakes), 'or')}"
    if mistakes > MOST_REPLIES:
        alone = len(defence.replies or ()) == 1
        named = "any other reply" if alone else f"any of {mistakes} other replies"
    return f" But {named} would let you back in."


def _proof(hint: Hint) -> str:
    first = hint.moves[0]
    special = isinstance(first, SpecialMove)
    plies = hint.value.plies
    soon = f"in {plural(plies, 'move')} against best play" if plies else "by force"
    line, proved = _then(hint), hint.seconds is None
    example = f" For example: {line}." if line else ""
    return _PROOF[_case(hint)].format(
        first=name_of(first),
        take=_ORDERS[first].capitalize() if isinstance(first, SpecialMove) else f"Take {first}",
        moves=listed(map(name_of, hint.moves)),
        keep="keeps" if len(hint.moves) == 1 else "keep",
        number=_noun(hint),
        other="number" if special else f"other {_noun(hint)}",
        set=format_set(hint.sets[0]) if hint.sets else "",
        threats=listed(hint.threats),
        seconds=_seconds(hint),
        soon=soon,
        length=f", {soon}" if plies else "",
        declared="" if plies == 1 else " as soon as you declare it",
        then=f" Best play after {name_of(first)}: {line}." if line and proved else example,
        example=example,
    )


def _then(hint: Hint) -> str:
    """The line of play after the first move, which the sentence has named already."""
    after = hint.position.play(hint.moves[0])
    return describe_line(after, hint.line[1:], you_and_they(hint.position.turn))


def _answer(position: Position, move: Move, line: Sequence[Move]) -> str:
    """The play that beats a move, which leaves out the pass of a player who is asked."""
    return describe_line(after_turn(position, move), line, you_and_they(position.turn))


def _case(hint: Hint) -> str:
    """The kind of the hint; in a lost position also what there is to look for."""
    defence = hint.defence
    if hint.kind == "tie-break" and not _has_sets(hint.position):
        return "ending"
    if defence is None:
        return hint.kind
    options = choices(hint.position)
    if len(options) == 1:
        return "only-choice"
    if hint.sets:
        return "blocks"
    if defence.replies is None:
        return "tries"
    if defence.mistakes:
        return "trap"
    if len(defence.moves) == len(options):
        return "all-alike"
    return "lasts" if defence.plies == hint.value.plies else "tries"


def _seconds(hint: Hint) -> str:
    seconds = hint.seconds or 0
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


def _noun(hint: Hint) -> str:
    """What the hint chooses between: numbers alone, or also passing and swapping."""
    moves = (*hint.moves, *(choices(hint.position) if hint.defence else ()))
    special = hint.kind != "pass" and any(isinstance(move, SpecialMove) for move in moves)
    return "move" if special else "number"


def name_of(move: Move) -> str:
    """A move as the subject of a sentence."""
    if isinstance(move, Declare):
        return f"declaring {format_set(move.numbers)}"
    return _NOUNS[move] if isinstance(move, SpecialMove) else str(move)


def some_of(moves: Sequence[Move]) -> str:
    """Moves of which one is enough; if there are many, only a few of them by name."""
    named = [*map(name_of, moves)]
    if len(named) > MOST_NAMED:
        named = [*named[:A_FEW], f"one of {len(named) - A_FEW} others"]
    return listed(named, "or")


def value_words(result: str, plies: int | None) -> str:
    """What a move leads to: wins in 5."""
    names = {"win": "wins", "loss": "loses", "draw": "draws", "unknown": "not settled"}
    return names[result] + ("" if plies is None or result == "draw" else f" in {plies}")


def format_choice(move: Move) -> str:
    """A move as players read it in a list, never in the notation of records."""
    if move is LOST:
        return "turn lost"
    return f"declare {format_set(move.numbers)}" if isinstance(move, Declare) else format_move(move)


def format_set(numbers: Hand) -> str:
    """A set as players read it: 3-4-5."""
    return "-".join(map(str, numbers))
