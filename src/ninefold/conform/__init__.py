"""Compares somebody else's environment with the judge, and shows a shortest game per fault."""
