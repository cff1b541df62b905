"""Programs that write parts of the documentation, and long runs that are too slow for the tests."""
