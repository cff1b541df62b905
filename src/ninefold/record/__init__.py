"""What is written down and read back: every game, move by move, as it is played."""
