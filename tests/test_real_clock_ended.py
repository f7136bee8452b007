"""A real-clock run that is ended from outside: whenever that is, its agents are free again."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from weir_lab.cell import run_cell
from weir_lab.real.remote import Address
from weir_testing.agents import SECRET, Agent, agents
from weir_testing.cells import bulk, experiment, kernel
from weir_testing.patience import until

pytestmark = pytest.mark.kernel

HOSTS = {"server": "server", "gateway": "gateway", "client1": "client"}


def start(its: Mapping[str, Agent], folder: Path) -> int:
    """Carry a run out in a child, which SIGTERM ends as it does a worker's; its process."""
    asked: Any = experiment({"clock": "real", "duration_s": 60.0}, bulk())
    where = {host: Address(agent.url, SECRET) for host, agent in its.items()}
    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGTERM, leave)
            run_cell(asked, 1, kernel(), folder, 300.0, agents=where)
        finally:
            os._exit(0)
    return child


def leave(*_: Any) -> None:
    raise SystemExit


def end(child: int) -> None:
    os.kill(child, signal.SIGTERM)


def free(its: Mapping[str, Agent]) -> bool:
    return not any(agent.run() for agent in its.values())


@pytest.fixture
def its(tmp_path: Path) -> Iterator[Mapping[str, Agent]]:
    with agents(tmp_path, **HOSTS) as made:
        yield made


def test_while_its_film_plays(its: Mapping[str, Agent], tmp_path: Path) -> None:
    child = start(its, tmp_path)
    until(lambda: its["client1"].film_s() > 0, "the film")
    end(child)
    os.waitpid(child, 0)
    until(lambda: free(its), "free agents")


@pytest.mark.parametrize("host", HOSTS)
def test_while_an_agent_is_taken(its: Mapping[str, Agent], tmp_path: Path, host: str) -> None:
    """That agent stands still, and finds the request to take it and what follows all at once."""
    process = its[host].process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)
    child = start(its, tmp_path)
    until(lambda: unread(its[host].port), "a request to the agent")
    end(child)
    os.kill(process.pid, signal.SIGCONT)
    os.waitpid(child, 0)
    until(lambda: free(its), "free agents")


def unread(port: int) -> bool:
    """Whether something was sent to a port that its process has not read."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    rows = [line.split() for line in lines]
    to = [row for row in rows if int(row[1].partition(":")[2], 16) == port]
    established = "01"
    return any(row[3] == established and int(row[4].partition(":")[2], 16) for row in to)
