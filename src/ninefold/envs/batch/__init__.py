"""Many games in step, as arrays: by a table, by bits on a large pool, or by the judge itself."""

from ninefold.envs.extras import require

require("numpy", "gym")
