"""What an agent refuses, as a program and over HTTP, and that it ends what is forgotten."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from weir_lab.kernel import Kernel
from weir_lab.real import agent as agents
from weir_lab.real.serve import TOKEN
from weir_testing.patience import PATIENCE_S

SECRET = "a secret"
KERNEL = Kernel(Path("/nowhere/linux"), "k1", "7.3", ("cubic",))


def command(*words: str, token: str | None = SECRET) -> subprocess.Popen[str]:
    env = dict(os.environ)
    env.pop(TOKEN, None)
    if token is not None:
        env[TOKEN] = token
    line = [sys.executable, "-m", "weir_lab.real.serve", "--role", "gateway", *words]
    return subprocess.Popen(
        line, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture(name="url", scope="module")
def served() -> Iterator[str]:
    process = command("--listen", "127.0.0.1:0")
    assert process.stdout is not None
    yield f"http://{process.stdout.readline().split()[-1]}"
    process.terminate()
    assert process.wait(PATIENCE_S) == 0


def body(**changes: Any) -> Any:
    link = {"host": "gateway", "device": "wan", "mac": "02:00:0a:00:01:01", "peer": "server"}
    part = {"host": "gateway", "player": None, "links": [link]} | changes
    return {"run": "r1", "part": part, "seed": 1, "kernel": "k1"}


def test_it_refuses_to_start_without_a_secret() -> None:
    process = command("--listen", "127.0.0.1:0", token=None)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2
    assert f"${TOKEN} is not set" in said


def test_health_needs_no_secret_and_all_else_does(url: str) -> None:
    assert httpx2.get(f"{url}/health").is_success
    answer = httpx2.post(f"{url}/run", json=body())
    assert answer.status_code == 401
    assert TOKEN in answer.json()["reason"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [({"host": "client1"}, "is a gateway, and cannot be client1"), ({}, "lab kernel k1 is not")],
)
def test_it_says_why_it_cannot_take_a_run(url: str, changes: dict[str, Any], why: str) -> None:
    headers = {"Authorization": f"Bearer {SECRET}"}
    answer = httpx2.post(f"{url}/run", json=body(**changes), headers=headers)
    assert answer.status_code == 409
    assert why in answer.json()["reason"]


def test_a_run_that_it_does_not_have(url: str) -> None:
    headers = {"Authorization": f"Bearer {SECRET}"}
    answer = httpx2.get(f"{url}/run", params={"run": "other"}, headers=headers)
    assert answer.status_code == 404
    assert "gateway: has no run other: its agent was started anew" in answer.json()["reason"]


def test_a_refusal_does_not_cost_the_next_request(url: str) -> None:
    """As when a run fails: files that are not there yet are asked for, then the end is told."""
    with httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {SECRET}"}) as client:
        for _ in range(200):
            assert client.get("/run/files", params={"run": "r1"}).status_code == 404
            assert client.delete("/run", params={"run": "r1"}).is_success


def test_it_says_what_it_is_and_whether_it_is_busy(url: str) -> None:
    headers = {"Authorization": f"Bearer {SECRET}"}
    assert httpx2.get(f"{url}/agent", headers=headers).json() == {"role": "gateway", "run": None}
    assert httpx2.get(f"{url}/agent").status_code == 401


@pytest.fixture(name="agent")
def with_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> agents.Agent:
    monkeypatch.setattr("weir_lab.kernel.installed", lambda: [KERNEL])
    return agents.Agent("gateway", None, tmp_path)


def test_one_run_at_a_time(agent: agents.Agent) -> None:
    assert len(agent.take(body(), "127.0.0.1")["ports"]) == 1
    with pytest.raises(agents.Refused, match="busy with run r1"):
        agent.take(body() | {"run": "r2"}, "127.0.0.1")
    agent.drop("r1")
    agent.take(body() | {"run": "r2"}, "127.0.0.1")


def test_an_address_of_another_machine(agent: agents.Agent) -> None:
    with pytest.raises(agents.Refused, match="give --address"):
        agent.take(body(), "192.0.2.1")


def test_a_run_that_nobody_asks_for_is_ended(
    agent: agents.Agent, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    agent.take(body(), "127.0.0.1")
    assert list(tmp_path.iterdir())
    agent.drop_if_forgotten(time.monotonic() + agents.LEASE_S - 1)
    agent.job("r1")
    agent.drop_if_forgotten(time.monotonic() + agents.LEASE_S + 1)
    with pytest.raises(agents.Refused, match="has no run r1"):
        agent.job("r1")
    assert not list(tmp_path.iterdir())
