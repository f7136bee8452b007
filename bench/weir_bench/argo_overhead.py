"""200 reference runs through Argo beside `weir run` in a pod of the same image, two at a time."""

from __future__ import annotations

import uuid
from collections import defaultdict
from datetime import datetime
from typing import Any

import yaml
from weir_bench.argo_platform import Platform
from weir_bench.common import SCENARIO_1, middle
from weir_testing.cluster.alone import STORE, weir_run

RUNS = 200
ROUNDS = 2
BOUND = 1.15
_TIMES = f"""
import json, pathlib
hosts = [json.loads(p.read_text()) for p in pathlib.Path("{STORE}/runs").glob("*/*/host.json")]
print(len(hosts), min(h["started"] for h in hosts), max(h["ended"] for h in hosts))
"""


def measure(platform: Platform, runs: int) -> dict[str, Any]:
    """Medians over the rounds.

    wall: from submission (the start of `weir run`) to the end of the campaign (of `weir run`).
    work: from the start of the first run to the end of the last one.
    """
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        campaign = _campaign(runs)
        with platform.metered() as spent:
            times = platform.carried_out(campaign, runs)
        with weir_run(platform.installed, campaign) as (alone_s, inside):
            alone_work_s = _work_s(inside("python", "-c", _TIMES), runs)
        found["wall_s"].append(times.wall_s)
        found["wall_ratio"].append(times.wall_s / alone_s)
        found["work_s"].append(times.work_s)
        found["work_ratio"].append(times.work_s / alone_work_s)
        found["until_first_start_s"].append(times.start_s)
        for name, cpu_s in spent.cpu_s.items():
            found[f"{name}_cpu_ms_per_run"].append(1e3 * cpu_s / runs)
    medians = {name: middle(values) for name, values in found.items()}
    return {"runs": runs, "rounds": ROUNDS, "allowed_wall_ratio": BOUND, **medians}


def _campaign(runs: int) -> str:
    """The reference run of bench/reference.py, with seeds that nobody has used."""
    base = yaml.safe_load((SCENARIO_1.parent / "base.yaml").read_text())
    experiment = base["experiment"]
    experiment["server"]["congestion_control"] = "illinois"
    experiment["gateway"]["shaping"]["method"] = "rwtm"
    seed = uuid.uuid4().int % 2**31
    campaign = {"name": "reference", "experiment": experiment, "replicates": runs, "seed": seed}
    return yaml.safe_dump(campaign)


def _work_s(said: str, runs: int) -> float:
    number, first, last = said.split()
    if int(number) != runs:
        raise RuntimeError(f"weir run finished {number} of {runs} runs")
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
