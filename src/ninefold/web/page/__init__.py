"""``ninefold page``: a game as one HTML file."""
