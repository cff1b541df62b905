"""Environments: the games through the interfaces that agents are trained and measured with.

``gym``, ``pettingzoo_env`` and ``openspiel`` are the adapters; ``batch`` plays many games in step.
Adapters only translate: the judge decides everything.
"""
