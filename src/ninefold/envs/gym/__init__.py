"""The ids of the Gymnasium environments: importing this module registers them.

>>> import gymnasium
>>> import ninefold.envs.gym
>>> env = gymnasium.make("ninefold/SequenceCapture-v0", opponent="perfect")
"""

from ninefold.envs.extras import require

require("gymnasium", "gym")

import gymnasium

from ninefold.envs.names import arguments

_SINGLE = "ninefold.envs.gym.single:NinefoldEnv"
_VECTOR = "ninefold.envs.gym.vector:NinefoldVectorEnv"


def register() -> None:
    """Make every environment known to Gymnasium; what is known already stays."""
    for name, settings in arguments().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name, entry_point=_SINGLE, vector_entry_point=_VECTOR, kwargs=settings
            )


register()
