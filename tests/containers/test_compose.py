"""The platform and live cells in containers: runs, who may do what there, and what breaks.

The machine may be busy: fidelity is not what these tests are about, and its bounds are as wide as
the spec lets them be.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import obstore
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from obstore.store import S3Store
from weir_sdk import Client, campaign, models
from weir_sdk.errors import ClientError
from weir_testing import command, docker
from weir_testing.docker import TEAM, WIDE, Compose
from weir_testing.patience import until

pytestmark = [pytest.mark.docker, pytest.mark.kernel, pytest.mark.timeout(1800)]

ROLES = ("server", "gateway", "client")
OVER = {"succeeded", "failed", "invalid", "cancelled"}


@pytest.fixture(autouse=True)
def told(compose: Compose, request: pytest.FixtureRequest) -> Iterator[None]:
    """What the containers said, shown beside a test that failed."""
    before = request.session.testsfailed
    yield
    if request.session.testsfailed > before:
        print(compose("ps"), compose("logs", "--timestamps", "--tail", "60"), sep="\n")


@pytest.fixture
def submitted(weir: Client, tmp_path: Path) -> Callable[..., models.CampaignOut]:
    """`submitted(factors, replicates=1, **changes)`: a campaign under way."""

    def submit(
        factors: dict[str, list[Any]] | None = None, replicates: int = 1, **changes: Any
    ) -> models.CampaignOut:
        text = command.campaign(tmp_path, factors, **changes).read_text()
        return weir.submit_campaign(TEAM, campaign(text, replicates=replicates))

    return submit


def runs_of(weir: Client, made: models.CampaignOut) -> list[models.RunDetail]:
    """All about the runs of a campaign, once all have ended."""
    until(
        lambda: weir.show_campaign(made.id).state == "finished",
        "the campaign's end",
        every_s=0.2,
        progress=lambda: weir.show_campaign(made.id).counts,
    )
    return [weir.show_run(run.id) for run in weir.list_runs(made.id)]


def booted(compose: Compose) -> str:
    """Which cell carries out a run, by the ending of its services' names; once all hosts do."""

    def cells() -> list[str]:
        return [
            ending
            for ending in ("", "-2")
            if all(kernels(compose, f"{role}{ending}") for role in ROLES)
        ]

    until(cells, "a lab kernel in each container", every_s=0.2)
    return cells()[0]


def kernels(compose: Compose, service: str) -> list[int]:
    """Host's ids of the lab kernel's processes in a service's container."""
    return [
        pid for pid in processes(compose, service) if "lab-kernel/linux" in read(pid, "cmdline")
    ]


def processes(compose: Compose, service: str) -> list[int]:
    """Host's ids of all processes in a service's container; none while it does not run."""
    return [
        int(line.split()[0])
        for container in compose.containers(service)
        for line in docker.docker("top", container["Id"], "-eo", "pid").splitlines()[1:]
    ]


def read(pid: int, file: str) -> str:
    """What the kernel says of a process; empty when it is gone, as health checks soon are."""
    try:
        return Path(f"/proc/{pid}/{file}").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_a_real_clock_run_in_three_containers(
    compose: Compose, weir: Client, submitted: Callable[..., models.CampaignOut]
) -> None:
    made = submitted(clock="real", duration="20s", checks=WIDE)
    used = booted(compose)
    for role in ROLES:
        texts = [read(pid, "status") for pid in processes(compose, f"{role}{used}")]
        statuses = [
            dict(line.split(":\t", 1) for line in text.splitlines()) for text in texts if text
        ]
        # tini, the agent, and the lab kernel, which may have more.
        assert len(statuses) >= 3
        for status in statuses:
            for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
                assert int(status[name], 16) == 0, (role, name)
            assert status["NoNewPrivs"] == "1"
            assert status["Uid"].split() == ["1000"] * 4

    (run,) = runs_of(weir, made)
    assert run.state == "succeeded", run.reason
    assert run.host["executor"] == "compose"
    assert run.host["cell"]["gateway"] == f"http://gateway{used}:7411"

    told = weir.show_run_metrics(run.id).run
    kept = compose.query(
        "SELECT metric.name, numbers[metric.id] FROM metric, run"
        " JOIN result_values USING (result_id)"
        f" WHERE run.id = {run.id} AND rank = 0 AND numbers[metric.id] IS NOT NULL"
    )
    values = {name: float(value) for name, value in (line.split("|") for line in kept)}
    assert values["link_utilisation_percent"] > 0
    assert values == {name: value for name, value in told.items() if value is not None}

    bucket = S3Store(
        "weir",
        prefix="lab",
        endpoint=compose.store,
        access_key_id=compose.s3_key,
        secret_access_key=compose.s3_secret,
        region="us-east-1",
        client_options={"allow_http": True},
    )
    prefix = f"runs/{run.key[:2]}/{run.key}"
    objects = [each for some in obstore.list(bucket, prefix) for each in some]
    assert "files.tar" in {Path(each["path"]).name for each in objects}
    assert all(each["size"] > 0 for each in objects)
    listed = {each.name: each.size_bytes for each in weir.list_artifacts(run.id)}
    assert listed.keys() >= {"run.json", "tcp.parquet", "queue.parquet"}
    assert {name: len(weir.fetch_artifact(run.id, name)) for name in listed} == listed


def test_every_container_is_locked_up(compose: Compose) -> None:
    containers = compose.containers()
    services = {each["Config"]["Labels"]["com.docker.compose.service"] for each in containers}
    assert services >= {"postgres", "minio", "orchestrator", "worker", "cell-worker", "server"}
    for each in containers:
        host = each["HostConfig"]
        assert host["CapDrop"] == ["ALL"] and not host["CapAdd"] and not host["Privileged"]
        assert host["SecurityOpt"] == ["no-new-privileges:true"]
        assert host["ReadonlyRootfs"]
        assert each["Config"]["User"] not in ("", "root", "0")
        published = each["NetworkSettings"]["Ports"].values()
        assert {port["HostIp"] for ports in published for port in ports or []} <= {"127.0.0.1"}


