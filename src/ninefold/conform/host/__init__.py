"""What runs in the process of the environment: any Python, standard library only, no ninefold."""
