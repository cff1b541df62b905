"""Environments: the games through the interfaces that agents are trained and measured with.

Adapters only translate; the judge decides everything. ``encoding`` is what they all agree on.
"""
