"""Weir as a Gymnasium environment: a step is one segment over real TCP (docs/gym.md).

env = gymnasium.make("weir_gym:weir/Streaming-v0", campaign="train.yaml")
envs = StreamingVectorEnv("train.yaml", num_envs=4)
"""

from __future__ import annotations

import gymnasium

from weir_gym.env import StreamingEnv
from weir_gym.observation import names_of
from weir_gym.reward import Segment, pensieve
from weir_gym.vector import StreamingVectorEnv

__all__ = ["ENV_ID", "Segment", "StreamingEnv", "StreamingVectorEnv", "names_of", "pensieve"]

ENV_ID = "weir/Streaming-v0"
if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        ENV_ID,
        entry_point="weir_gym.env:StreamingEnv",
        vector_entry_point="weir_gym.vector:StreamingVectorEnv",
    )
