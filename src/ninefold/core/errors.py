"""Every refusal Ninefold makes: one base class, a stable code, a sentence that says what to do."""


class NinefoldError(Exception):
    """A refusal: a stable ``code`` for programs; for people, the ``reason`` and what to do."""

    def __init__(
        self, code: str, reason: str, advice: str = "", *, number: int | None = None
    ) -> None:
        self.code = code
        self.reason = reason
        self.message = f"{reason} {advice}".strip()
        self.number = number  # which it is about, if there is one
        super().__init__(self.message)

    def __reduce__(self) -> tuple[object, ...]:
        """What it is made of, so that it comes back whole from another process."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class Unreadable(NinefoldError):
    """The text is not a move or a command in any position."""


class Illegal(NinefoldError):
    """The move is well formed, but the rules do not allow it here."""


class RulesError(NinefoldError):
    """The rules themselves cannot be compiled."""
