"""How a step of a game can end: it goes on, it is over, or it is cut off."""

GOES_ON, TERMINATED, TRUNCATED = 0, 1, 2
