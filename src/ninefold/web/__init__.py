"""Play in the browser."""
