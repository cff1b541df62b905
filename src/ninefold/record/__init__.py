"""Records of games: written move by move as they are played, read back, and replayed."""
