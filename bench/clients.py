"""Cost of a cell with 1 to 32 clients: wall time per client should stay level.

Every client gets 4 Mbit/s of the link, so that the traffic grows with their number. Runs are
forked off a lab kernel that is there, as all runs of a campaign but the first.
"""

from __future__ import annotations

import copy
import sys
import time

from weir_bench.common import middle, one_core, reference_run, require_kernel, show
from weir_testing.forks import run_by, zygote_and_folder

COUNTS = (1, 2, 4, 8, 16, 32)
REPEATS = 3
FILM_S = 60


def measure(clients: int) -> float:
    """Median wall time (s) of a cell's run, after a first one that warms the caches."""
    experiment = copy.deepcopy(reference_run(duration=f"{FILM_S}s").experiment)
    experiment["clients"] = experiment["clients"][:1] * clients
    link = experiment["gateway"]["downlink"]
    assert link["queue"] is not None
    link["rate_steps"] = [[0.0, 4e6 * clients]]
    link["queue"]["limit_packets"] *= max(1, clients // 2)
    kernel = require_kernel()
    spent = []
    with zygote_and_folder(kernel, experiment) as (zygote, runs):
        for repeat in range(REPEATS + 1):
            started = time.perf_counter()
            run_by(zygote, kernel, experiment, 1, runs / f"cell{repeat}")
            spent.append(time.perf_counter() - started)
    return middle(spent[1:])


def main(json: bool = False) -> int:
    """Print wall time by number of clients, and the cost of a client in large and small cells."""
    with one_core():
        wall = {clients: measure(clients) for clients in COUNTS}
    small = (wall[8] - wall[2]) / 6
    large = (wall[32] - wall[8]) / 24
    found = {f"wall_s_{clients}_clients": spent for clients, spent in wall.items()}
    found |= {
        "per_client_s_2_to_8": round(small, 4),
        "per_client_s_8_to_32": round(large, 4),
        "growth": round(large / small, 2),
    }
    show(found, json)
    return 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
