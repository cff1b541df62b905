"""Ninefold in the browser."""
