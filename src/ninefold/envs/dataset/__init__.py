"""Datasets: every position of a game with what is exactly known of it, as rows.

The standard library is all it needs, except for Parquet. Rows are made one ply after the other and
written as they come, so that memory holds what identifies a position, and no more.
"""
