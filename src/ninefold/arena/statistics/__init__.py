"""Estimates with intervals, comparisons and ratings, from arrays of counts; no I/O."""
