"""Gymnasium environments: importing this package registers them.

>>> import gymnasium
>>> import ninefold.envs.gym
>>> env = gymnasium.make("ninefold/SequenceCapture-v0", opponent="perfect")
"""

from ninefold.require import require_package

require_package("gymnasium", "gym")

import gymnasium

from ninefold.envs.settings import registered_arguments

_SINGLE = "ninefold.envs.gym.single:NinefoldEnv"
_VECTOR = "ninefold.envs.gym.vector:NinefoldVectorEnv"


def register() -> None:
    """Register every environment with Gymnasium that is not registered yet."""
    for name, settings in registered_arguments().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name, entry_point=_SINGLE, vector_entry_point=_VECTOR, kwargs=settings
            )


register()
