"""Campaigns through Argo on one node: overhead beside `weir run`, the control plane, and scale.

On the test cluster (docs/cluster.md), as root. WEIR_BENCH_PARTS names some of the parts, which are
carried out in this order: `load`, 5,000 runs of a second of sleep; `overhead`, 200 reference runs
through Argo and by `weir run`, in turns; `stores`, runs of a second by twenty workers, which needs
no cluster; `scale`, calculated from what the others found, or from what they found when
docs/cluster.md was written. WEIR_BENCH_RUNS asks for fewer runs.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from weir_bench import argo_load, argo_overhead, argo_stores
from weir_bench.argo_platform import platform
from weir_bench.argo_scale import costs, rows
from weir_bench.common import parts_asked, show

PARTS = ("load", "overhead", "stores", "scale")


def main(json: bool = False) -> int:
    """Print one object: each part's values with its name before them."""
    asked = parts_asked(PARTS)
    found: dict[str, Any] = {"load_average": os.getloadavg()[0]}
    measured: dict[str, dict[str, Any]] = {part: {} for part in PARTS}
    runs = os.environ.get("WEIR_BENCH_RUNS")
    if {"load", "overhead"} & set(asked):
        with platform() as installed:
            if "load" in asked:
                measured["load"] = argo_load.measure(installed, int(runs or argo_load.RUNS))
            if "overhead" in asked:
                of_runs = int(runs or argo_overhead.RUNS)
                measured["overhead"] = argo_overhead.measure(installed, of_runs)
    if "stores" in asked:
        measured["stores"] = argo_stores.measure(int(runs or argo_stores.RUNS))
    if "scale" in asked:
        found_costs = costs(measured["load"], measured["overhead"], measured["stores"])
        measured["scale"] = rows(found_costs)
    for part, values in measured.items():
        found |= {f"{part}_{name}": value for name, value in values.items()}
    show(found, json)
    return 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
