"""An environment that needs what nobody has."""

import no_such_library  # type: ignore[import-not-found]  # noqa: F401
