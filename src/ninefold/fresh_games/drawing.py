"""New rule books drawn at random from the language: short, solved, and worth playing.

Rules without which the game tree would be the same are left out. A book is kept if ``ninefold
check`` has no remark about it, if random play meets a real decision often enough in both seats,
if best play takes a while, and if its game tree is that of no built-in book, in any reading, and
of no book drawn before.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from ninefold import books
from ninefold.books.check import examine_stranger
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.rules import Rules
from ninefold.fresh_games.book_file import format_rule_book
from ninefold.fresh_games.same_game import tree_digest
from ninefold.llm_text.stories import WORDS
from ninefold.players import random_choices
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.graph import Graph
from ninefold.solver.scores import plies_of, result_of, score_of_child, sign_of

# So many positions are solved in about a second.
MOST_POSITIONS = 20_000
# Best play of a won game takes at least this many moves.
LEAST_MOVES = 4
# The trees of the built-in books, which take a while to find: by book and reading.
BUILT_IN_TREES = {
    ("magic-fifteen", "default"): "b0026e66a8ffe0207f7cab346181f6eb",
    ("pattern-builder", "automatic"): "9b7eb9f83f35c9f3a6a42c5a942e3623",
    ("pattern-builder", "declare"): "a18eef5fc76fcd6c35e2f06c8cd8a453",
    ("sequence-builder", "open-hand"): "9b7eb9f83f35c9f3a6a42c5a942e3623",
    ("sequence-builder", "three-slots"): "00468d24ad82dcd5b72771763ed652b8",
    ("sequence-builder", "three-slots-in-order"): "1c75626fdba70e9714a30bc23c228cbe",
    ("sequence-capture", "default"): "0a48716e19ffc918fe15b5387295202d",
    ("sequence-duel-arithmetic", "default"): "1d7c49c436faf442079fbc717ff25808",
    ("sequence-duel-sum", "retry"): "aeea7c010319aebcbebd23424fb88cfb",
    ("sequence-duel-sum", "lose-turn"): "4ad3ce374b43998e72270886707afc27",
}
# A share of decisions that no book reaches would be drawn for ever.
MOST_TRIES = 2_000


class Figures(NamedTuple):
    """What is known about a drawn game, all exact.

    ``decisions`` is the share of the moves of random play made where legal moves differ in result,
    for the first and the second player.
    """

    positions: int
    result: str  # for the player who begins
    plies: int | None  # of a won game
    decisions: tuple[float, float]


class DrawnBook(NamedTuple):
    """A rule book, its file, and why it was kept."""

    id: str
    text: str
    game: Game
    tree: str
    figures: Figures

    def as_data(self) -> dict[str, Any]:
        """Its entry in the manifest."""
        return {
            "file": f"{self.id}.toml",
            "sha256": sha256(self.text.encode()).hexdigest(),
            "rules": self.game.fingerprint,
            "tree": self.tree,
            **self.figures._asdict(),
        }


def draw_books(seed: str, least_decisions: float = 0.25) -> Iterator[DrawnBook]:
    """Books drawn by a seed, without end: the same seed gives the same books in the same order.

    ``least_decisions`` is what ``Figures.decisions`` has to reach in both seats. Raises
    NinefoldError if no book does.
    """
    random = Random(f"draw {seed}")
    known, names = {*BUILT_IN_TREES.values()}, set[str]()
    while True:
        for _ in range(MOST_TRIES):
            drawn = _draw(random, least_decisions)
            if drawn is not None and drawn.tree not in known and drawn.id not in names:
                break
        else:
            reason = f"No game was found in which {least_decisions:.0%} of moves are decisions."
            raise NinefoldError("no-such-game", reason, "Ask for a smaller share.")
        known.add(drawn.tree)
        names.add(drawn.id)
        yield drawn


def figures_of(graph: Graph) -> Figures:
    """The figures of a game, all of whose positions are in a graph."""
    score = graph.scores[0]
    plies = plies_of(score) if score else None
    return Figures(len(graph.nodes), result_of(score), plies, _decisions(graph))


def _decisions(graph: Graph) -> tuple[float, float]:
    """The share of the moves of each player that are decisions, under random play."""
    moves, decided, layer = [0.0, 0.0], [0.0, 0.0], {0: 1.0}
    while layer:
        after: dict[int, float] = {}
        for at, chance in layer.items():
            position = graph.nodes[at]
            if position.outcome is not None:
                continue
            chosen = random_choices(graph.moves[at], position.asking)
            steps = zip(graph.moves[at], graph.children[at], strict=True)
            children = [to for move, to in steps if move in chosen]
            moves[position.turn - 1] += chance
            decided[position.turn - 1] += chance * _differ(graph, at, children)
            for to in children:
                after[to] = after.get(to, 0.0) + chance / len(children)
        layer = after
    one, two = (part / max(whole, 1e-9) for part, whole in zip(decided, moves, strict=True))
    return round(one, 6), round(two, 6)


def _differ(graph: Graph, at: int, children: list[int]) -> bool:
    """Whether the moves to these positions differ in result."""
    position = graph.nodes[at]
    scores = {graph.nodes[to]: graph.scores[to] for to in children}
    signs = {sign_of(score_of_child(position, child, lambda it: scores[it])) for child in scores}
    return len(signs) > 1


def without_dead_rules(game: Game) -> Game:
    """The same game tree with as few rules as possible, taken away one by one."""
    tree = tree_digest(game)
    for rules in _simpler(game.rules):
        with suppress(NinefoldError, TooLarge):
            simpler = Game(rules, game.name)
            if tree_digest(simpler, MOST_POSITIONS) == tree:
                return without_dead_rules(simpler)
    return game


def _simpler(rules: Rules) -> Iterator[Rules]:
    """The rules with one rule less, in every way."""
    for name, default in {"wins": (), **Rules._field_defaults}.items():
        value: Any = getattr(rules, name)
        less: list[Any] = [default] if value != default else []
        if name in ("wins", "losses", "ending"):
            less = [(*value[:at], *value[at + 1 :]) for at in range(len(value))]
        for simpler in less:
            yield rules._replace(**{name: simpler})


def _draw(random: Random, least_decisions: float) -> DrawnBook | None:
    """One book, unless it is not worth keeping."""
    words = random.sample(WORDS, 2)
    rules, title = _rules(random), " ".join(map(str.capitalize, words))
    try:
        game = books.read_book({"rules": rules}, stem="-".join(words)).game
        figures = figures_of(Graph(game.start(), MOST_POSITIONS))
    except (NinefoldError, TooLarge):
        return None
    short = figures.plies is not None and figures.plies < LEAST_MOVES
    if short or min(figures.decisions) < least_decisions:
        return None
    game = without_dead_rules(game)
    text = format_rule_book(title, game, "A rule book drawn at random.")
    report = examine_stranger(text, game.name)
    if report.faults or report.warnings:
        return None
    return DrawnBook(game.name, text, game, tree_digest(game), figures)


def _rules(random: Random) -> dict[str, Any]:
    """The table ``rules`` of a book: a pool, what wins, an ending, and a twist or two."""
    pool = _pool(random)
    rules: dict[str, Any] = {"pool": pool}
    patterns = random.choices((0, 1, 2), (1, 8, 3))[0]
    rules["wins"] = dict(random.choice(_PATTERNS)(random, pool) for _ in range(patterns))
    if not patterns or random.random() < 0.6:
        rules["ending"] = [_link(random, pool) for _ in range(random.choice((1, 1, 2)))]
        rules["otherwise"] = random.choice(("first", "second"))
    for twist in random.sample(_TWISTS, random.choices((0, 1, 2), (2, 5, 3))[0]):
        rules |= twist(random, pool)
    return rules


def _pool(random: Random) -> list[int]:
    size = random.choice((7, 8, 8, 9))
    first, step = random.choice((1, 1, 2, 3)), random.choice((1, 1, 2, 3))
    row = [first + step * at for at in range(size)]
    return random.choice((row, sorted(random.sample(range(1, 17), size))))


def _triples(random: Random, pool: list[int]) -> list[list[int]]:
    found = {tuple(sorted(random.sample(pool, 3))) for _ in range(random.randint(6, 11))}
    return sorted(map(list, found))


def _sum_of_three(random: Random, pool: list[int]) -> int:
    return sum(random.sample(pool, 3))


_Draw = Callable[[Random, list[int]], Any]
_PATTERNS: tuple[_Draw, ...] = (
    lambda _, __: ("arithmetic", {"length": 3}),
    lambda _, __: ("geometric", {"length": 3}),
    lambda random, _: ("consecutive", {"length": random.choice((2, 3, 4))}),
    lambda _, __: ("sum-triple", {}),
    lambda random, pool: ("sum", {"count": 3, "equals": _sum_of_three(random, pool)}),
    lambda random, _: ("sum", {"count": 3, "multiple-of": random.choice((4, 5, 6, 7))}),
    lambda random, pool: ("sum", {"whole-hand": True, "equals": _sum_of_three(random, pool)}),
    lambda random, _: ("product", {"count": 3, "multiple-of": random.choice((8, 9, 10, 12))}),
    lambda random, _: ("kind", {"kind": random.choice(("even", "odd", "prime")), "count": 3}),
    lambda _, __: ("chain", {"length": 3}),
    lambda random, pool: ("sets", {"sets": _triples(random, pool)}),
)
_TWISTS: tuple[_Draw, ...] = (
    lambda _, __: {"misere": True},
    lambda _, __: {"pie": True},
    lambda _, __: {"passing": True},
    lambda _, __: {"picks-per-turn": 2},
    lambda random, _: {"hand-limit": random.choice((3, 4))},
    lambda random, pool: {"opening": sorted(random.sample(pool, random.choice((2, 3))))},
    lambda random, pool: {"values": _values(random, pool)},
    lambda random, pool: {"losses": dict([random.choice(_PATTERNS)(random, pool)])},
    lambda random, _: {"restrictions": [_restriction(random)]},
    lambda random, pool: {"caps": [_cap(random, pool)]},
    lambda _, __: {"row-ends": True},
)


def _values(random: Random, pool: list[int]) -> dict[str, int]:
    points = random.sample(range(1, 13), 3)
    return dict(zip(map(str, sorted(random.sample(pool, 3))), points, strict=True))


def _cap(random: Random, pool: list[int]) -> dict[str, Any]:
    of, share = random.choice((("own", 0.4), ("taken", 0.8)))
    return {"total": "sum", "of": of, "at-most": int(sum(pool) * share)}


def _restriction(random: Random) -> dict[str, Any]:
    relation = random.choice(("divisor", "same-parity", "within", "difference", "common-factor"))
    compared = random.choice(("last", "own-last", "taken"))
    rule: dict[str, Any] = {
        "compared-with": compared,
        random.choice(("must", "must-not")): relation,
    }
    by = {"within": random.choice((2, 3)), "difference": random.choice((1, 2, 3))}
    return {**rule, **({"by": by[relation]} if relation in by else {})}


def _link(random: Random, pool: list[int]) -> dict[str, Any]:
    measures = "count distance hand-sum highest longest-run lowest run-sum last-pick".split()
    link: dict[str, Any] = {"measure": random.choice(measures)}
    link["prefer"] = random.choice(("higher", "lower"))
    if link["measure"] == "distance":
        link["target"] = random.randint(sum(pool) // 4, sum(pool) // 2)
    if link["measure"] == "count":
        link["kind"] = random.choice(("even", "odd", "prime"))
    return link
