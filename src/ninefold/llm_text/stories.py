"""What a game can be about, and what its numbers can be called."""

from random import Random
from typing import NamedTuple


class Story(NamedTuple):
    """What players take, one and several of it, and a sentence that sets the scene."""

    one: str
    several: str
    scene: str


NO_STORY = Story("number", "numbers", "")
STORIES = (
    Story("lantern", "lanterns", "Two keepers light the lanterns along a harbour wall."),
    Story("village", "villages", "Two travelling merchants divide the villages of a valley."),
    Story("crate", "crates", "Two dockers unload the crates of one ship."),
    Story("comet", "comets", "Two astronomers name the comets of one night."),
    Story("recipe", "recipes", "Two cooks choose the recipes for a feast."),
    Story("bridge", "bridges", "Two engineers share the bridges of a river between them."),
    Story("puppet", "puppets", "Two players of a puppet theatre pick the puppets for their shows."),
    Story("beehive", "beehives", "Two beekeepers share the beehives of a meadow."),
)

WORDS = tuple(
    """
    acorn anchor apron arrow badge bagel barrel basket bell bench berry blanket bottle bowl
    branch brick broom bucket button cabin cactus candle canoe carpet castle cellar chain chalk
    cherry chimney clover coat comb copper coral cotton cradle crown curtain daisy drum
    eagle elbow engine fabric feather fence fiddle flute forest fountain garden glove goose grape
    hammer harp hazel helmet honey hook jacket jigsaw kettle kite ladder lemon lizard marble
    mirror mitten mushroom needle noodle olive onion oven paddle pebble pepper piano pillow
    plum pocket pumpkin puzzle quilt rabbit raft ribbon rocket saddle sail scarf shovel
    spoon spring stable sugar tablet teapot thimble thunder ticket tiger tower trumpet turnip
    umbrella velvet violin wagon walnut whistle window winter
    """.split()
)
SYMBOLS = tuple("◆●▲■★♣♠♥◇○△□☆☀☂☎♞♜♝♛⚑✂✈☘⚓⚙✎☾☁⌂◐◑◒◓◢◣◤◥▰▱")
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


def labels_for(kind: str, count: int, random: Random, used: tuple[int, ...]) -> list[str]:
    """Different labels of a kind, in no order; numbers differ from those used before."""
    if kind == "symbols" and count <= len(SYMBOLS):
        return random.sample(SYMBOLS, count)
    if kind == "words":
        return random.sample(WORDS, count)
    if kind == "numbers":
        most = 100 if count <= 50 else 1000
        return [*map(str, random.sample(sorted({*range(10, most)} - {*used}), count))]
    made = [one + two for one in _syllables() for two in _syllables()]
    return [name.capitalize() for name in random.sample(made, count)]


def _syllables() -> list[str]:
    return [consonant + vowel for consonant in _CONSONANTS for vowel in _VOWELS]
