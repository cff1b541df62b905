"""The engine compared with a naive definition of every book and every reading."""
