"""A hundred streams with deadlines at 50 Mbit/s, an hour of them on one core.

The scenario is the deadline-aware paper's (docs/deadline-aware-2016.md): rates, lengths and starts
are drawn as there, films are cut at 120 min, the link is RED's. Recorded is a row per second and
flow. Printed are virtual seconds per second of wall and of CPU time, from the resolved experiment
to a finished run directory, and the peak memory of lab kernel and worker together (proportional
set size). WEIR_BENCH_MINUTES asks for less than the hour, WEIR_BENCH_RECORD for another record
("off": none).
"""

from __future__ import annotations

import os
import sys
from typing import Any

from weir_bench.common import one_core, show
from weir_bench.one_run import measured
from weir_testing.checkout import ROOT

BASE = ROOT / "campaigns" / "deadline-aware-2016" / "base.yaml"
STREAMS = {
    "kind": "stream",
    "count": 100,
    "rate": {"distribution": "uniform", "at_least": "900kbit/s", "at_most": "3.9Mbit/s"},
    "length": {
        "distribution": "log-normal",
        "median": "541.5s",  # e^2.2 min
        "sigma": 1.5,
        "at_most": "120min",
    },
    "ahead": "10s",
}
METRICS = ("link_utilisation_percent", "loss_rate_percent", "late_streams")


def scenario(minutes: float, record: str) -> dict[str, Any]:
    """The campaign: starts are spread over the whole time."""
    starts = {"distribution": "uniform", "at_least": "0s", "at_most": f"{minutes * 60 - 1:g}s"}
    return {
        "name": "a-hundred-sessions",
        "base": str(BASE),
        "experiment": {
            "duration": f"{minutes:g}min",
            "sessions": {"groups": [{**STREAMS, "start": starts}]},
            "gateway": {"downlink": {"rate": "50Mbit/s"}},
            "record": {"tcp": record, "queue": record},
        },
        "replicates": 1,
    }


def main(json: bool = False) -> int:
    """Print one object; `speedup` is virtual seconds per second of wall time."""
    minutes = float(os.environ.get("WEIR_BENCH_MINUTES", "60"))
    record = os.environ.get("WEIR_BENCH_RECORD", "per-second")
    with one_core():
        found = measured(scenario(minutes, record))
    of_run = found.pop("run")
    found |= {name: of_run[name] for name in METRICS}
    speeds = {
        "speedup": round(60 * minutes / found["wall_s"], 1),
        "per_cpu_s": round(60 * minutes / found["cpu_s"], 1),
    }
    show({**speeds, "virtual_s": 60 * minutes, "record": record, **found}, json)
    return 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
