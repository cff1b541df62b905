"""What an adapter needs beyond the base install, asked for in one line where it is missing."""

from importlib.util import find_spec

from ninefold.core.errors import NinefoldError


class MissingExtra(NinefoldError, ImportError):
    """A package that an adapter translates for is not installed."""


def is_installed(package: str) -> bool:
    """Whether there is such a package."""
    return find_spec(package) is not None


def require(package: str, extra: str) -> None:
    """Raise MissingExtra, which names what to install, if there is no such package."""
    if not is_installed(package):
        raise MissingExtra(
            "missing-extra",
            f"{package} is not installed.",
            f"Install it with: pip install 'ninefold[{extra}]'",
        )
