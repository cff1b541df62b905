"""The engine: patterns, position, judge, outcome. Standard library only, no I/O, no chance."""
