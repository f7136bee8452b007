"""How many stub runs a second Postgres and MinIO take, with results, metrics and files.

Each of 30 kB and all metrics of two clients, from the submission to the campaign's end, on the
cores that this process may use, servers and workers together. Workers' own folders are in memory:
what a run costs before it has ended is not asked here. WEIR_BENCH_BEFORE: a checkout of
other code, with which it is done in turns: what else runs on the machine meets both alike. Bound:
500 runs/s on two cores.
"""

from __future__ import annotations

import json as jsonlib
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from weir_bench import stores_play
from weir_bench.common import middle, server_cpu_s, show
from weir_testing.checkout import ROOT
from weir_testing.servers.folder import MEMORY

RUNS = 10_000
WORKERS = 2
ROUNDS = 3
BOUND_PER_S = 500.0
PACKAGES = (
    *("core", "lab", "engine", "services/orchestrator", "services/server", "services/client"),
    *("services/gateway", "sdk", "testing"),
)


def main(json: bool = False) -> int:
    """Print medians over the rounds, and the ratio of each round's pair; 1 where it is too slow."""
    from weir_testing.servers import minio, postgres

    trees = {"now": ROOT}
    if before := os.environ.get("WEIR_BENCH_BEFORE"):
        trees["before"] = Path(before)
    runs, rounds = int(os.environ.get("WEIR_BENCH_RUNS", RUNS)), ROUNDS
    found: dict[str, list[float]] = defaultdict(list)
    with postgres.run() as database, minio.run() as store, store.access.in_environment():
        for number in range(rounds):
            for name in sorted(trees, reverse=number % 2 == 1):
                servers = {"postgres": database.pid, "minio": store.pid}
                used_s = {each: server_cpu_s(pid) for each, pid in servers.items()}
                spent = _play(trees[name], database.create(), store.url(store.create()), runs)
                for each, pid in servers.items():
                    spent[f"{each}_ms"] = 1e3 * (server_cpu_s(pid) - used_s[each]) / runs
                for what, value in spent.items():
                    found[f"{name}_{what}"].append(value)
            if before:
                rates = [found[f"{name}_runs_per_s"][-1] for name in ("now", "before")]
                found["ratio_runs_per_s"].append(rates[0] / rates[1])
    medians = {name: middle(values) for name, values in found.items()}
    cores = len(os.sched_getaffinity(0))
    show({"runs": runs, "rounds": rounds, "cores": cores, **medians}, json)
    return 0 if medians["now_runs_per_s"] >= BOUND_PER_S else 1


def _play(tree: Path, database: str, store: str, runs: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(dir=MEMORY) as data:
        settings = {
            **{"WEIR_DATABASE": database, "WEIR_STORE": store, "WEIR_DATA": data},
            **{"WEIR_AS_ROOT": "true", "WEIR_JOBS": "2"},
            "PYTHONPATH": os.pathsep.join(
                [*(str(tree / package) for package in PACKAGES), str(ROOT / "bench")]
            ),
        }
        command = [sys.executable, stores_play.__file__, str(runs), str(WORKERS)]
        played = subprocess.run(
            command, env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True, check=True
        )
    found: dict[str, Any] = jsonlib.loads(played.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
