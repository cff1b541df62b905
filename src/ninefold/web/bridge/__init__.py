"""A program that speaks the Go Text Protocol, as a bot on a server."""
