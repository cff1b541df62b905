"""Many games in step, as arrays: by table look-up, by bitboards, or by the judge."""

from ninefold.require import require_package

require_package("numpy", "gym")
