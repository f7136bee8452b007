"""What the platform costs per run: `weir up` beside `weir run`, two at a time, on each back end.

Scenario 1 of Ben Ameur et al. with the real lab kernel, in turns, so that what else runs on the
machine meets all alike, in short turns, since its speed changes. Wall time: from the start of the
first run to the end of the last one, as their host.json has it. CPU time by program: what `weir up`
has beside the processes that carry the runs out, from the submission on; what a first request makes
the API load comes before.
"""

from __future__ import annotations

import json as jsonlib
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from weir_bench.common import SCENARIO_1, middle, require_kernel, server_cpu_s, show

JOBS = 2
REPLICATES = 5
ROUNDS = 5


def main(json: bool = False) -> int:
    """Print medians over the rounds, and ratios to `weir run` of the same round."""
    from weir_testing import kills

    require_kernel()
    campaign = _campaign()
    runs = 12 * REPLICATES
    found: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as stack:
        backends = {
            "embedded": stack.enter_context(kills.embedded()),
            "postgres_folder": stack.enter_context(kills.served(folder_store=True)),
            "postgres_minio": stack.enter_context(kills.served()),
        }
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder:
                alone = _alone(campaign, Path(folder))
            for what, value in alone.items():
                found[f"weir_run_{what}"].append(value / runs)
            for name, make in backends.items():
                with tempfile.TemporaryDirectory() as folder:
                    spent = _on_platform(make(), campaign, Path(folder))
                for what, value in spent.items():
                    found[f"{name}_{what}"].append(value / runs)
                found[f"{name}_wall_ratio"].append(spent["wall_s"] / alone["wall_s"])
                extra = sum(spent[what] for what in spent if what != "wall_s")
                found[f"{name}_cpu_ratio"].append(1 + extra / alone["cpu_s"])
    medians = {name: middle(values) for name, values in found.items()}
    show({"runs": runs, "rounds": ROUNDS, "load": os.getloadavg()[0], **medians}, json)
    return 0


def _campaign() -> dict[str, Any]:
    """The scenario with its base in it, and without the paper that its report compares with."""
    scenario = yaml.safe_load(SCENARIO_1.read_text())
    base = yaml.safe_load((SCENARIO_1.parent / scenario.pop("base")).read_text())
    base.pop("paper")
    return {**base, **scenario, "replicates": REPLICATES}


def _alone(campaign: dict[str, Any], folder: Path) -> dict[str, float]:
    """Seconds of `weir run`; CPU less that of a second time, which finds nothing to do."""
    file = folder / "campaign.yaml"
    file.write_text(yaml.safe_dump(campaign))
    weir = Path(sys.executable).with_name("weir")
    words = ["run", str(file), "--store", str(folder / "store"), "--jobs", str(JOBS)]
    cpu_s = []
    for _ in range(2):
        before = os.times()
        subprocess.run([str(weir), *words], check=True, capture_output=True)
        after = os.times()
        user_s = after.children_user - before.children_user
        cpu_s.append(user_s + after.children_system - before.children_system)
    hosts = [jsonlib.loads(path.read_text()) for path in (folder / "store").rglob("host.json")]
    first = min(datetime.fromisoformat(host["started"]) for host in hosts)
    last = max(datetime.fromisoformat(host["ended"]) for host in hosts)
    return {"wall_s": (last - first).total_seconds(), "cpu_s": cpu_s[0] - cpu_s[1]}


def _on_platform(backend: Any, campaign: dict[str, Any], folder: Path) -> dict[str, float]:
    """Seconds of the same on `weir up`; CPU of what `weir run` does not have."""
    import httpx2
    from sqlalchemy import select
    from weir_orchestrator.db import Campaign, Result, Run, connect, make_sessions
    from weir_testing import kills

    up = kills.Up(backend, folder / "log.txt", JOBS)
    try:
        _wait_for_start(up.url)
        httpx2.post(
            f"{up.url}/api/v1/teams/local/campaigns/validate",
            json={"document": yaml.safe_dump(campaign)},
            timeout=60,
        )
        pids = {name: pid for name in kills.PROCESSES if (pid := up.child(name))}
        pids |= {name: server.pid for name, server in backend.servers.items()}
        before = {name: server_cpu_s(pid) for name, pid in pids.items()}
        campaign_id = kills.submit(up.url, campaign)
        sessions = make_sessions(connect(backend.database), read_only=True)
        state = "expanding"
        while state != "finished":
            time.sleep(0.5)
            with sessions() as session:
                state = session.get_one(Campaign, campaign_id).state
        spent = {f"{name}_cpu_s": server_cpu_s(pid) - before[name] for name, pid in pids.items()}
        with sessions() as session:
            made = select(Result.history).join(Run, Run.result_id == Result.id)
            histories = list(session.scalars(made.where(Run.campaign_id == campaign_id)))
        if not histories:
            raise RuntimeError(f"nothing was run: {(folder / 'log.txt').read_text()}")
        first, last = (
            min(each[-2]["at"] for each in histories),
            max(each[-1]["at"] for each in histories),
        )
        wall_s = (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
        return {"wall_s": wall_s, **spent}
    finally:
        up.drain()


def _wait_for_start(url: str) -> None:
    """Until the API answers and the rest has had time to be there, too."""
    import httpx2

    httpx2.get(f"{url}/api/v1/health/ready", timeout=60).raise_for_status()
    time.sleep(5)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
