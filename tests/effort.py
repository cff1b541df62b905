"""How many random examples a test tries: some every day, many more in the long run."""

LONG_RUN = 20  # times as many examples as every day


class Effort:
    """The run the options of pytest asked for; set before any test module is imported."""

    is_long = False


def examples(everyday: int) -> int:
    """The number of examples for ``hypothesis.settings``: this many, and more with ``--long``."""
    return everyday * LONG_RUN if Effort.is_long else everyday
