"""How many stub runs a second Postgres and MinIO take, with results, metrics and files.

Each of 30 kB and all metrics of two clients, from the submission to the campaign's end, on the
cores that this process may use, servers and workers together. Workers' own folders are in memory:
what a run costs before it has ended is not asked here. WEIR_BENCH_BEFORE: a checkout of
other code, with which it is done in turns: what else runs on the machine meets both alike. Bound:
500 runs/s on two cores.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path

from weir_bench.common import middle, show
from weir_bench.stores_played import played
from weir_testing.checkout import ROOT

RUNS = 10_000
WORKERS = 2
JOBS = 2
ROUNDS = 3
BOUND_PER_S = 500.0


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
                spent = played(database, store, runs, WORKERS, jobs=JOBS, tree=trees[name])
                for what, value in spent.items():
                    found[f"{name}_{what}"].append(value)
            if before:
                rates = [found[f"{name}_runs_per_s"][-1] for name in ("now", "before")]
                found["ratio_runs_per_s"].append(rates[0] / rates[1])
    medians = {name: middle(values) for name, values in found.items()}
    cores = len(os.sched_getaffinity(0))
    show({"runs": runs, "rounds": rounds, "cores": cores, **medians}, json)
    return 0 if medians["now_runs_per_s"] >= BOUND_PER_S else 1


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
