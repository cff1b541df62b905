"""Environments to be examined: honest ones, and one with whatever fault is asked for."""
