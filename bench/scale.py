"""A cell of 8 to 500 clients: time, processor time and memory of a client, and where they grow.

Each client plays a minute of film, and has 1 Mbit/s of one link and all records; then 500 play ten
minutes, recorded by the second. On one core, from the resolved experiment to a finished run
directory. WEIR_BENCH_CLIENTS asks for other numbers, as in "8 500". Bound: a client of the largest
cell takes at most 1.5 times the processor time that one of 32 takes.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from weir_bench.common import one_core, show
from weir_bench.one_run import measured

COUNTS = (8, 32, 125, 250, 500)
OF_CLIENTS = 32
BOUND = 1.5
TOLD = (
    *("wall_s", "cpu_s", "kernel_s", "collect_s", "metrics_s", "save_s"),
    *("kernel_mib", "worker_mib", "peak_mib", "files", "written_bytes"),
)


def cell(clients: int, minutes: float, record: str) -> dict[str, Any]:
    """A campaign of one run."""
    return {
        "name": "a-large-cell",
        "experiment": {
            "duration": f"{minutes:g}min",
            "content": {"ladder": ["300kbit/s", "600kbit/s", "1.2Mbit/s"], "segment": "2s"},
            "gateway": {
                "downlink": {
                    "rate": f"{clients}Mbit/s",
                    "queue": {"discipline": "drop-tail", "limit": f"{4 * clients}packets"},
                },
                "path": {"rtt": {"mean": "40ms"}},
            },
            "clients": [{"player": "bola", "count": clients}],
            "record": {"tcp": record, "queue": record},
        },
        "replicates": 1,
    }


def main(json: bool = False) -> int:
    """Print what each cell takes, and what a client of the largest adds beside one of 32."""
    asked = tuple(map(int, os.environ.get("WEIR_BENCH_CLIENTS", "").split())) or COUNTS
    with one_core():
        found = {clients: measured(cell(clients, 1, "full")) for clients in asked}
        long = measured(cell(asked[-1], 10, "per-second"))
    told = {
        f"{name}_{clients}_clients": value
        for clients, values in found.items()
        for name, value in values.items()
        if name in TOLD
    }
    told |= {f"{name}_{asked[-1]}_clients_10min": long[name] for name in TOLD if name in long}
    per_client = {clients: values["cpu_s"] / clients for clients, values in found.items()}
    growth = per_client[asked[-1]] / per_client.get(OF_CLIENTS, per_client[asked[0]])
    told |= {f"cpu_ms_a_client_{n}": round(1e3 * s, 1) for n, s in per_client.items()}
    show({**told, "growth": round(growth, 2)}, json)
    return 0 if growth <= BOUND else 1


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
