"""Ninefold as an engine over the Go Text Protocol, and a check of other programs that speak it."""
