"""`StreamingVectorEnv`: several cells that compute at once, on as many cores as there are.

A lab kernel is a process, so none is needed for each environment beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from weir.errors import Problem, SpecError
from weir_lab.asking import await_all

from weir_gym.episode import Episode, Step, require_level
from weir_gym.observation import Observation, space_of
from weir_gym.reward import Reward, pensieve
from weir_gym.settings import WALL_LIMIT_S, settings, zygotes_of

__all__ = ["StreamingVectorEnv"]

_Steps = tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]


class StreamingVectorEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """As many `StreamingEnv`s, which begin anew in the step after an episode's last one."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (as Gymnasium declares it)
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        campaign: str | Path | Mapping[str, Any],
        num_envs: int = 1,
        *,
        client: int = 1,
        reward: Reward = pensieve,
        kept_in: str | Path | None = None,
        wall_limit_s: float = WALL_LIMIT_S,
    ) -> None:
        """Arguments and errors: StreamingEnv's."""
        if num_envs < 1:
            raise SpecError([Problem("num_envs", num_envs, "1 or more", "change it")])
        self._settings = settings(campaign, client, reward, kept_in, wall_limit_s)
        self._levels = self._settings.combinations.levels
        self.num_envs = num_envs
        self.single_observation_space = space_of(self._levels)
        self.single_action_space = Discrete(self._levels)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._episodes: list[Episode | None] = [None] * num_envs
        self._randoms = [np_random()[0] for _ in range(num_envs)]
        self._begun = False
        self._zygotes = [zygotes_of(self) for _ in range(num_envs)]

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode in each. seed: of the first, the others follow; or one for each.

        options: "combination" and "seed", each a number for all, or one for each. Raises as
        StreamingEnv's.
        """
        self._end_episodes()
        for number, own in enumerate(_each("seed", seed, self.num_envs, counts_on=True)):
            if own is not None:
                self._randoms[number] = np_random(own)[0]
        per_env = {
            name: _each(f"options.{name}", value, self.num_envs)
            for name, value in (options or {}).items()
        }
        for number in range(self.num_envs):
            self._begin(number, {name: values[number] for name, values in per_env.items()})
        self._await()
        self._begun = True
        infos: dict[str, Any] = {}
        seen = []
        for number, episode in enumerate(self._episodes):
            assert episode is not None
            observation, info = episode.first()
            seen.append(observation)
            infos = self._add_info(infos, info, number)
        return np.stack(seen), infos

    def step(self, actions: NDArray[Any]) -> _Steps:
        """As StreamingEnv's, in each; where an episode has ended, a new one begins and the action
        is not looked at."""
        if not self._begun:
            raise ResetNeeded("no episode goes on; call reset()")
        if len(actions) != self.num_envs:
            raise SpecError([Problem("actions", f"{len(actions)} of them", f"{self.num_envs}, one "
                                     "for each environment", "give as many")])  # fmt: skip
        fresh = [episode is None for episode in self._episodes]
        levels = [
            0 if begins else require_level(action, self._levels)
            for action, begins in zip(actions, fresh, strict=True)
        ]
        for number, (episode, level) in enumerate(zip(self._episodes, levels, strict=True)):
            if episode is None:
                self._begin(number, {})
            else:
                episode.cell.answer(level)
        self._await()
        return self._gathered([self._now(number, begins) for number, begins in enumerate(fresh)])

    def close_extras(self, **kwargs: Any) -> None:
        """End all episodes, and what forked them; no process and no file is left."""
        self._end_episodes()
        for each in self._zygotes:
            each.close()

    def _end_episodes(self) -> None:
        for episode in self._episodes:
            if episode is not None:
                episode.end()
        self._episodes = [None] * self.num_envs
        self._begun = False

    def _begin(self, number: int, options: dict[str, Any]) -> None:
        try:
            self._episodes[number] = self._settings.begin(
                self._randoms[number], options, self._zygotes[number]
            )
        except BaseException:
            self.close_extras()
            raise

    def _await(self) -> None:
        try:
            await_all([episode.cell for episode in self._episodes if episode is not None])
        except BaseException:
            self.close_extras()
            raise

    def _now(self, number: int, begins: bool) -> Step:
        episode = self._episodes[number]
        assert episode is not None
        if begins:
            observation, info = episode.first()
            return Step(observation, 0.0, False, False, info)
        step = episode.now()
        if step.terminated or step.truncated:
            self._episodes[number] = None
        return step

    def _gathered(self, steps: list[Step]) -> _Steps:
        infos: dict[str, Any] = {}
        for number, step in enumerate(steps):
            infos = self._add_info(infos, step.info, number)
        return (
            np.stack([step.observation for step in steps]),
            np.array([step.reward for step in steps], np.float64),
            np.array([step.terminated for step in steps]),
            np.array([step.truncated for step in steps]),
            infos,
        )


def _each(name: str, value: Any, count: int, *, counts_on: bool = False) -> list[Any]:
    """One for each environment."""
    if value is None or isinstance(value, int):
        return [value + n if counts_on and value is not None else value for n in range(count)]
    values = list(value)
    if len(values) != count:
        raise SpecError([Problem(name, f"{len(values)} of them", f"one, or {count}: one for each "
                                 "environment", "give as many")])  # fmt: skip
    return values
