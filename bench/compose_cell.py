"""A live cell in containers: wall time of a run beside its film (set-up, probes, tear-down).

Three containers as compose.yaml has them, of the images of `make images` (WEIR_VERSION: their tag),
on a Docker engine that runs. One client keeps 8 Mbit/s busy over a 100 ms path. With
WEIR_BENCH_PRIORITY=1 the cell has the largest share of the cores and the collector runs above all
else (SCHED_RR, for root), so that a machine that is not idle can be measured, too.
"""

from __future__ import annotations

import json as json_format
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from weir.errors import RunFailure
from weir.expand import Expansion
from weir.spec.load import load_campaign
from weir_bench.common import show
from weir_lab.kernel import Kernel
from weir_lab.real.remote import Address, look_at
from weir_lab.real.run import run
from weir_lab.real.serve import TOKEN

FILM_S = 5
RUNS = 10
ROLES = {"server": "server", "gateway": "gateway", "client1": "client"}
LARGEST_SHARE = ["--cgroup-parent", "/", "--cpu-shares", "262144"]
LOCKED = ["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only"]
CAMPAIGN = f"""
name: compose-cell
experiment:
  duration: {FILM_S}s
  clock: real
  content: {{ladder: [8Mbit/s], segment: 1s}}
  gateway:
    downlink: {{rate: 8Mbit/s, queue: {{discipline: drop-tail, limit: 1bdp}}}}
    path: {{rtt: {{mean: 100ms}}}}
  clients: [{{player: fixed, options: {{level: 0}}, buffer: 600s}}]
"""


def main(json: bool = False) -> int:
    """Print median and worst of the runs, each beside the seconds of film."""
    load = os.getloadavg()[0]
    if os.environ.get("WEIR_BENCH_PRIORITY"):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    with tempfile.TemporaryDirectory() as folder, _agents() as (agents, kernel):
        file = Path(folder) / "campaign.yaml"
        file.write_text(CAMPAIGN)
        experiment = next(Expansion(load_campaign(file)).runs()).experiment
        beside_s = []
        for seed in range(RUNS):
            scratch = Path(folder) / f"cell-{seed}"
            scratch.mkdir()
            began_s = time.perf_counter()
            run(experiment, seed, kernel, scratch, FILM_S + 60.0, lambda _: None, agents)
            beside_s.append(time.perf_counter() - began_s - FILM_S)
    found: dict[str, Any] = {"runs": RUNS, "load": load}
    found["beside_the_film_s_median"] = round(statistics.median(beside_s), 2)
    found["beside_the_film_s_worst"] = round(max(beside_s), 2)
    show(found, json)
    return 0


@contextmanager
def _agents() -> Iterator[tuple[dict[str, Address], Kernel]]:
    """A container for each host, and the kernel that they have."""
    version = os.environ.get("WEIR_VERSION", "dev")
    token, name = secrets.token_hex(16), f"weir-bench-{secrets.token_hex(3)}"
    _docker("network", "create", "--internal", name)
    share = LARGEST_SHARE if os.environ.get("WEIR_BENCH_PRIORITY") else []
    ids = []
    try:
        for role in ROLES.values():
            settings = ["--network", name, "--env", f"{TOKEN}={token}"]
            settings += ["--tmpfs", "/tmp:exec,mode=1777,size=4g", *LOCKED, *share]
            ids.append(_docker("run", "--detach", "--rm", *settings, f"weir-{role}:{version}"))
        agents = {}
        for host, each in zip(ROLES, ids, strict=True):
            (network,) = json_format.loads(_docker("inspect", each))[0]["NetworkSettings"][
                "Networks"
            ].values()
            agents[host] = Address(f"http://{network['IPAddress']}:7411", token)
        _await(agents)
        note = json_format.loads(_docker("exec", ids[0], "cat", "/opt/weir/lab-kernel/kernel.json"))
        names = tuple(note["congestion_controls"])
        yield agents, Kernel(Path(note["path"]), note["hash"], note["release"], names)
    finally:
        if ids:
            _docker("rm", "--force", *ids)
        _docker("network", "rm", name)


def _await(agents: dict[str, Address]) -> None:
    until_s = time.monotonic() + 60.0
    for host, address in agents.items():
        while True:
            try:
                look_at(ROLES[host], address)
                break
            except RunFailure:
                if time.monotonic() > until_s:
                    raise
                time.sleep(0.2)


def _docker(*words: str) -> str:
    done = subprocess.run(["docker", *words], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
