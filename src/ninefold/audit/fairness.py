"""Who wins and how, how fair the game is, and what would change it, as sentences."""

from ninefold.audit import words
from ninefold.audit.figures import PATTERN, Chances
from ninefold.audit.finding import OpeningFinding, PieFinding
from ninefold.audit.report import Audit
from ninefold.core.text import listed, plural
from ninefold.pages.shown import Evidence
from ninefold.pages.words import move_words, percent, rounded, sentence

PAIRINGS = (
    "Two random players",
    "Perfect first player, random second player",
    "Random first player, perfect second player",
)


def pairings(audit: Audit) -> list[tuple[str, Chances]]:
    """The pairings of players whose chances are known."""
    found = [audit.figures.random, *(audit.figures.perfect or ())]
    return list(zip(PAIRINGS, found, strict=False))


def result_lines(audit: Audit) -> list[Evidence]:
    """Who wins, how soon, by what, with which openings; and how long a game takes."""
    best = audit.best_play
    value = f"Best play: {words.result_words(*audit.value, _endless(audit))}."
    texts = (value, *_how_lines(audit), *_opening_lines(audit), _lengths(audit))
    lines = [*map(Evidence, texts)]
    if best is not None and best.shown is not None:
        lines.append(Evidence(f"A game of best play: {best.shown.line}", best.shown))
    return lines


def _endless(audit: Audit) -> bool | None:
    """Whether a game without a forced win never ends; only lost turns can make it endless."""
    if audit.best_play is not None:
        return audit.best_play.endless
    return None if audit.book.game.rules.invalid == "lose-turn" else False


def _how_lines(audit: Audit) -> list[str]:
    """By which rules the forced win comes about, and which ends can be forced."""
    best, rules = audit.best_play, audit.book.game.rules
    if audit.value.result == "draw":
        return ["Neither player can force a win."]
    if best is None or best.winner is None:
        why = "" if audit.figures.exact else f" ({audit.figures.why_not_exact})"
        return [f"How the win comes about: unknown{why}."]
    winner, loser = words.SEATS[best.winner], words.SEATS[3 - best.winner]
    lines = ["Which rule decides: unknown (too many positions)."]
    if best.rules:
        lines = [f"How: {words.decided_by(best, rules.misere)}."]
    if not (rules.wins or rules.losses):
        return lines
    made = f"force {loser} to complete a set" if rules.misere else "force a set"
    if rules.losses:
        made += f", or that {loser} completes a losing one" if rules.wins else " that loses"
    if best.set_in is None:
        lines.append(f"{sentence(winner)} cannot {made}: {loser} can always avoid it.")
    elif best.set_in != audit.value.plies or not best.rules:
        can = "can also" if best.set_in != audit.value.plies else "can"
        lines.append(f"{sentence(winner)} {can} {made}, in {plural(best.set_in, 'move')}.")
    elif len(patterns := [rule for rule in best.rules if rule.kind == PATTERN]) > 1:
        for rule in patterns:
            can = "cannot be forced"
            if rule.plies is not None:
                can = f"can be forced in {plural(rule.plies, 'move')}"
            lines.append(f"{sentence(rule.name)} alone {can}.")
    return lines


def _opening_lines(audit: Audit) -> list[str]:
    lines = []
    kinds = {"win": "win", "draw": "draw", "loss": "lose", "unknown": "are not settled"}
    for kind, verb in kinds.items():
        moves = [opening.move for opening in audit.openings if opening.result == kind]
        if moves and len(moves) == len(audit.openings):
            lines.append("No opening is settled." if kind == "unknown" else f"All openings {verb}.")
        elif moves:
            lines.append(f"Openings that {verb}: {listed(words.move_names(moves))}.")
    return lines


def summary_lines(audit: Audit) -> list[str]:
    """Who wins, how fair the game is, whether it can be drawn, dead rules, and what is false."""
    figures, best = audit.figures, audit.best_play
    result = f"Best play: {words.result_words(*audit.value, _endless(audit))}"
    how = f", {words.decided_by(best, audit.book.game.rules.misere)}" if best and best.rules else ""
    lines = [f"{result}{how}.", *_opening_lines(audit)[:1]]
    lines.append(f"Two random players: {chances_words(figures.random)}.")
    if figures.exact and not figures.results[2]:
        lines.append("No game can be drawn.")
    if audit.pie is not None and audit.pie.result != "unknown":
        lines.append(f"With the pie rule, {_with_pie(audit, audit.pie)}.")
    dead = [rule.name for rule in audit.rules if rule.can_matter is False]
    unsettled = any(rule.can_matter is None for rule in audit.rules)
    fine = "No dead rule was found." if unsettled else "Every rule can matter."
    lines.append(f"Dead rules: {listed(dead)}." if dead else fine)
    false = [*audit.false_claims, *audit.contradictions, *audit.false_examples]
    quoted = [f'"{name.rstrip(".")}"' for name in false]
    lines.append(
        f"False: {listed(quoted)}." if false else "Nothing in the book was found to be false."
    )
    return lines


