"""The code that runs in the environment's process: standard library only, without ninefold."""
