"""One episode: one cell, from its first question to its client's end."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from weir.errors import Problem, SpecError
from weir_lab import plan, virtual
from weir_lab.asking import AskingCell
from weir_lab.forked import Lent
from weir_lab.zygotes import Zygotes

from weir_gym.campaign import Combinations
from weir_gym.keeping import keep
from weir_gym.observation import Observation, Observer
from weir_gym.reward import Reward, Segment

__all__ = ["Episode", "Step", "require_level"]

_WHOLE = 206


class Step(NamedTuple):
    """As Gymnasium's `step` returns it."""

    observation: Observation
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]


class Episode:
    """Its cell computes as soon as it is made, and after each answer; `now` is for when it stands
    still again."""

    def __init__(
        self, combinations: Combinations, combination: int, seed: int, *, client: int,
        reward: Reward, kept_in: Path | None, wall_limit_s: float, zygotes: Zygotes,
    ) -> None:  # fmt: skip
        """zygotes: what forks its lab kernel."""
        levels, experiment, kernel = combinations[combination]
        self._facts = {"combination": combination, "seed": seed}
        self._task = (combinations.name, levels, seed, kernel)
        self._reward, self._kept_in = reward, kept_in
        self._start_s = experiment["clients"][client - 1]["start_s"]
        self._observer = Observer(experiment, client)
        self._before_bps: float | None = None
        self._buffer_s = 0.0
        self._segments = experiment["content"]["segments"]
        planned = plan.make(experiment, seed)
        warm = zygotes.of(virtual.shape(experiment, planned, kernel))
        self._folder = tempfile.TemporaryDirectory(prefix="episode-", dir=warm.runs)
        folder = Path(self._folder.name) / "cell"
        folder.mkdir()
        lent = Lent(planned, warm.zygote.line())
        self.cell = AskingCell(experiment, seed, kernel, client, folder, wall_limit_s, lent=lent)

    def first(self) -> tuple[Observation, dict[str, Any]]:
        """What a reset returns. Raises RunFailure."""
        step = self.now()
        return step.observation, {**step.info, **self._facts}

    def now(self) -> Step:
        """Where the cell stands, and what came since the last time. Raises RunFailure."""
        came = self._came()
        reward, told = self._reward(came), {"stall_s": came.stall_s, "download_s": came.download_s}
        if (question := self.cell.question) is not None:
            asked = {
                "segment": question.segment,
                "own_level": question.own_level,
                "now_s": question.now_s,
            }
            return Step(self._observer.at(question), reward, False, False, {**asked, **told})
        finished = len(self.cell.levels) == self._segments and came.bitrate_bps is not None
        info: dict[str, Any] = {"decisions": dict(self.cell.levels), **told}
        if self._kept_in is not None:
            info["run"] = str(keep(self._kept_in, self.cell, *self._task))
        self.end()
        seen = self._observer.at_end(self._buffer_s)
        return Step(seen, reward, finished, not finished, info)

    def end(self) -> None:
        """End the cell; nothing of it is left."""
        self.cell.end()
        self._folder.cleanup()

    def _came(self) -> Segment:
        rows = self.cell.came()
        before_bps, bitrate_bps, took_s, startup_s = self._before_bps, None, 0.0, 0.0
        if len(rows["status"]):
            took_s = float(rows["last_byte_s"][-1] - rows["request_s"][-1])
            self._buffer_s = float(rows["buffer_after_s"][-1])
            if rows["status"][-1] == _WHOLE:
                bitrate_bps = self._before_bps = float(rows["bitrate_bps"][-1])
                self._observer.came(bitrate_bps, int(rows["size_bytes"][-1]), took_s)
                if before_bps is None:
                    startup_s = float(rows["last_byte_s"][-1]) - self._start_s
        return Segment(bitrate_bps, before_bps, float(rows["stall_s"].sum()), took_s, startup_s)


def require_level(action: Any, levels: int) -> int:
    """The action as a level. Raises SpecError for what is none."""
    number = np.asarray(action)
    if number.shape == () and number.dtype.kind in "iu" and 0 <= number < levels:
        return int(number)
    allowed = f"a level of the ladder, a whole number from 0 to {levels - 1}"
    shown = number.item() if number.shape == () else action
    raise SpecError([Problem("action", shown, allowed, "choose one of them")])
