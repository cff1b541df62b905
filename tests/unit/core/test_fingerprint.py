"""Fingerprints stay what they were, so that records and certificates are still accepted."""

from typing import NamedTuple

import pytest

from ninefold import books
from ninefold.core import fingerprint
from ninefold.core.game import Game
from ninefold.core.rules import Criterion, Rules

# Written down before fingerprints became generic; none of them may ever change.
FINGERPRINTS: list[tuple[str, str, tuple[str, ...], str]] = [
    ("magic-fifteen", "default", (), "da79e4206f1f3fbd"),
    ("pattern-builder", "automatic", (), "4d665e690b5e02c2"),
    ("pattern-builder", "declare", (), "c353e9ba96e817f5"),
    ("sequence-builder", "open-hand", (), "689cf980bd1cdbea"),
    ("sequence-builder", "three-slots", (), "a46b953d773b7434"),
    ("sequence-builder", "three-slots-in-order", (), "ca1ecd0471f59fe0"),
    ("sequence-capture", "default", (), "1c26c46bd5be4f37"),
    ("sequence-duel-arithmetic", "default", (), "7395a425c0b318e5"),
    ("sequence-duel-sum", "retry", (), "640047287ce36512"),
    ("sequence-duel-sum", "lose-turn", (), "1a2ab032f1018ea3"),
    ("sequence-capture", "default", ("misere=true",), "63e108b0bfb71704"),
    ("sequence-capture", "default", ("passing=true",), "5ce12e5fabfb22e1"),
    ("sequence-capture", "default", ("picks-per-turn=2",), "734886c1753deff0"),
    ("sequence-capture", "default", ("pie=true",), "14cdf92ba5754aa7"),
    ("sequence-capture", "default", ("opening=[4,5,6]",), "05c2455359993a92"),
    ("sequence-capture", "default", ('otherwise="second"',), "16f4f80e665649d7"),
    ("sequence-capture", "default", ('otherwise="first"',), "522bdd3b272b535f"),
    ("sequence-capture", "default", ("hand-limit=4",), "3bf68cd4faa5f006"),
    ("sequence-capture", "default", ("declare=true",), "e50f8ca26a488aa6"),
    ("sequence-capture", "default", ('invalid="lose-turn"',), "dcad2071470fac5a"),
    ("sequence-capture", "default", ("ending=[]",), "20a83783a166ccb4"),
    ("sequence-capture", "default", ("pool=1-12",), "dc6177f433af67a1"),
    ("sequence-capture", "default", ("pool=[2,3,5,7,11,13]",), "5318a575f7383acf"),
    (
        "sequence-capture",
        "default",
        ('ending=[{measure="distance",prefer="lower",target=21}]',),
        "a299901d942fb0aa",
    ),
    (
        "sequence-capture",
        "default",
        ('ending=[{measure="distance",prefer="lower",target=21,exceeding=false}]',),
        "18c1da4b88f7d8cf",
    ),
    (
        "sequence-capture",
        "default",
        ('ending=[{measure="count",prefer="higher"},{measure="last-pick",prefer="lower"}]',),
        "4273ac13102598bd",
    ),
    (
        "sequence-capture",
        "default",
        (
            "misere=true",
            "passing=true",
            "picks-per-turn=3",
            "pie=true",
            "opening=[1]",
            'otherwise="first"',
            "hand-limit=5",
        ),
        "55101d7a5aec4a3d",
    ),
    (
        "sequence-capture",
        "default",
        (
            "misere=false",
            "passing=false",
            "picks-per-turn=1",
            "pie=false",
            "opening=[]",
            'otherwise="draw"',
            "hand-limit=0",
        ),
        "1c26c46bd5be4f37",
    ),
    ("magic-fifteen", "default", ("wins.product={count=3,equals=24}",), "65b296a840c58acd"),
    (
        "magic-fifteen",
        "default",
        ('wins.hand={family="sum",whole-hand=true,equals=15}',),
        "1d832476ea1593e9",
    ),
    (
        "magic-fifteen",
        "default",
        ("wins.product={whole-hand=true,multiple-of=7}", "passing=true"),
        "80f79a64c33cfabc",
    ),
    (
        "magic-fifteen",
        "default",
        ("wins.sum=false", 'wins.nines={family="sum",multiple-of=9}'),
        "967ca747487eb756",
    ),
    (
        "magic-fifteen",
        "default",
        ('wins.evens={family="kind",kind="even",count=3}',),
        "90a6aa58c0628440",
    ),
    (
        "magic-fifteen",
        "default",
        ('wins.threes={family="kind",kind="multiple",of=3,count=2}',),
        "67491406932ce324",
    ),
    ("magic-fifteen", "default", ("wins.sets={sets=[[1,2],[9,3,4]]}",), "ef58558dea1939fb"),
    ("magic-fifteen", "default", ("wins.chain={length=3}", "wins.sum=false"), "8544274f44937fde"),
    (
        "magic-fifteen",
        "default",
        ("wins.consecutive={length=3}", "wins.geometric={length=3}", "wins.sum-triple={}"),
        "dc71f0c0e756b5fd",
    ),
    ("sequence-builder", "three-slots-in-order", ("wins.sum-triple={}",), "c8afd55a01a3df93"),
    (
        "sequence-builder",
        "three-slots-in-order",
        ("wins.sets={sets=[[3,1,2],[9,8,7]]}",),
        "a85c048e8902746e",
    ),
    (
        "sequence-builder",
        "three-slots-in-order",
        ("wins.sets={sets=[[1,2,3],[7,8,9]]}", 'invalid="lose-turn"'),
        "638ae137fa5fb121",
    ),
    ("pattern-builder", "declare", ('otherwise="second"', "pie=true"), "33379d3be09e84f6"),
    ("sequence-duel-sum", "lose-turn", ("pie=true", "picks-per-turn=2"), "9a8e80330faa1726"),
    (
        "sequence-capture",
        "default",
        ('restrictions=[{must="divisor-or-multiple",compared-with="last"}]',),
        "b3369fc2d8543273",
    ),
    (
        "sequence-capture",
        "default",
        (
            'restrictions=[{must-not="difference",compared-with="own",by=1,except=[5]}]',
            'stuck="skip"',
        ),
        "be18b8623468adab",
    ),
    (
        "sequence-capture",
        "default",
        ('caps=[{total="sum",of="own",at-most=20}]',),
        "0ae504cbdb41f529",
    ),
    ("sequence-capture", "default", ("row-ends=true",), "7046241f430f7428"),
    ("sequence-capture", "default", ('values={"9"=1}',), "ec5cdc33a3b0745c"),
    ("sequence-capture", "default", ("losses.sum={count=2,equals=10}",), "f54211b563d4650e"),
    ("sequence-capture", "default", ("wins.sum={shared=true,at-least=30}",), "4e6e9f8fb9c0eb76"),
    (
        "sequence-capture",
        "default",
        (
            'ending=[{measure="run-sum",prefer="higher",among="highest"},{measure="count",prefer="higher",kind="multiple",of=3}]',
        ),
        "7d402ad6a5071127",
    ),
    (
        "sequence-capture",
        "default",
        (
            'ending=[{measure="longest-ascent",prefer="higher"},{measure="hand-product",prefer="lower"}]',
        ),
        "0a1c18fe9b8c074b",
    ),
]


