"""Fair? Who wins, how long it takes, how much skill matters, and what would change it."""

from ninefold.audit.figures import Chances
from ninefold.audit.finding import Evidence, OpeningFinding, PieFinding
from ninefold.audit.report import Audit
from ninefold.audit.words import (
    length,
    listed,
    name_of,
    percent,
    plural,
    result_words,
    rounded,
    would_open,
)
from ninefold.match import Match

PAIRINGS = (
    "Two random players",
    "Perfect first player, random second player",
    "Random first player, perfect second player",
)


def pairings(audit: Audit) -> list[tuple[str, Chances]]:
    """The pairings of players whose chances are known."""
    found = [audit.figures.random, *(audit.figures.perfect or ())]
    return list(zip(PAIRINGS, found, strict=False))


def fairness_lines(audit: Audit) -> list[Evidence]:
    """Everything about fairness, as sentences."""
    return [Evidence(text) for text in (*_value_lines(audit), *_chance_lines(audit))]


def change_lines(audit: Audit) -> list[Evidence]:
    """What the pie rule and an alternating match would change."""
    return [Evidence(f"The pie rule: {_pie(audit)}"), Evidence(f"A match: {_match(audit)}")]


def _value_lines(audit: Audit) -> list[str]:
    result, plies = audit.value
    words = result_words(result, plies)
    lines = [f"Best play: {words}."]
    kinds = {"win": "win", "draw": "draw", "loss": "lose", "unknown": "are not settled"}
    for kind, verb in kinds.items():
        moves = [opening.move for opening in audit.openings if opening.result == kind]
        if moves and len(moves) == len(audit.openings):
            lines.append("No opening is settled." if kind == "unknown" else f"All openings {verb}.")
        elif moves:
            lines.append(f"Openings that {verb}: {listed([*map(name_of, moves)])}.")
    return [*lines, _lengths(audit)]


def _lengths(audit: Audit) -> str:
    figures = audit.figures
    if not figures.exact:
        return f"The random games took {figures.shortest} to {figures.longest} moves."
    if figures.longest is None:
        return f"A game takes at least {figures.shortest} moves, and need not end at all."
    if figures.shortest == figures.longest:
        return f"Every game takes {plural(figures.shortest, 'move')}."
    return f"A game takes {figures.shortest} to {figures.longest} moves."


def _chance_lines(audit: Audit) -> list[str]:
    lines = [f"{name}: {chances_words(chances)}." for name, chances in pairings(audit)]
    blunders = audit.figures.blunders
    if audit.figures.perfect is None:
        lines.append("Perfect players: not settled, the pool is too large.")
    if blunders is not None:
        lines.append(
            "Where something is at stake, a random move throws it away "
            f"{percent(blunders)} of the time."
        )
    elif audit.figures.exact:
        lines.append("There is never anything to throw away.")
    return lines


def chances_words(chances: Chances) -> str:
    """How a pairing comes out."""
    parts = [
        f"the first player wins {percent(chances.first, chances.trials)}",
        f"the second {percent(chances.second, chances.trials)}",
    ]
    if chances.draw:
        parts.append(f"drawn {percent(chances.draw, chances.trials)}")
    return f"{', '.join(parts)}; {length(chances)}"


def _pie(audit: Audit) -> str:
    """What it would mean if the second player could swap after the first turn."""
    if audit.pie is None:
        return "the book has it already."
    return f"{_with_pie(audit, audit.pie)}.{_evenest(audit.openings)}"


def _with_pie(audit: Audit, pie: PieFinding) -> str:
    if pie.result == "unknown" or pie.good is None:
        return "not settled"
    if pie.result == "loss":
        return f"whatever the first player opened with, {result_words(*pie[:2])}"
    every = len(pie.good) == len(audit.openings)
    does = "open with any opening" if every else would_open(pie.good)
    ends = "best play is a draw" if pie.result == "draw" else result_words(*pie[:2])
    return f"the first player would {does}, and {ends}"


def _evenest(openings: tuple[OpeningFinding, ...]) -> str:
    """The opening that random players have least reason to swap, if chance leaves any doubt."""
    balanced = _balanced(openings)
    if balanced is None or balanced.share is None or balanced.trials:
        return ""
    shares = [percent(share) for share in (balanced.share, 1 - balanced.share)]
    if "100.0%" in shares:
        return ""
    return f" By chance, {name_of(balanced.move)} is the most even opening: {' to '.join(shares)}."


def _balanced(openings: tuple[OpeningFinding, ...]) -> OpeningFinding | None:
    """The opening with the most even chances for random players."""
    known = [opening for opening in openings if opening.share is not None]
    return min(known, key=lambda opening: abs((opening.share or 0) - 0.5), default=None)


def _match(audit: Audit) -> str:
    """What perfect players, and random ones, make of a match as the program plays it."""
    luck = f"Of two random players, whoever starts is {_lead(audit.figures.random)}"
    result = audit.value.result
    if result == "unknown":
        return luck
    if result == "draw":
        return f"between perfect players every game is drawn, whoever starts. {luck}"
    return f"between perfect players {_race(result)} {luck}"


def _lead(chances: Chances) -> str:
    """How much better or worse off than the other one the player who starts is."""
    gap = rounded(abs(200 * chances.share(1) - 100))
    if gap == "0.0":
        return f"{'about as' if chances.trials else 'as'} well off as the other one."
    side = "ahead of" if chances.share(1) > 0.5 else "behind"
    about = "about " if chances.trials else ""
    return f"{about}{gap} percentage points {side} the other one."


def _race(result: str, wins: int = 3) -> str:
    """How a race between perfect players goes: the loser of a game starts the next one."""
    match = Match(wins, None, first=1)
    while not match.over:
        match = match.add(match.starter if result == "win" else 3 - match.starter)
    starter = "whoever starts" if result == "win" else "whoever does not start"
    most, least = sorted((match.tally(1), match.tally(2)), reverse=True)
    who = "starts" if match.winner == match.first else "does not start"
    return (
        f"{starter} wins; as the loser starts the next game, a race to {wins} wins goes to "
        f"whoever {who} in the first game, {most} to {least}."
    )
