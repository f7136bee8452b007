"""A submitted campaign with its files laid out: what rows of its runs are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy.orm import Session
from weir.errors import Problem, SpecError
from weir.expand import Expansion, Run
from weir.resolved import Experiment
from weir.runkey import key_of_seed

from weir_orchestrator.db import Campaign, Team, utc_now
from weir_orchestrator.objects import ObjectNotFound, ObjectStore
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission.files import contents, lay_out
from weir_orchestrator.submission.lab import Lab, kernel_code, lab_with
from weir_orchestrator.submission.reading import of_spec, with_kernels

__all__ = ["Opened", "Row", "problems_in"]

Row = dict[str, Any]


class Opened:
    """Until `close`. Raises SpecError, ObjectNotFound."""

    def __init__(
        self, session: Session, objects: ObjectStore, settings: Settings, campaign: Campaign
    ) -> None:
        self.campaign_id = campaign.id
        self._folder = TemporaryDirectory(prefix="weir-expand-")
        folder = Path(self._folder.name)
        lay_out(folder, "", contents(session, objects, campaign.team_id, campaign.files))
        team = session.get_one(Team, campaign.team_id)
        takes_code = settings.takes_kernel_code(team.slug)
        code = kernel_code(folder, allowed=takes_code)
        now = replace(lab_with(code), takes_code=takes_code, clocks=settings.clocks)
        self.spec = of_spec(campaign.spec, folder)
        self.expansion = Expansion(self.spec)
        self.lab = _lab_of(campaign, with_kernels(now, self.expansion))

    def combination(self, number: int, levels: Mapping[str, Any], experiment: Experiment) -> Row:
        """A row of Combination."""
        return {
            "campaign_id": self.campaign_id,
            "number": number,
            "levels": dict(levels),
            "experiment": experiment,
            "kernel_hash": self.lab.hash_of(experiment) if self.lab.changed else None,
        }

    def key(self, experiment: Experiment) -> Callable[[int], str]:
        """The keys of an experiment's runs by their seeds."""
        return key_of_seed(experiment, self.lab.hash_of(experiment), self.lab.roles_hash)

    def run(self, position: int, run: Run, key: str) -> Row:
        """A row of Run, for `lifecycle.add_runs`."""
        return {
            "campaign_id": self.campaign_id,
            "position": position,
            "combination": run.combination,
            "replicate": run.replicate,
            "seed": run.seed,
            "key": key,
            "clock": run.experiment["clock"],
            "queued_at": utc_now(),
        }

    def close(self) -> None:
        """Remove the files."""
        self._folder.cleanup()


def problems_in(error: SpecError | ObjectNotFound) -> list[Problem]:
    """Why a campaign cannot be expanded."""
    if isinstance(error, SpecError):
        return list(error.problems)
    return [Problem("files", error.key, "a file in the store", "upload it and submit again")]


def _lab_of(campaign: Campaign, now: Lab) -> Lab:
    """The lab that a campaign was submitted for; now: the one that there is. Raises SpecError: it
    is another by now, and the kernels that the campaign changes are changes to that one.
    """
    if not now.changed:
        return replace(now, kernel_hash=campaign.kernel_hash, roles_hash=campaign.roles_hash)
    if now.needed != campaign.kernel_hash:
        allowed = "changes to the lab kernel that it was submitted for"
        raise SpecError([Problem("experiment.kernel", None, allowed, "submit it again")])
    return replace(now, roles_hash=campaign.roles_hash)
