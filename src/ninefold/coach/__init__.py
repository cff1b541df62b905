"""The coach: what to play in a position, and why, with proof."""
