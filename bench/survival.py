"""Kill -9 of the platform's parts, on Postgres and MinIO: 20 campaigns of 200 runs, and of stubs.

Each has its API, worker, housekeeper, Postgres and MinIO killed at drawn moments, eight times in
all; the first violation of what tests/test_kills.py asserts ends it. A campaign takes 80 s of CPU
time: all of them, on two cores that do nothing else, a quarter of an hour and the pauses. Then
three of 10,000 stub runs (stores.py) by two workers, as fast as the stores take them.
WEIR_BENCH_PARTS names one of the parts, films and stubs.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from weir_bench import stub_platform
from weir_bench.common import parts_asked, require_kernel, show
from weir_engine import jsonfile
from weir_testing import kills

PARTS = ("films", "stubs")
ROUNDS = {"films": 20, "stubs": 3}
RUNS = {"films": 200, "stubs": 10_000}
KILLS = 8
WORKERS = 2


def main(json: bool = False) -> int:
    """Print what was killed, how many attempts the runs took, and how many ended a second."""
    asked = parts_asked(PARTS)
    if "films" in asked:
        require_kernel()
    found: dict[str, Any] = {}
    for part in asked:
        found |= {f"{part}_{name}": value for name, value in _play(part).items()}
    show(found, json)
    return 0


def _play(part: str) -> dict[str, Any]:
    runs, rounds = RUNS[part], ROUNDS[part]
    load = kills.FILMS if part == "films" else STUBS
    killed: Counter[str] = Counter()
    wall_s, attempts = 0.0, 0
    with kills.served() as make, tempfile.TemporaryDirectory() as folder:
        for seed in range(rounds):
            backend = make() if part == "films" else _of_stubs(make())
            log = Path(folder) / f"{seed}.txt"
            seen = kills.play(backend, seed, runs, KILLS, log, load)
            print(f"{part}, campaign {seed + 1}: {seen}", file=sys.stderr)
            killed.update(seen["killed"])
            wall_s += seen["wall_s"]
            attempts += seen["attempts"]
    return {
        "campaigns": rounds,
        "runs": rounds * runs,
        "attempts": attempts,
        "wall_s": round(wall_s),
        "runs_per_s": round(rounds * runs / wall_s, 1),
        **{f"killed_{name}": number for name, number in killed.items()},
    }


def _has_metrics(folder: Path) -> None:
    assert jsonfile.read(folder / "metrics.json")["clients"]


STUBS = kills.Load(
    {"name": "stubs", "experiment": stub_platform.EXPERIMENT, "seed": 1}, 4_000, _has_metrics
)


def _of_stubs(backend: kills.Backend) -> kills.Backend:
    """Its processes have no lab kernel, and need none."""
    here = Path(stub_platform.__file__).parent
    path = os.pathsep.join([str(here / "stubbed"), str(here.parent)])
    options = [*backend.options, "--workers", str(WORKERS)]
    return replace(backend, options=options, variables={**backend.variables, "PYTHONPATH": path})


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