def test_a_killed_gateway_fails_its_run_and_no_other(
    compose: Compose, weir: Client, submitted: Callable[..., models.CampaignOut]
) -> None:
    lost = submitted(clock="real", duration="60s", checks=WIDE, replicates=1)
    used = f"gateway{booted(compose)}"
    compose.kill(used)
    (run,) = runs_of(weir, lost)
    assert run.state == "failed"
    # Docker may have started it again before anybody asked.
    gone = f"the gateway's agent at http://{used}:7411 does not answer"
    assert gone in run.reason or re.search("gateway: has no run .* started anew", run.reason)
    assert run.attempts == 1
    compose.wait_until_well(used)
    # As many as cells, at once: the one that lost its gateway is used again.
    made = submitted({"clients.0.start": ["0s", "1s"]}, clock="real", duration="5s", checks=WIDE)
    runs = runs_of(weir, made)
    assert [run.state for run in runs] == ["succeeded"] * 2, [run.reason for run in runs]


def test_two_cells_at_once_do_not_see_each_others_traffic(
    weir: Client, submitted: Callable[..., models.CampaignOut]
) -> None:
    made = submitted(
        {"clients.0.start": ["0s", "7.9s"]},
        clock="real",
        duration="8s",
        checks=WIDE,
        record={"queue": "full"},
    )
    busy, idle = runs_of(weir, made)
    assert busy.host["cell"]["gateway"] != idle.host["cell"]["gateway"]
    assert busy.started_at and idle.started_at and busy.ended_at and idle.ended_at
    assert max(busy.started_at, idle.started_at) < min(busy.ended_at, idle.ended_at)
    frames = [
        pq.read_table(io.BytesIO(weir.fetch_artifact(run.id, "queue.parquet"))).num_rows
        for run in (busy, idle)
    ]
    assert frames[0] > 500
    # Its own connection may have begun.
    assert frames[1] < 5


def test_a_live_cell_with_two_paths(
    weir: Client, submitted: Callable[..., models.CampaignOut]
) -> None:
    """The gateway's container carries both paths' gateways, and each path is a link of its own."""
    path = {"downlink": {"rate": "2Mbit/s"}, "rtt": {"mean": "20ms"}}
    made = submitted(
        clock="real",
        duration="5s",
        checks=WIDE,
        content={"ladder": ["9Mbit/s"], "segment": "100s"},
        gateway={"paths": {"wifi": path, "lte": path}},
        clients=[
            {"player": "fixed", "options": {"level": 0}, "buffer": "600s", "transport": "mptcp"}
        ],
        record={"queue": "full"},
    )
    (run,) = runs_of(weir, made)
    assert run.state == "succeeded", run.reason
    checks = {
        check["name"]: check for check in json.loads(weir.fetch_artifact(run.id, "checks.json"))
    }
    assert checks["mptcp_subflows_client1"]["measured"] == 1
    assert checks["mptcp_fallbacks_client1"]["measured"] == 0
    links = [said.partition(":")[0] for said in checks["link_lost_packets"]["applied"]]
    assert {"server to gateway2", "gateway2 to client1"} < set(links)
    assert len(links) == 8
    queue = pq.read_table(io.BytesIO(weir.fetch_artifact(run.id, "queue.parquet")))
    carried = queue.filter(pc.greater(queue["payload"], 0))
    assert set(carried["path"].to_pylist()) == {0, 1}


def test_players_of_others_play(weir: Client, submitted: Callable[..., models.CampaignOut]) -> None:
    made = submitted({"clients.0.player": ["dashjs", "hlsjs", "shaka"]}, duration="20s")
    for run in runs_of(weir, made):
        assert run.state == "succeeded", run.reason
        rows = weir.fetch_artifact(run.id, "players/client-1.parquet")
        assert pq.read_table(io.BytesIO(rows)).num_rows >= 5


# The programs are those of tests/test_kills.py, whose parts are killed, too.
@pytest.mark.long
def test_nothing_is_lost_when_database_and_store_break(
    compose: Compose, weir: Client, submitted: Callable[..., models.CampaignOut]
) -> None:
    replicates = 20
    made = submitted({"server.congestion_control": ["cubic", "reno"]}, replicates, duration="60s")

    def ended() -> int:
        try:
            return sum(
                n for state, n in weir.show_campaign(made.id).counts.items() if state in OVER
            )
        except ClientError:
            return 0

    until(lambda: ended() >= 5, "the first runs' end")
    compose.kill("postgres")
    compose.wait_until_well("postgres")
    compose.kill("minio")
    compose.wait_until_well("minio", "orchestrator")
    assert ended() < 2 * replicates, "it was over before all had broken"
    runs = runs_of(weir, made)
    assert len(runs) == 2 * replicates
    assert {(run.state, run.reason) for run in runs} == {("succeeded", "")}
    assert len({run.key for run in runs}) == len(runs)
    assert compose.query("SELECT count(*), count(DISTINCT key) FROM result") == [
        f"{count}|{count}" for count in [int(compose.query("SELECT count(*) FROM result")[0])]
    ]
    assert all(run.attempts == 1 for run in runs), "each was carried out once"
    for run in runs:
        used = weir.show_run_metrics(run.id).run["link_utilisation_percent"]
        assert used is not None and np.isfinite(used)
        assert weir.fetch_artifact(run.id, "run.json")