@pytest.mark.parametrize(("name", "reading", "changes", "expected"), FINGERPRINTS, ids=str)
def test_no_fingerprint_has_changed(
    name: str, reading: str, changes: tuple[str, ...], expected: str
) -> None:
    """Of every reading of the built-in books, and of changes that cover every rule."""
    assert books.load_book(name, reading, changes).game.fingerprint == expected


def test_the_table_covers_every_reading_and_every_rule() -> None:
    """A reading that is missing here would not be noticed."""
    readings = {
        (name, reading) for name in books.names() for reading in books.load_book(name).readings
    }
    assert {row[:2] for row in FINGERPRINTS} == readings
    changed = {change.split("=")[0].split(".")[0] for row in FINGERPRINTS for change in row[2]}
    assert changed == {name.replace("_", "-") for name in Rules._fields} - {"in-order"}


class LaterLink(NamedTuple):
    """A link of the ending as a later version may know it."""

    measure: str
    prefer: str
    target: int = 0
    exceeding: bool = True
    among: str = "lowest"


class LaterRules(NamedTuple):
    """Rules as a later version may know them: with a flag and a list of tables."""

    pool: tuple[int, ...]
    wins: tuple[object, ...]
    ending: tuple[object, ...] = ()
    hand_limit: int | None = None
    in_order: bool = False
    declare: bool = False
    invalid: str = "retry"
    misere: bool = False
    passing: bool = False
    picks_per_turn: int = 1
    opening: tuple[int, ...] = ()
    pie: bool = False
    otherwise: str = "draw"
    stuck_ends: bool = False
    barred: tuple[Criterion, ...] = ()


def later(**fields: object) -> str:
    """The fingerprint of a game under rules of a later version."""
    game = Game(Rules((1, 2, 3), ()))
    game.rules = LaterRules((1, 2, 3), (), **fields)  # type: ignore[assignment, arg-type]
    return fingerprint.fingerprint_of(game)


def test_a_new_rule_enters_only_where_it_is_used() -> None:
    """A book without it keeps its fingerprint; a book with it has another, by its value."""
    today = Game(Rules((1, 2, 3), ())).fingerprint
    assert later() == today
    used = [
        later(stuck_ends=True),
        later(barred=(Criterion("count", "higher"),)),
        later(barred=(Criterion("count", "lower"),)),
    ]
    assert len({today, *used}) == 4


def test_a_new_field_of_a_link_enters_only_where_it_is_used() -> None:
    """Whatever the measure is."""
    rules = Rules((1, 2, 3), (), (Criterion("run-sum", "higher"),))
    assert later(ending=(LaterLink("run-sum", "higher"),)) == Game(rules).fingerprint
    other = later(ending=(LaterLink("run-sum", "higher", among="highest"),))
    assert other != Game(rules).fingerprint
