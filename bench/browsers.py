"""dash.js in Weir's browser beside dash.js in Chromium itself, in the same cells.

Cells: five links with a drop-tail queue, each alone with one client that plays 20 s of film of
three levels. equal: whether both asked for the same segments and levels in the same order, as far
as both went. downloads, apart: by how much a download took longer or shorter, and a request came
sooner or later, in ms.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from weir.dashjs import VERSIONS
from weir.rundir import Columns
from weir_bench.common import played, require_kernel, show
from weir_lab import players

DURATION_S = 20
STEPS = [(0, "6Mbit/s"), (6, "1Mbit/s"), (14, "6Mbit/s")]
LADDER = ["300kbit/s", "1Mbit/s", "3Mbit/s"]
LINKS: dict[str, tuple[Any, str, int, list[str]]] = {
    "8 Mbit/s": ("8Mbit/s", "100ms", 1000, LADDER),
    "8 Mbit/s, overflows": ("8Mbit/s", "100ms", 67, LADDER),
    "40 Mbit/s": ("40Mbit/s", "40ms", 1000, ["1Mbit/s", "5Mbit/s", "15Mbit/s"]),
    "2 Mbit/s": ("2Mbit/s", "200ms", 1000, ["200kbit/s", "500kbit/s", "1Mbit/s"]),
    "6, 1, 6 Mbit/s": (
        {"steps": [{"at": f"{at}s", "rate": rate} for at, rate in STEPS]}, "60ms", 1000, LADDER,
    ),
}  # fmt: skip
"""Rate, RTT, packets that the queue holds, and the film's levels."""


def main(json: bool = False) -> int:
    """Print how the two differ on each link."""
    require_kernel()
    players.fetch()
    found: dict[str, Any] = {}
    for name, link in LINKS.items():
        node, chromium = (
            played(_document(player, *link)).data.players[0] for player in ("dashjs", "chromium")
        )
        found[name] = _compared(node, chromium)
    show(found, json)
    return 0


def _document(player: str, rate: Any, rtt: str, packets: int, ladder: list[str]) -> dict[str, Any]:
    queue = {"discipline": "drop-tail", "limit": f"{packets} packets"}
    return {
        "name": "browsers",
        "experiment": {
            "duration": f"{DURATION_S}s",
            "content": {"ladder": ladder, "segment": "2s"},
            "gateway": {
                "downlink": {"rate": rate, "queue": queue},
                "path": {"rtt": {"mean": rtt}},
            },
            "clients": [{"player": player, "options": {"version": VERSIONS[-1]}}],
        },
        "seed": 1,
    }


def _compared(node: Columns, chromium: Columns) -> dict[str, Any]:
    both = min(len(node["segment"]), len(chromium["segment"]))
    one, other = ({name: each[:both] for name, each in rows.items()} for rows in (node, chromium))
    took_ms = [1e3 * (rows["last_byte_s"] - rows["request_s"]) for rows in (one, other)]
    apart_ms = 1e3 * np.abs(other["request_s"] - one["request_s"])
    longer_ms = np.abs(took_ms[1] - took_ms[0])
    worst = int(np.argmax(longer_ms))
    return {
        "requests": [len(rows["segment"]) for rows in (node, chromium)],
        "equal": all(bool(np.all(one[name] == other[name])) for name in ("segment", "level")),
        "downloads_most_ms": round(float(longer_ms[worst]), 2),
        "of_ms": round(float(took_ms[1][worst]), 1),
        "downloads_median_ms": round(float(np.median(longer_ms)), 2),
        "apart_most_ms": [round(float(each), 1) for each in np.sort(apart_ms)[:-4:-1]],
    }


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
