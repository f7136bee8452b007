"""`StreamingEnv`: one cell at a time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from weir_lab.asking import await_all

from weir_gym.episode import Episode, Step, require_level
from weir_gym.observation import Observation, space_of
from weir_gym.reward import Reward, pensieve
from weir_gym.settings import WALL_LIMIT_S, settings, zygotes_of

__all__ = ["StreamingEnv"]


class StreamingEnv(gymnasium.Env[Observation, np.int64]):
    """A client of a campaign's experiment whose levels a policy chooses.

    An action is a level; docs/gym.md says what is observed (names_of) and what it is worth.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        campaign: str | Path | Mapping[str, Any],
        *,
        client: int = 1,
        reward: Reward = pensieve,
        kept_in: str | Path | None = None,
        wall_limit_s: float = WALL_LIMIT_S,
    ) -> None:
        """campaign: a file, or its content. client: whose levels they are, from 1. kept_in: a store
        in which each episode becomes a run. wall_limit_s: of an episode, all that the policy takes
        included.

        Raises SpecError for what cannot be played, WeirError where no lab kernel is built.
        """
        self._settings = settings(campaign, client, reward, kept_in, wall_limit_s)
        self._levels = self._settings.combinations.levels
        self.observation_space = space_of(self._levels)
        self.action_space = Discrete(self._levels)
        self._episode: Episode | None = None
        self._zygotes = zygotes_of(self)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode. options: "combination" and "seed", in place of what is drawn.

        Raises SpecError for other options; RunFailure, OSError where it cannot begin.
        """
        super().reset(seed=seed)
        self._end_episode()
        self._episode = self._settings.begin(self.np_random, options, self._zygotes)
        self._await()
        return self._episode.first()

    def step(self, action: object) -> Step:
        """Play the next segment at a level, to the moment at which the one after it is asked for.

        Raises SpecError for what is no level, which changes nothing; RunFailure where the cell
        fails, or took longer than wall_limit_s; ResetNeeded.
        """
        level = require_level(action, self._levels)
        if self._episode is None:
            raise ResetNeeded("no episode goes on; call reset()")
        self._episode.cell.answer(level)
        self._await()
        step = self._episode.now()
        if step.terminated or step.truncated:
            self._episode = None
        return step

    def close(self) -> None:
        """End the episode, and what forked it; no process and no file is left."""
        self._end_episode()
        self._zygotes.close()

    def _end_episode(self) -> None:
        if self._episode is not None:
            self._episode.end()
            self._episode = None

    def _await(self) -> None:
        assert self._episode is not None
        try:
            await_all([self._episode.cell])
        except BaseException:
            self.close()
            raise
