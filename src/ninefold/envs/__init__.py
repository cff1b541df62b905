"""Environments: the games through the interfaces that agents are trained and measured with."""