def fairness_lines(audit: Audit) -> list[Evidence]:
    """How random and perfect players fare."""
    lines = [f"{name}: {chances_words(chances)}." for name, chances in pairings(audit)]
    blunders = audit.figures.blunders
    if audit.figures.perfect is None:
        lines.append(f"Perfect players: not settled, {audit.figures.why_not_exact}.")
    if blunders is not None:
        share = percent(blunders)
        lines.append(f"A random move blunders a won or drawn position {share} of the time.")
    elif audit.figures.exact:
        lines.append("No move can be a blunder.")
    return [*map(Evidence, lines)]


def change_lines(audit: Audit) -> list[Evidence]:
    """What the pie rule and an alternating match would change."""
    pie = "the book has it already."
    if audit.pie is not None:
        pie = f"{_with_pie(audit, audit.pie)}.{_evenest(audit.openings)}"
    return [Evidence(f"The pie rule: {pie}"), Evidence(f"A match: {_match(audit)}")]


def _lengths(audit: Audit) -> str:
    figures = audit.figures
    if figures.longest is None:
        return f"A game takes at least {plural(figures.shortest, 'move')}, and need not end at all."
    length = words.span(figures.shortest, figures.longest)
    if not figures.exact:
        return f"The random games took {length}."
    return f"{'Every' if figures.shortest == figures.longest else 'A'} game takes {length}."


def chances_words(chances: Chances) -> str:
    """How a pairing comes out, and how long its games take on average."""
    parts = [
        f"the first player wins {percent(chances.first, chances.trials)}",
        f"the second {percent(chances.second, chances.trials)}",
    ]
    if chances.draw:
        parts.append(f"drawn {percent(chances.draw, chances.trials)}")
    if chances.plies is None:
        return f"{', '.join(parts)}; some games never end"
    moves = f"{'about ' if chances.trials else ''}{rounded(chances.plies, 2)} moves"
    return f"{', '.join(parts)}; {moves} on average"


def _with_pie(audit: Audit, pie: PieFinding) -> str:
    """What it would mean if the second player could swap after the first turn."""
    if pie.result == "unknown" or pie.good is None:
        return "not settled"
    every = len(pie.good) == len(audit.openings)
    does = "open with any number" if every else words.would_open(pie.good)
    if pie.result == "draw":
        drawn, never = "the game is drawn", "the game never ends"
        ends = {False: drawn, True: never, None: "nobody wins by force"}[pie.endless]
        return f"the first player would {does}, and with best play {ends}"
    text, best, note = f"the first player would {does}, and wins", min, "win soonest"
    if pie.result == "loss":
        text = "whatever the first player opens with, the second player wins"
        best, note = max, "last longest"
    lengths = {move: plies for move, _, plies in pie.openings if move in pie.good and plies}
    if len(lengths) < len(pie.good):
        return text
    least, most = min(lengths.values()), max(lengths.values())
    text += f" in {words.span(least, most)}"
    if least == most:
        return text
    named = [move_words(move) for move in lengths if lengths[move] == best((least, most))]
    return f"{text}; {listed(named)} {note if len(named) > 1 else note.replace(' ', 's ', 1)}"


def _evenest(openings: tuple[OpeningFinding, ...]) -> str:
    """The opening that random players have least reason to swap, if chance leaves any doubt."""
    known = [(opening.share, opening) for opening in openings if opening.share is not None]
    if not known:
        return ""
    # Sums may differ in their last digit.
    least = min(round(abs(share - 0.5), 9) for share, _ in known)
    evenest = [item for item in known if round(abs(item[0] - 0.5), 9) == least]
    share = evenest[0][0]
    shares = [percent(share), percent(1 - share)]
    if evenest[0][1].trials or "100.0%" in shares or len(evenest) == len(known):
        return ""
    names = listed(move_words(opening.move) for _, opening in evenest)
    are = "is the most even opening" if len(evenest) == 1 else "are the most even openings"
    return f" By chance, {names} {are}: {' to '.join(shares)}."


def _match(audit: Audit) -> str:
    """What perfect players, and random ones, make of a match as the program plays it."""
    luck = f"Between two random players, whoever starts is {_lead(audit.figures.random)}"
    result = audit.value.result
    if result == "unknown":
        return luck
    if result == "draw":
        never = {False: "every game is drawn", True: "no game ever ends", None: "nobody wins"}
        return f"between perfect players {never[_endless(audit)]}, whoever starts. {luck}"
    race = "as the loser starts the next game, a race to 3 wins goes to whoever"
    if result == "win":
        who = f"whoever starts wins; {race} starts in the first game, 3 to 2."
    else:
        who = f"whoever does not start wins; {race} does not start in the first game, 3 to 0."
    return f"between perfect players {who} {luck}"


def _lead(chances: Chances) -> str:
    """How much better or worse off than the other one the player who starts is."""
    gap = rounded(abs(200 * chances.share(1) - 100))
    about = "about " if chances.trials else ""
    if gap == "0.0":
        return f"{about}as well off as the other one."
    side = "ahead of" if chances.share(1) > 0.5 else "behind"
    return f"{about}{gap} percentage points {side} the other one."
