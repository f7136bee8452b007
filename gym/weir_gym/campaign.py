"""The episodes of a campaign: its combinations of levels, each with any seed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from weir import whatif
from weir.errors import Problem, SpecError, WeirError
from weir.expand import Expansion
from weir.programs import brings_code
from weir.resolved import Experiment
from weir.spec.load import load_campaign, parse_campaign
from weir_engine import ready_made
from weir_engine.kernels import Kernels, built
from weir_lab.kernel import Kernel, find

__all__ = ["Combinations"]

_MOST: Final = 1000


class Combinations:
    """What may be played. levels: of the ladder, the same in all.

    Raises SpecError for a campaign that no policy can play, WeirError where there is no lab kernel.
    """

    def __init__(
        self, campaign: str | Path | Mapping[str, Any], client: int, *, records: bool
    ) -> None:
        """campaign: a file, or what would stand in one that is in the working directory.

        records: whether packets and ACKs are recorded as it says; else they are not.
        """
        read = (
            parse_campaign(campaign, Path())
            if isinstance(campaign, Mapping)
            else load_campaign(Path(campaign))
        )
        self.name = read.name
        expansion = Expansion(read)
        if (count := expansion.combination_count()) > _MOST:
            allowed = f"at most {_MOST} combinations of levels"
            raise SpecError([Problem("factors", count, allowed, "leave some levels out")])
        self._all = [
            (levels, experiment if records else _without_packets(experiment))
            for levels, experiment in expansion.sample(_MOST)
        ]
        for _, experiment in self._all:
            _require_playable(experiment, client)
        ladders = {len(experiment["content"]["bitrates_bps"]) for _, experiment in self._all}
        if len(ladders) > 1:
            raise SpecError([
                Problem("content.ladder", f"of {' and '.join(map(str, sorted(ladders)))} levels",
                        "ladders of one length, since actions are levels",
                        "make a campaign for each")
            ])  # fmt: skip
        (self.levels,) = ladders
        self._kernels: Kernels = built(_own_kernel(), expansion.kernels(), _tell_nobody)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, number: int) -> tuple[dict[str, Any], Experiment, Kernel]:
        """Levels, experiment and its lab kernel of a combination, from 0."""
        levels, experiment = self._all[number]
        return dict(levels), experiment, self._kernels.of(experiment)


def _without_packets(experiment: Experiment) -> Experiment:
    return {**experiment, "record": {"tcp": "off", "queue": "off"}}


def _require_playable(experiment: Experiment, client: int) -> None:
    whatif.decided(experiment, client, {0: 0})
    asked = experiment["clients"][client - 1]
    if asked["in_flight"] > 1:
        raise SpecError([Problem(f"client {client}.in_flight", asked["in_flight"],
                                 "1: a step is one segment", "remove it")])  # fmt: skip
    for number, each in enumerate(experiment["clients"], 1):
        if brings_code(each):
            raise SpecError([
                Problem(f"client {number}.player", each["player"],
                        "players of Weir's own: this process reads what the guest leaves, and is "
                        "not confined as a run's is", "name another player")
            ])  # fmt: skip


def _own_kernel() -> Kernel:
    ready_made.use()
    if (found := find()) is None:
        raise WeirError("no lab kernel is built yet: weir kernel build")
    return found


def _tell_nobody(done: int, of: int, what: str) -> None:
    """How far the build of a changed kernel is."""
