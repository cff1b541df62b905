"""Requirements checked up front: installed packages and accepted argument values."""

from collections.abc import Sequence
from importlib.util import find_spec

from ninefold.core.errors import NinefoldError


class MissingExtra(NinefoldError, ImportError):
    """An optional package that this module needs is not installed."""


class WrongSetting(NinefoldError, ValueError):
    """An argument has a value that is not accepted."""


def is_installed(package: str) -> bool:
    """Whether this package can be imported."""
    return find_spec(package) is not None


def require_package(package: str, extra: str) -> None:
    """Raise MissingExtra, which says what to install, unless this package is installed."""
    if not is_installed(package):
        raise MissingExtra(
            "missing-extra",
            f"{package} is not installed.",
            f"Install it with: pip install 'ninefold[{extra}]'",
        )


def require_one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    """Raise WrongSetting unless this argument has one of the allowed values."""
    if value not in allowed or isinstance(value, bool):
        words = ", ".join(map(repr, allowed))
        raise WrongSetting("setting", f"{name} must be one of {words}, not {value!r}.")
