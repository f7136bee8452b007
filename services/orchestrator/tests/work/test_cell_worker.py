"""A worker with cells: real-clock runs on real agents, and what may happen to both."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from weir.resolved import Experiment
from weir_engine import provenance
from weir_lab.real.serve import TOKEN
from weir_orchestrator.db import Campaign, Run, Worker
from weir_orchestrator.objects import failed_prefix, run_prefix
from weir_orchestrator.recorded import RunFiles
from weir_testing import cells
from weir_testing.agents import SECRET, Agent, agents, cell
from weir_testing.patience import PATIENCE_S, until
from weir_testing.platform import Platform
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.work import key_of, states, submit
from weir_testing.platform.workers import variables

pytestmark = [
    pytest.mark.kernel,
    # Agents and cells know of no database; what is claimed of it, test_claim.py asks of both.
    pytest.mark.parametrize("platform_settings", SERVED, indirect=True),
]

TOO_BUSY = "this machine is too busy for the real clock"


def real(duration_s: float = 3.0, clients: int = 1) -> Experiment:
    """A short film on the real clock, with bounds that a busy machine keeps."""
    changes = {"clock": "real", "duration_s": duration_s, "checks": cells.WIDE}
    return cells.experiment(changes, *[cells.bulk() for _ in range(clients)])


def submitted(
    platform: Platform, experiment: Experiment, keys: Sequence[int], name: str = "live"
) -> uuid.UUID:
    """A campaign of runs that a worker of this checkout can carry out."""
    return submit(
        platform.sessions,
        platform.team_id,
        [key_of(number) for number in keys],
        experiment,
        name=name,
        kernel_hash=cells.kernel().hash,
        roles_hash=provenance.roles()["hash"],
    )


@contextmanager
def worker(platform: Platform, *its: dict[str, Any]) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process with these cells; ended in its own way."""
    env = variables(platform, **{TOKEN: SECRET, "WEIR_CELLS": json.dumps(its)})
    process = subprocess.Popen(
        [sys.executable, "-m", "weir_orchestrator.processes", "worker"], env=env
    )
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.wait()


def run_of(platform: Platform, key: int) -> Run:
    with platform.sessions() as session:
        return session.scalars(select(Run).where(Run.key == key_of(key))).one()


def ended(platform: Platform, key: int) -> Run:
    """The run, once it has ended; again where this machine was too busy to start it in time."""
    over = {"succeeded", "invalid", "failed", "cancelled"}
    while True:
        until(lambda: run_of(platform, key).state in over)
        run = run_of(platform, key)
        if TOO_BUSY not in run.reason:
            return run
        queue_again(platform, run)


def queue_again(platform: Platform, run: Run) -> None:
    with platform.sessions.begin() as session:
        again = {"state": "queued", "reason": "", "attempts": 0}
        session.execute(update(Run).where(Run.id == run.id).values(again))
        its = update(Campaign).where(Campaign.id == run.campaign_id)
        session.execute(its.values(state="active", counts=None, ended_at=None))


def await_film(platform: Platform, key: int, client: Agent) -> None:
    """Until the run is on its way."""

    def plays() -> bool:
        run = run_of(platform, key)
        if TOO_BUSY in run.reason:
            queue_again(platform, run)
        else:
            assert run.state in {"queued", "running"}, run.reason
        return client.film_s() > 0

    until(plays)


def host_of(platform: Platform, prefix: str) -> dict[str, Any]:
    found: dict[str, Any] = RunFiles(platform.objects, prefix).document("host.json")
    return found


def problem_of(platform: Platform) -> str:
    with platform.sessions() as session:
        return session.scalars(select(Worker.problem)).first() or ""


def test_two_cells_carry_out_one_real_clock_run_each(platform: Platform, tmp_path: Path) -> None:
    roles = {f"{role}{n}": role for role in ("server", "gateway", "client") for n in (1, 2)}
    submitted(platform, real(), [1, 2, 3])
    virtual = submitted(platform, cells.experiment({}, cells.bulk()), [9], name="virtual")
    with agents(tmp_path, **roles) as its:
        made = [cell(its[f"server{n}"], its[f"gateway{n}"], its[f"client{n}"]) for n in (1, 2)]
        with worker(platform, *made):
            runs = [ended(platform, key) for key in (1, 2, 3)]
    assert [run.state for run in runs] == ["succeeded"] * 3, [run.reason for run in runs]
    assert states(platform.sessions, virtual) == ["queued"]
    hosts = [host_of(platform, run_prefix(run.key)) for run in runs]
    assert {host["executor"] for host in hosts} == {"compose"}
    used = [host["cell"]["gateway"] for host in hosts]
    assert set(used) == {each["gateway"] for each in made}
    # An agent refuses a second run; that two cells worked at once is seen by when they did.
    times = sorted((run.started_at, run.ended_at) for run in runs if run.started_at)
    assert any(late < ended for (_, ended), (late, _) in pairwise(times) if ended)


def test_what_happens_to_a_run_and_its_cell(platform: Platform, tmp_path: Path) -> None:
    """An agent that is not there, a gateway killed mid-run, a cancelled run, too few clients."""
    with agents(tmp_path, server="server", gateway="gateway", client="client") as its:
        gateway = its["gateway"]
        gateway.kill()
        submitted(platform, real(60.0), [1])
        with worker(platform, cell(its["server"], gateway, its["client"])):
            until(lambda: f"the gateway's agent at {gateway.url}" in problem_of(platform))
            assert run_of(platform, 1).state == "queued"
            gateway.start()

            await_film(platform, 1, its["client"])
            until(lambda: problem_of(platform) == "")
            gateway.kill()
            lost = ended(platform, 1)
            assert lost.state == "failed"
            assert f"the gateway's agent at {gateway.url}" in lost.reason
            assert lost.attempts == 1
            assert host_of(platform, failed_prefix(lost.key))["cell"]["gateway"] == gateway.url
            gateway.start()

            unwanted = submitted(platform, real(60.0), [2], name="unwanted")
            await_film(platform, 2, its["client"])
            asked = platform.client("submit").post(f"/api/v1/campaigns/{unwanted}/cancel")
            assert asked.json()["counts"] == {"cancelled": 1}
            until(lambda: not any(agent.run() for agent in its.values()), "free agents")

            submitted(platform, real(clients=2), [3], name="too many")
            submitted(platform, real(), [4], name="fits")
            few = ended(platform, 3)
            assert few.state == "failed"
            assert (
                "clients: the run has 2 clients, and no cell that is up has more than 1"
                in few.reason
            )
            assert "--scale client=2" in few.reason
            well = ended(platform, 4)
            assert well.state == "succeeded", well.reason
        assert not any(agent.run() for agent in its.values())
