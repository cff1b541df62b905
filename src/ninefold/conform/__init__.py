"""Somebody else's environment played against the judge: where they differ, in the shortest game."""
