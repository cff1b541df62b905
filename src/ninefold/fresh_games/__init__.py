"""Games nobody has seen: books drawn at random, and proof that a relabelled game is the same."""

from ninefold.fresh_games.same_game import NotTheSame, tree_digest, verify

__all__ = ["NotTheSame", "tree_digest", "verify"]
