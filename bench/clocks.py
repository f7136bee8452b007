"""Do both clocks agree? Ben Ameur scenario 1, Cubic and Illinois, without shaping and with RWTM.

Five runs on either clock, metrics side by side: means, and the difference real - virtual with its
95 % interval (paired by seed). About an hour, since the real clock takes as long as the film; only
runs that kept their bounds count. With WEIR_BENCH_STORE=FOLDER the runs stay there and a second
start goes on where the first one ended. WEIR_BENCH_RUNS and WEIR_BENCH_DURATION ask for less.
"""

from __future__ import annotations

import itertools
import json as jsonlib
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

from weir.stats import Paired, compare_paired
from weir_bench.common import SCENARIO_1, require_kernel, show

CLOCKS = ("virtual", "real")
METHODS = ("none", "rwtm")
CONGESTION_CONTROLS = ("cubic", "illinois")
RUN_METRICS = ("link_utilisation_percent", "queueing_delay_mean_s", "loss_rate_percent")
CLIENT_METRICS = (
    "mean_bitrate_bps",
    "instability_percent",
    "infidelity_percent",
    "convergence_s",
    "cng",
    "froff",
    "retransmits",
    "startup_s",
)
Values = dict[int, float | None]
"""A metric's value by the run's seed."""


def main(json: bool = False) -> int:
    """Print a line per metric of each of the four cells."""
    require_kernel()
    found: dict[str, Any] = {"load": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory() as scratch:
        store = Path(os.environ.get("WEIR_BENCH_STORE", scratch))
        for clock, method, control in itertools.product(CLOCKS, METHODS, CONGESTION_CONTROLS):
            name = f"{control} {method}"
            found[f"{name}, {clock}: runs not succeeded"] = _run(store, clock, method, control)
        values = _values(store)
    for method, control, metric in itertools.product(
        METHODS, CONGESTION_CONTROLS, (*RUN_METRICS, *CLIENT_METRICS)
    ):
        virtual, real = (values[clock, method, control, metric] for clock in CLOCKS)
        found[f"{control} {method}: {metric}"] = _line(compare_paired(virtual, real))
    show(found, json)
    return 0


def _run(store: Path, clock: str, method: str, control: str) -> int:
    """Run one cell; how many of its runs do not count."""
    weir = Path(sys.executable).with_name("weir")
    asked = {
        "clock": clock,
        "gateway.shaping.method": method,
        "server.congestion_control": control,
        "duration": os.environ.get("WEIR_BENCH_DURATION", "180s"),
    }
    sets = [word for path, value in asked.items() for word in ("--set", f"{path}={value}")]
    runs = os.environ.get("WEIR_BENCH_RUNS", "5")
    words = ["run", str(SCENARIO_1), *sets, "--replicates", runs, "--store", str(store), "--json"]
    done = subprocess.run([str(weir), *words], stdout=subprocess.PIPE, text=True, check=False)
    counts = jsonlib.loads(done.stdout)["counts"]
    return sum(count for state, count in counts.items() if state != "succeeded")


def _values(store: Path) -> dict[tuple[str, str, str, str], Values]:
    """By clock, method, congestion control and metric; of clients: the mean of both."""
    found: dict[tuple[str, str, str, str], Values] = defaultdict(dict)
    for path in store.glob("runs/*/*/run.json"):
        run = jsonlib.loads(path.read_text())
        if run["outcome"] != "succeeded":
            continue
        experiment = run["experiment"]
        cell = (
            experiment["clock"],
            experiment["gateway"]["shaping"]["method"],
            experiment["server"]["congestion_control"],
        )
        metrics = jsonlib.loads(path.with_name("metrics.json").read_text())
        for name in RUN_METRICS:
            found[*cell, name][run["seed"]] = metrics["run"][name]
        for name in CLIENT_METRICS:
            known = [client[name] for client in metrics["clients"] if client[name] is not None]
            found[*cell, name][run["seed"]] = fmean(known) if known else None
    return found


def _line(pair: Paired) -> str:
    return (
        f"virtual {pair.mean_a:.5g}, real {pair.mean_b:.5g}, difference {pair.difference:+.3g} "
        f"[{pair.ci_low:+.3g}, {pair.ci_high:+.3g}] of {pair.n}"
    )


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
