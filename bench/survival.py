"""Kill -9 of the platform's parts: 20 campaigns of 200 runs on Postgres and MinIO.

Each has its API, worker, housekeeper, Postgres and MinIO killed at drawn moments, eight times in
all; the first violation of what tests/test_kills.py asserts ends it. A campaign takes 80 s of CPU
time: all of them, on two cores that do nothing else, a quarter of an hour and the pauses.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from weir_bench.common import require_kernel, show

ROUNDS = 20
RUNS = 200
KILLS = 8


def main(json: bool = False) -> int:
    """Print what was killed, and how many attempts the runs took."""
    from weir_testing import kills

    require_kernel()
    killed: Counter[str] = Counter()
    wall_s, attempts = 0.0, 0
    with kills.served() as backend, tempfile.TemporaryDirectory() as folder:
        for seed in range(ROUNDS):
            seen = kills.play(backend(), seed, RUNS, KILLS, Path(folder) / f"{seed}.txt")
            print(f"campaign {seed + 1}: {seen}", file=sys.stderr)
            killed.update(seen["killed"])
            wall_s += seen["wall_s"]
            attempts += seen["attempts"]
    show(
        {
            "campaigns": ROUNDS,
            "runs": ROUNDS * RUNS,
            "attempts": attempts,
            "wall_s": round(wall_s),
            **{f"killed_{name}": number for name, number in killed.items()},
        },
        json,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
