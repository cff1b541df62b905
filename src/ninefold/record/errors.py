"""What can be wrong with a record, always with the place where."""

from ninefold.core.errors import NinefoldError


class RecordError(NinefoldError):
    """A record that cannot be used; the message names the file, the line and the reason."""

    def __init__(self, source: str, line: int, reason: str) -> None:
        place = f"{source}, line {line}" if line else source
        super().__init__("bad-record", f"{place}: {reason}")


class RecordBusy(NinefoldError):
    """Another process is playing this game."""


class NoSuchRecord(NinefoldError):
    """No record by that name, or more than one."""
