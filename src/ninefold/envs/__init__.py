"""Environments: the games through the interfaces that agents are trained and measured with.

Adapters only translate; the judge decides everything. ``encoding`` is what they all agree on.
``gym``, ``zoo`` and ``spiel`` are the adapters, ``batch`` plays many games in step, ``tables``
holds a whole game, ``oracle``, ``exam`` and ``dataset`` tell what is exactly known, ``text`` is for
language models.
"""
