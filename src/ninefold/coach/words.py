"""The coach in plain English: lines of play, and hints in three steps."""

from collections.abc import Iterable, Sequence

from ninefold.coach.hint import Hint, after_turn, answers_to, tie_breaks
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove, format_move
from ninefold.core.position import Hand, Position
from ninefold.core.text import listed, plural
from ninefold.solver import solver_for

STEPS = 3
# So many numbers of a large game are named, and so many turns of a line before its last.
MOST_NAMED, MOST_TURNS = 6, 9

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
    "only": "You can win, but only with one {number}.",
    "forced": "You have a forced win.",
    "holds": "Neither player can force a win, but not every {number} is safe.",
    "even": "Neither player can force a win, whatever you choose.",
    "hopeless": "Every {number} loses against best play. Look for the one that lasts longest.",
    "all-alike": "Every {number} loses against best play.",
    "only-choice": "You have only one choice, and it loses.",
    "lost": "Every {number} loses against best play.",
    "keeps": "Neither player can force a win.",
    "estimate": "No forced win was found in {seconds}.",
}

# {best_play} and {example} are a line of play, which is left out if nothing is proved about one.
_PROOF = {
    "declare": "{set} wins as soon as you declare it.",
    "pass": "None of your numbers form a set, so there is nothing to declare.",
    "completes": "{first} completes {set} and wins{declared}.",
    "stops": "{take}, or your opponent completes {set}.{best_play}",
    "double-threat": "After {first} you threaten {threats}; only one of them can be stopped.",
    "avoids": "{take}: every other number completes a set, such as {set}, and loses.{best_play}",
    "corners": "After {first} your opponent has to complete a set, and loses.",
    "tie-break": "{take}: it wins by force, at the latest on the tie-break.{example}",
    "only": "{take}: the only {number} that wins{length}.{example}",
    "forced": "{take}: it wins {soon}.{example}",
    "holds": "Only {moves} {keep} the draw; every {other} loses.{best_play}",
    "keeps": "{take}: it keeps the draw.",
    "even": "Every {number} keeps the draw.{best_play}",
    "hopeless": "You are losing, but {first} lasts longest ({more}).",
    "all-alike": "Every {number} loses ({more}).",
    "lost": "Every {number} loses against best play.{example}",
    "only-choice": "{subject} is your only move.",
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
        return _LOOK[_case(hint)].format(number=_noun(hint), seconds=_seconds(hint))
    return _number(hint) if step == 2 else " ".join([_proof(hint), *_refutations(hint)])


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
    """A line of play that names its players: "they take 1, you take 3, they take 7 and win"."""
    turns: list[tuple[int, list[Move]]] = []
    for move in moves:
        if not (position.asking and move is PASS):  # not to declare is not worth a word
            if not turns or turns[-1][0] != position.turn:
                turns.append((position.turn, []))
            turns[-1][1].append(move)
        position = position.play(move)
    if not turns:
        return ""
    s = "" if set(names) == {"you", "they"} else "s"
    # Long lines are easier to read without the verbs: "you 1, they 2, you 3".
    short = len(turns) > 3 and not s
    *most, (seat, last) = turns
    deed, clause = _ending(position, names, seat, s)
    spoken = [_turn(names[player - 1], made, s, short) for player, made in most[:MOST_TURNS]]
    spoken += ["…"] if len(most) > MOST_TURNS else []
    spoken += [_turn(names[seat - 1], last, s, False, *deed), *clause]
    return ", ".join(spoken)


def _turn(name: str, moves: list[Move], s: str, short: bool, *ending: str) -> str:
    """What a player does in a turn; ``short`` leaves out the verb if it only takes numbers."""
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


def _ending(
    position: Position, names: tuple[str, str], mover: int, s: str
) -> tuple[list[str], list[str]]:
    """How a line ends: what the player of the last move does, or else a clause of its own."""
    outcome = position.outcome
    if outcome is None:
        return [], ["and so on"]
    if outcome.winner is None:
        return [], ["and the game is drawn"]
    tie_break = outcome.reason in tie_breaks(position.game)
    how = " on the tie-break" if tie_break else ""
    if outcome.winner == mover:
        return [f"win{s}{how}"], []
    # Without a tie-break, the last move completed a set that loses.
    return ([], [f"and {names[2 - mover]} win{s}{how}"]) if tie_break else ([f"lose{s}"], [])


def _number(hint: Hint) -> str:
    if hint.kind == "declare":
        return f"Declare {listed(map(format_set, hint.sets), 'or')}."
    if hint.kind == "pass":
        return "Pass."
    if _case(hint) == "all-alike":
        return _trap(hint)
    if hint.kind == "even":
        limited = hint.position.picks != hint.position.available
        return "Take any number that is allowed." if limited else "Take any number."
    if hint.moves == (LOST,):
        return "Give up your turn: choose a number that is not available."
    if hint.moves == (SWAP,):
        return "Swap: your opponent's hand becomes yours."
    numbers: list[object] = [move for move in hint.moves if not isinstance(move, SpecialMove)]
    if hint.seconds is not None and len(numbers) > MOST_NAMED + 1:
        numbers = [*numbers[:MOST_NAMED], f"one of {len(numbers) - MOST_NAMED} others"]
    orders = [f"take {listed(numbers, 'or')}"] if numbers else []
    orders += [_ORDERS[move] for move in hint.moves if isinstance(move, SpecialMove)]
    chosen = ", or ".join(orders).capitalize()
    return f"{chosen}: an estimate." if hint.kind == "estimate" else f"{chosen}."


def _trap(hint: Hint) -> str:
    """What to try if every move loses equally soon."""
    whatever = f"You are losing whatever you {'take' if _noun(hint) == 'number' else 'do'}."
    if hint.trap is None:
        more = plural(hint.value.plies or 0, "more move")
        return f"{whatever} Every {_noun(hint)} lasts equally long ({more})."
    move, answers = hint.trap
    wins = "wins" if len(answers) == 1 else "win"
    return (
        f"{whatever} {_name(move).capitalize()} sets the best trap: "
        f"only {listed(map(_name, answers))} still {wins} for them."
    )


def _proof(hint: Hint) -> str:
    first = hint.moves[0]
    special = isinstance(first, SpecialMove)
    plies = hint.value.plies
    soon = f"in {plural(plies, 'move')} against best play" if plies else "by force"
    line = describe_line(hint.position, hint.line, you_and_they(hint.position.turn))
    example = f" For example: {line}." if line else ""
    return _PROOF[_case(hint)].format(
        first=_name(first),
        subject=_name(first).capitalize(),
        take=_ORDERS[first].capitalize() if isinstance(first, SpecialMove) else f"Take {first}",
        moves=listed(map(_name, hint.moves)),
        keep="keeps" if len(hint.moves) == 1 else "keep",
        number=_noun(hint),
        other="number" if special else f"other {_noun(hint)}",
        set=format_set(hint.sets[0]) if hint.sets else "",
        threats=listed(hint.threats),
        seconds=_seconds(hint),
        soon=soon,
        length=f", {soon}" if line else "",
        more=plural(plies or 0, "more move"),
        declared="" if plies == 1 else " as soon as you declare it",
        best_play=example.replace("For example", "Best play") if hint.seconds is None else example,
        example=example,
    )


def _refutations(hint: Hint) -> Iterable[str]:
    """What beats each move of a lost position, a sentence for each."""
    for move, line in hint.refutations:
        if line:
            yield f"After {_name(move)}, {_answer(hint.position, move, line)}."
        else:
            yield f"{_name(move).capitalize()} ends the game, and you lose."


def _answer(position: Position, move: Move, line: Sequence[Move]) -> str:
    """The play that beats a move, which leaves out the pass of a player who is asked."""
    return describe_line(after_turn(position, move), line, you_and_they(position.turn))


def _case(hint: Hint) -> str:
    """The kind of the hint; if every move loses, also whether it matters which."""
    losing = len(hint.refutations)
    if losing == 1 or (hint.kind == "hopeless" and len(hint.position.legal) == 1):
        return "only-choice"
    if hint.kind == "hopeless" and hint.seconds is not None:
        return "lost"  # which one lasts longest may not be known
    return "all-alike" if 1 < losing == len(hint.moves) else hint.kind


def _seconds(hint: Hint) -> str:
    seconds = hint.seconds or 0
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


def _noun(hint: Hint) -> str:
    """What the hint chooses between: numbers alone, or also passing and swapping."""
    moves = (*hint.moves, *(move for move, _ in hint.refutations))
    special = hint.kind != "pass" and any(isinstance(move, SpecialMove) for move in moves)
    return "move" if special else "number"


def _name(move: Move) -> str:
    """A move as the subject of a sentence."""
    if isinstance(move, Declare):
        return f"declaring {format_set(move.numbers)}"
    return _NOUNS[move] if isinstance(move, SpecialMove) else str(move)


def format_choice(move: Move) -> str:
    """A move as players read it, never in the notation of records."""
    return f"declare {format_set(move.numbers)}" if isinstance(move, Declare) else format_move(move)


def format_set(numbers: Hand) -> str:
    """A set as players read it: 3-4-5."""
    return "-".join(map(str, numbers))
