"""A whole game as arrays: its positions, what each is worth, and what players do there."""

from ninefold.envs.extras import require

require("numpy", "gym")
