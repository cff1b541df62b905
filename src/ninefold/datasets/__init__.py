"""Datasets: every position of a game with all that is exactly known about it, as rows."""
