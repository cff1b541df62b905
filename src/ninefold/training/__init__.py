"""A worked example: a small agent learns a game by self-play, and is proved."""
