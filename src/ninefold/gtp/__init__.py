"""The Go Text Protocol: Ninefold as an engine, and a check of other engines."""
