"""Campaigns put straight into the database, as expansion leaves them, for tests of workers."""

from __future__ import annotations

import copy
import uuid
from pathlib import Path
from typing import Any, Final, Literal

from sqlalchemy import select, text
from sqlalchemy.orm import Session, sessionmaker
from weir.resolved import Experiment
from weir_engine import jsonfile
from weir_engine.states import move
from weir_engine.task import Task
from weir_lab.kernel import Kernel
from weir_orchestrator.db import Campaign, Combination, Run
from weir_orchestrator.work.claim import Claim, Versions
from weir_orchestrator.work.kernels import Kernels

from weir_testing import cells
from weir_testing.stand_in.versions import KERNEL, ROLES

VERSIONS: Final = Versions(ROLES, (KERNEL,))
HISTORY: Final = [
    {"state": state, "at": "2026-11-26T15:34:49.000Z"} for state in ("pending", "queued", "running")
]
_MORE_RUNS: Final = text(
    "INSERT INTO run (campaign_id, position, combination, replicate, seed, key, clock, state,"
    " reason, attempts, replaces, queued_at) SELECT campaign_id, n, 0, n, n,"
    " lpad(to_hex(n), 32, '0'), clock, state, '', 0, false, queued_at"
    " FROM run, generate_series(1, :last) n"
)


class OneKernel(Kernels):
    """Those of a machine with the one kernel that the campaigns ask for."""

    def __init__(self) -> None:
        super().__init__(ROLES, ("virtual",))

    def versions(self) -> Versions:
        return VERSIONS

    def get(self, kernel_hash: str) -> Kernel:
        return Kernel(Path("/nowhere"), kernel_hash, "7.3-test", ("cubic", "reno"))


EXPERIMENT: Final = cells.experiment(
    {
        "content.bitrates_bps": [1e6, 2e6],
        "server.congestion_control": "reno",
        "record.queue": "off",
    },
    cells.client("fixed", options={"level": 1}),
)


def behaving(behave: str) -> Experiment:
    """EXPERIMENT in which the stand-in cell behaves like that."""
    made = copy.deepcopy(EXPERIMENT)
    made["server"]["sysctls"]["net.behave"] = behave
    return made


def key_of(number: int) -> str:
    return f"{number:032x}"


def queued(
    number: int, behave: str = "well", clock: Literal["virtual", "real"] = "virtual"
) -> Task:
    """A run by the stand-in cell, which behaves like that."""
    history = move(move([], "pending"), "queued")
    asked: Experiment = {**behaving(behave), "clock": clock}
    return Task(key_of(number), "small", {}, number, number, asked, history=history)


def submit(
    sessions: sessionmaker[Session],
    team_id: uuid.UUID,
    keys: list[str],
    experiment: Experiment = EXPERIMENT,
    **fields: Any,
) -> uuid.UUID:
    """An active campaign of one combination with a queued run per key; its id."""
    given = {
        "name": "small",
        "document": "name: small\n",
        "kernel_hash": KERNEL,
        "roles_hash": ROLES,
        "state": "active",
        "combination_count": 1,
        "replicates": len(keys),
        "run_count": len(keys),
        "expanded": len(keys),
    }
    with sessions.begin() as session:
        campaign = Campaign(team_id=team_id, **{**given, **fields})
        session.add(campaign)
        session.flush()
        session.add(
            Combination(campaign_id=campaign.id, number=0, levels={}, experiment=experiment)
        )
        session.add_all(
            Run(
                campaign_id=campaign.id,
                position=position,
                combination=0,
                replicate=position,
                seed=position,
                key=key,
                clock=experiment["clock"],
            )
            for position, key in enumerate(keys)
        )
    return campaign.id


def add_runs(session: Session, last: int) -> None:
    """To the one campaign there is, of one run, further ones up to this position."""
    session.execute(_MORE_RUNS, {"last": last})


def states(sessions: sessionmaker[Session], campaign_id: uuid.UUID) -> list[str]:
    """States of a campaign's runs in order."""
    with sessions() as session:
        query = select(Run.state).where(Run.campaign_id == campaign_id).order_by(Run.position)
        return list(session.scalars(query))


def write_run_directory(folder: Any, claim: Claim) -> None:
    """The files of a run directory that finishing reads, with two clients' metrics."""
    folder.mkdir(parents=True)
    run = {"jain": 0.5, "drops_burst": 3, "loss_rate_percent": None}
    clients = [{"client": 1, "rank": 2, "ins": 0.25}, {"client": 2, "rank": 1, "ins": 0.75}]
    jsonfile.write(folder / "metrics.json", {"format": 1, "run": run, "clients": clients})
    jsonfile.write(folder / "host.json", {"history": HISTORY})
    jsonfile.write(folder / "run.json", {"key": claim.key})
