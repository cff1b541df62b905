"""Fair? Who wins, how long it takes, how much skill matters, and what would change it."""

from ninefold.audit.figures import Chances
from ninefold.audit.finding import Evidence, OpeningFinding
from ninefold.audit.report import Audit
from ninefold.audit.words import length, listed, percent, plural, result_words

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
            lines.append(f"Openings that {verb}: {listed(moves)}.")
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
    """What it would mean if the second player could swap after the first pick."""
    if _has_swap(audit):
        return "the book has it already."
    results = {opening.result for opening in audit.openings}
    balanced = _balanced(audit.openings)
    chance = ""
    if balanced is not None and balanced.share is not None and not balanced.trials:
        share = percent(balanced.share)
        chance = f" By chance, {balanced.move} is the fairest opening: {share} for whoever has it."
    if "draw" in results:
        level = [opening.move for opening in audit.openings if opening.result == "draw"]
        which = "any opening" if len(level) == len(audit.openings) else listed(level, "or")
        return f"the first player would open with {which}, and best play is a draw.{chance}"
    if "unknown" in results:
        return f"not settled.{chance}"
    return (
        "every opening is decided, so the second player would take the winning side "
        f"each time and win.{chance}"
    )


def _has_swap(audit: Audit) -> bool:
    rules = audit.book.game.rules
    return any(getattr(rules, field, False) for field in ("pie", "swap", "pie_rule"))


def _balanced(openings: tuple[OpeningFinding, ...]) -> OpeningFinding | None:
    """The opening with the most even chances for random players."""
    known = [opening for opening in openings if opening.share is not None]
    return min(known, key=lambda opening: abs((opening.share or 0) - 0.5), default=None)


def _match(audit: Audit) -> str:
    """What two perfect players, and two random ones, make of alternating starts."""
    share = audit.figures.random.share(1)
    trials = audit.figures.random.trials
    gap = f"{abs(200 * share - 100):.1f}"
    lead = f"{'about ' if trials else ''}{gap} percentage points "
    lead += f"{'ahead' if share >= 0.5 else 'behind'} in one game, and level over two."
    level = gap == "0.0" and not trials
    told = "no better off than the other one." if level else lead
    luck = f"Of two random players, whoever starts is {told}"
    result = audit.value.result
    if result == "unknown":
        return luck
    if result == "draw":
        return f"between perfect players every game is drawn, whoever starts. {luck}"
    starter = "whoever starts" if result == "win" else "whoever does not start"
    first = "starts" if result == "win" else "does not start"
    return (
        f"between perfect players {starter} wins, so with alternating starts an even number of "
        f"games ends level, and a race to 3 wins goes to whoever {first} in the first game, "
        f"3 to 2. "
        f"{luck}"
    )
