"""Statements about play: who wins by force, openings, skill and luck, passing."""

from ninefold.audit.best_play import is_endless
from ninefold.audit.figures import Moves
from ninefold.audit.finding import Answer, answer
from ninefold.audit.subject import Subject
from ninefold.audit.words import SEATS, after_words, result_words
from ninefold.books.claims import Claim
from ninefold.core.moves import LOST, PASS
from ninefold.core.position import Position
from ninefold.core.text import listed, plural
from ninefold.pages.shown import Evidence
from ninefold.pages.words import move_words, percent, sentence
from ninefold.solver import Solver
from ninefold.solver.breadth_first import BreadthFirst, legal_steps, position_key
from ninefold.solver.scores import sign_of

AWAY = (LOST, PASS)


def by_force(seat: int | None, wanted: bool, subject: Subject, _: Claim) -> Answer:
    """This seat (None: nobody) wins by force, or does not, as wanted."""
    result, plies = subject.value
    if result == "unknown":
        return answer(None, "The search did not finish in time.")
    winner = {"win": 1, "loss": 2}.get(result)
    text = f"Best play: {result_words(result, plies, is_endless(subject))}."
    good = subject.good_openings
    if good and (result == "loss" or len(good) == len(subject.openings)):
        verb = {"win": "wins", "draw": "holds the draw", "loss": "loses"}[result]
        text += f" Every opening {verb}."
    elif good:
        text += f" The openings that keep it: {listed([move_words(item.move) for item in good])}."
    return answer((winner == seat) == wanted, text)


def skill(subject: Subject, claim: Claim) -> Answer:
    """A perfect player beats a random one from either seat."""
    perfect = subject.figures.perfect
    if perfect is None:
        return answer(None, "The pool is too large for perfect play.")
    scores = {seat: chances.share(seat) for seat, chances in enumerate(perfect, 1)}
    worst, least = min(scores.values()), claim.get("at-least", 50) / 100
    holds = worst >= least if "at-least" in claim else worst > least
    lines = [
        f"As {SEATS[seat]} a perfect player scores "
        f"{percent(score, perfect[seat - 1].trials)} against a random one."
        for seat, score in scores.items()
    ]
    estimated = any(chances.trials for chances in perfect)  # which proves nothing
    return Answer(None if estimated else holds, tuple(map(Evidence, lines)))


def equal_chances(subject: Subject, claim: Claim) -> Answer:
    """Two random players have about the same chances."""
    chances, within = subject.figures.random, claim.get("within", 5) / 100
    one, two = chances.share(1), chances.share(2)
    shares = [percent(share, chances.trials) for share in (one, two)]
    holds = None if chances.trials else abs(one - two) <= within
    return answer(holds, f"Two random players score {listed(shares)}.")


def openings(only: bool, subject: Subject, claim: Claim) -> Answer:
    """These openings are good, and perhaps no others."""
    good = subject.good_openings
    if good is None:
        return answer(None, "The search did not finish in time.")
    kept, named = {item.move for item in good}, set(claim["openings"])
    which = "This opening" if len(good) == 1 else "These openings"
    verb = {"win": "win", "draw": "hold the draw", "loss": "lose"}[subject.value.result]
    every = len(good) == len(subject.openings)
    rest = "no opening does better" if every else "the others are worse"
    text = f"{which} {verb}: {listed([move_words(item.move) for item in good])}; {rest}."
    return answer(named == kept if only else named <= kept, text)


def passing(subject: Subject, _: Claim) -> Answer:
    """Losing a turn is never better than every number."""
    if not subject.figures.exact:
        return answer(None, "The pool is too large to try every position.")
    moves, looked = passing_helps(subject)
    if moves is None:
        tried = plural(looked, "position")
        return answer(True, f"Losing a turn is the best move in none of {tried}.")
    text = f"{sentence(after_words(subject.show(moves)))}, losing the turn would be the best move."
    return answer(False, text, subject.show(moves))


def passing_helps(subject: Subject) -> tuple[Moves | None, int]:
    """A shortest way to where losing the turn beats every move, and how many positions it took."""
    walk = BreadthFirst(subject.game.start(), legal_steps, position_key)
    looked = 0
    for at in walk:
        position = walk.nodes[at]
        subject.clock.check()
        looked += position.outcome is None
        if position.outcome is None and not position.asking and _is_best(position, subject.solver):
            return walk.path(at), looked
    return None, looked


def _is_best(position: Position, solver: Solver) -> bool:
    legal = position.legal
    away = [move for move in legal if move in AWAY] or [LOST]  # once, if the book has no such move
    best = max(solver.move_score(position, move) for move in legal if move not in away)
    return max(sign_of(solver.move_score(position, move)) for move in away) > sign_of(best)
