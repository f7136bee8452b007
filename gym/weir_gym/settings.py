"""What an environment is told of its episodes, and how one begins."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from weir.errors import Problem, SpecError
from weir_lab.zygotes import Zygotes

from weir_gym.campaign import Combinations
from weir_gym.episode import Episode
from weir_gym.reward import Reward

__all__ = ["WALL_LIMIT_S", "Settings", "zygotes_of"]

WALL_LIMIT_S: Final = 3600.0
_MOST_SEED: Final = 2**63 - 1


@dataclass(frozen=True)
class Settings:
    """kept_in: the store that each episode is put into as a run; None: none is kept."""

    combinations: Combinations
    client: int
    reward: Reward
    kept_in: Path | None
    wall_limit_s: float

    def begin(
        self, random: np.random.Generator, options: Mapping[str, Any] | None, zygotes: Zygotes
    ) -> Episode:
        """An episode of a combination and with a seed that are drawn, or that options name.

        zygotes: what forks its lab kernel, for one episode at a time. Raises SpecError for options
        that there are not.
        """
        drawn = {
            "combination": int(random.integers(len(self.combinations))),
            "seed": int(random.integers(_MOST_SEED)),
        }
        tops = {"combination": len(self.combinations) - 1, "seed": _MOST_SEED}
        asked = dict(options or {})
        problems = [
            Problem(f"options.{name}", value, f"whole numbers from 0 to {tops[name]}"
                    if name in tops else " and ".join(tops), "change it")
            for name, value in asked.items()
            if name not in tops or type(value) is not int or not 0 <= value <= tops[name]
        ]  # fmt: skip
        if problems:
            raise SpecError(problems)
        chosen = {**drawn, **asked}
        return Episode(
            self.combinations,
            chosen["combination"],
            chosen["seed"],
            client=self.client,
            reward=self.reward,
            kept_in=self.kept_in,
            wall_limit_s=self.wall_limit_s,
            zygotes=zygotes,
        )


def zygotes_of(owner: object) -> Zygotes:
    """One that is kept between an environment's episodes; it ends with its owner at the latest."""
    made = Zygotes(lambda: Path(tempfile.mkdtemp(prefix="weir-gym-")), most=1)
    weakref.finalize(owner, made.close)
    return made


def settings(
    campaign: str | Path | Mapping[str, Any],
    client: int,
    reward: Reward,
    kept_in: str | Path | None,
    wall_limit_s: float,
) -> Settings:
    """As an environment is given them. Raises SpecError, WeirError as Combinations does."""
    if not 0 < wall_limit_s < float("inf"):
        raise SpecError(
            [Problem("wall_limit_s", wall_limit_s, "a number of seconds above 0", "change it")]
        )
    combinations = Combinations(campaign, client, records=kept_in is not None)
    store = None if kept_in is None else Path(kept_in)
    return Settings(combinations, client, reward, store, wall_limit_s)
