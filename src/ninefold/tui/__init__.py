"""The full-screen app: the same referee, records, clocks and players as line mode."""
