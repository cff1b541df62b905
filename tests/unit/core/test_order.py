"""The order of a hand: what of it a position remembers."""

from ninefold import books
from ninefold.core.game import Game


def test_the_order_of_a_hand_matters_until_it_is_full() -> None:
    """Then nothing can come of it any more, unless a set can still be declared."""
    game = books.load_book("sequence-builder", "three-slots-in-order").game
    one, other = game.play("1 9 4 8 2"), game.play("4 9 1 8 2")
    assert one.order_of(1) == other.order_of(1) == ()
    assert one.order_of(2) == (9, 8)
    assert one.key == other.key
    assert game.play("1 9 4 8").key != game.play("4 9 1 8").key
    declared = Game(game.rules._replace(declare=True))
    assert declared.play("1 9 4 8 2").order_of(1) == (1, 4, 2)
    assert books.load_book("sequence-capture").game.play("1 9 4").order_of(1) == ()
