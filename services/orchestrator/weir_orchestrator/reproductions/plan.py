"""Which of a card's runs can be carried out again, and why the others cannot."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir.resolved import Experiment
from weir_engine import provenance
from weir_engine.states import FINISHED
from weir_lab import kernel

from weir_orchestrator.db import Campaign, Card, Combination, Run, Worker

__all__ = ["Plan", "plan_of"]

_GONE: Final = "their campaign has been deleted"
_NO_RESULT: Final = "they have no result to compare with"
_REAL: Final = "on the real clock no two runs have the same bytes"
_UNNAMED: Final = "the card names only the first runs of what it shows"
_ROLES: Final = "made by other programs in the cell ({}) than the workers have now"
_KERNEL: Final = "made in another lab kernel ({}) than the workers have now"


@dataclass(frozen=True)
class Plan:
    """again: by campaign, the runs to carry out, one for every key; experiments: theirs.

    left_out: reason -> number of runs.
    """

    again: dict[uuid.UUID, list[Run]]
    experiments: dict[tuple[uuid.UUID, int], Experiment]
    left_out: Counter[str]

    @property
    def runs(self) -> int:
        """That are to be carried out."""
        return sum(map(len, self.again.values()))

    def experiment(self, run: Run) -> Experiment:
        """That of a run in `again`."""
        return self.experiments[run.campaign_id, run.combination]

    def films_s(self) -> dict[uuid.UUID, float]:
        """Seconds of film by campaign."""
        return {
            campaign: sum(float(self.experiment(run)["duration_s"]) for run in runs)
            for campaign, runs in self.again.items()
        }


@dataclass(frozen=True)
class _Labs:
    """What workers have, or would have on this machine."""

    roles: frozenset[str]
    kernels: frozenset[tuple[str, str]]


def plan_of(session: Session, card: Card) -> Plan:
    """What carrying a card's runs out again would be now."""
    keys = {each["key"]: int(each["id"]) for each in reversed(card.runs)}
    left_out = Counter[str]()
    if unnamed := sum(each["runs"] for each in card.campaigns) - len(card.runs):
        left_out[_UNNAMED] = unnamed
    found = _found(session, list(keys.values()))
    labs = _labs(session)
    again: dict[uuid.UUID, list[Run]] = {}
    for key, run_id in reversed(keys.items()):
        run, campaign = found.get(run_id, (None, None))
        if run is None or campaign is None or run.key != key:
            left_out[_GONE] += 1
        elif reason := _why_not(run, campaign, labs):
            left_out[reason] += 1
        else:
            again.setdefault(campaign.id, []).append(run)
    return Plan(again, _experiments(session, again), left_out)


def _found(session: Session, ids: list[int]) -> dict[int, tuple[Run, Campaign]]:
    query = select(Run, Campaign).join(Campaign, Campaign.id == Run.campaign_id)
    return {run.id: (run, of) for run, of in session.execute(query.where(Run.id.in_(ids)))}


def _why_not(run: Run, campaign: Campaign, labs: _Labs) -> str:
    if run.state not in FINISHED or run.result_id is None:
        return _NO_RESULT
    if run.clock == "real":
        return _REAL
    roles, name = campaign.roles_hash, campaign.kernel_hash
    if roles not in labs.roles:
        return _ROLES.format(roles[:12])
    if (roles, name) not in labs.kernels and not _brings_kernel(campaign):
        return _KERNEL.format(name[:12])
    return ""


def _brings_kernel(campaign: Campaign) -> bool:
    """Whether a worker that compiles may build it first."""
    in_spec = '"kernel' in json.dumps(campaign.spec)
    return in_spec or any(name.endswith(".c") for name in campaign.files)


def _labs(session: Session) -> _Labs:
    there = select(Worker.roles_hash, Worker.kernels).where(Worker.state != "gone")
    kernels = {(roles, name) for roles, names in session.execute(there) for name in names}
    if (built := kernel.find()) is not None:
        kernels.add((provenance.roles()["hash"], built.hash))
    return _Labs(frozenset(roles for roles, _ in kernels), frozenset(kernels))


def _experiments(
    session: Session, again: dict[uuid.UUID, list[Run]]
) -> dict[tuple[uuid.UUID, int], Experiment]:
    found: dict[tuple[uuid.UUID, int], Experiment] = {}
    for campaign, runs in again.items():
        query = select(Combination.number, Combination.experiment).where(
            Combination.campaign_id == campaign,
            Combination.number.in_({run.combination for run in runs}),
        )
        found |= {(campaign, number): each for number, each in session.execute(query)}
    return found
