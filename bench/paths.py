"""What several paths cost: MPTCP beside plain TCP, and cells of many clients and flows.

The same film over two paths of 4 Mbit/s by MPTCP and over one of 8 Mbit/s by plain TCP, in turns.
Cells of 25 to 100 clients and as many flows of other traffic on two paths, 1 Mbit/s each.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from weir.resolved import Experiment
from weir_bench.common import middle, one_core, require_kernel, show
from weir_lab.cell import run_cell
from weir_testing.spec import resolved

PAIRS = 7
FILM_S = 120
COUNTS = (25, 50, 100)
CROWD_S = 20
WALL_LIMIT_S = 900.0


def path(rate_mbps: float, limit_packets: int) -> dict[str, Any]:
    queue = {"discipline": "drop-tail", "limit": f"{limit_packets}packets"}
    return {"downlink": {"rate": f"{rate_mbps}Mbit/s", "queue": queue}, "rtt": {"mean": "40ms"}}


def film(paths: dict[str, Any], transport: str) -> Experiment:
    """One viewer who takes all that there is."""
    viewer = {"player": "fixed", "options": {"level": 0}, "buffer": "600s"}
    made: Experiment = resolved(
        duration=f"{FILM_S}s",
        content={"ladder": ["9Mbit/s"], "segment": "2s"},
        server={"congestion_control": "cubic"},
        gateway={"paths": paths},
        clients=[{**viewer, "transport": transport, "paths": list(paths)}],
    )
    return made


def crowd(count: int) -> Experiment:
    """So many viewers and flows, half of each on either path."""
    halves = {"wifi": count - count // 2, "lte": count // 2}
    made: Experiment = resolved(
        duration=f"{CROWD_S}s",
        content={"ladder": ["1Mbit/s"], "segment": "2s"},
        gateway={"paths": dict.fromkeys(halves, path(count, 4 * count))},
        clients=[
            {"player": "fixed", "options": {"level": 0}, "paths": [each], "count": number}
            for each, number in halves.items()
        ],
        traffic=[
            {"kind": "udp", "rate": "500kbit/s", "path": each, "count": number}
            for each, number in halves.items()
        ],
    )
    return made


def spent_s(asked: Experiment) -> float:
    """Wall time of a run."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        result = run_cell(asked, 1, require_kernel(), Path(folder), WALL_LIMIT_S)
        took_s = time.perf_counter() - started
    if wrong := [check["name"] for check in result.data.checks if not check["ok"]]:
        raise RuntimeError(f"the run is invalid: {', '.join(wrong)}")
    return took_s


def main(json: bool = False) -> int:
    """Print the ratio of both transports, and wall time by number of clients and flows."""
    by_mptcp = film({"wifi": path(4, 50), "lte": path(4, 50)}, "mptcp")
    by_tcp = film({"both": path(8, 100)}, "tcp")
    with one_core():
        spent_s(by_tcp)
        pairs = [(spent_s(by_mptcp), spent_s(by_tcp)) for _ in range(PAIRS)]
        crowds_s = {count: spent_s(crowd(count)) for count in COUNTS}
    few, some, many = COUNTS
    rising = (crowds_s[many] - crowds_s[some]) / (many - some)
    rising /= (crowds_s[some] - crowds_s[few]) / (some - few)
    show(
        {
            "mptcp_wall_s": middle([mptcp for mptcp, _ in pairs]),
            "tcp_wall_s": middle([tcp for _, tcp in pairs]),
            "ratio": round(middle([mptcp / tcp for mptcp, tcp in pairs]), 2),
            **{f"wall_s_{count}_clients_and_flows": s for count, s in crowds_s.items()},
            "growth": round(rising, 2),
        },
        json,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
