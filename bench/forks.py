"""Short runs forked off lab kernels that wait: what they take beside other code, and of memory.

A run of one client (Ben Ameur scenario 1, Illinois and RWTM), of 10 s and of 60 s, in a slot of an
executor on one core. WEIR_BENCH_BEFORE: a checkout of other code, with its lab kernel built, which
carries out the same in turns, run by run: what else runs on the machine meets both alike. Bounds:
the median of the pairs' ratios; memory of what waits for two slots, and of a run on top.
"""

from __future__ import annotations

import contextlib
import json as jsonlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weir_bench import forks_memory, forks_play
from weir_bench.common import middle, one_core, require_kernel, show
from weir_testing.checkout import ROOT

BOUNDS = {10: 0.45, 60: 0.70}
"""Of the ratio of wall times, by seconds of film."""
POOL_BOUND_MIB = 500.0
RUN_BOUND_MIB = 60.0
PAIRS = 15
CAMPAIGN = Path("campaigns") / "ben-ameur-2016" / "scenario-1.yaml"
PACKAGES = (
    *("core", "lab", "engine", "services/orchestrator", "services/server", "services/client"),
    *("services/gateway", "sdk", "testing"),
)


def main(json: bool = False) -> int:
    """Print what was asked with its bound, and how it came about; 1 where a bound is missed."""
    require_kernel()
    found: dict[str, Any] = {}
    with one_core():
        for film_s, bound in BOUNDS.items():
            found |= {f"{film_s}s_{name}": value for name, value in pairs(film_s).items()}
            found[f"{film_s}s_ratio_bound"] = bound
        found |= forks_memory.measured()
    found |= {"pool_bound_mib": POOL_BOUND_MIB, "run_bound_mib": RUN_BOUND_MIB}
    show({**found, "pairs": PAIRS, "load_average": os.getloadavg()[0]}, json)
    ratios = [found.get(f"{film_s}s_ratio", 0.0) <= bound for film_s, bound in BOUNDS.items()]
    fits = found["pool_mib"] <= POOL_BOUND_MIB and found["run_mib"] <= RUN_BOUND_MIB
    return 0 if all(ratios) and fits else 1


def pairs(film_s: int) -> dict[str, Any]:
    """Medians of both, and of their ratios; CPU time also as the ratio of all of it, since it is
    told in hundredths of a second."""
    trees = {"now": ROOT}
    if before := os.environ.get("WEIR_BENCH_BEFORE"):
        trees["before"] = Path(before).resolve()
    took: dict[str, list[dict[str, float]]] = {name: [] for name in trees}
    with contextlib.ExitStack() as playing:
        slots = {name: playing.enter_context(slot(tree, film_s)) for name, tree in trees.items()}
        for each in slots.values():
            run(each)
        for number in range(PAIRS):
            for name in sorted(slots, reverse=number % 2 == 1):
                took[name].append(run(slots[name]))
    found: dict[str, Any] = {
        f"{name}_{what}": middle([each[what] for each in all_])
        for name, all_ in took.items()
        for what in ("wall_s", "cpu_s")
    }
    if before:
        ratios = [
            own["wall_s"] / other["wall_s"]
            for own, other in zip(took["now"], took["before"], strict=True)
        ]
        cpu_s = {name: sum(each["cpu_s"] for each in all_) for name, all_ in took.items()}
        found["ratio"] = middle(ratios)
        found["ratio_quarters"] = [round(each, 3) for each in statistics.quantiles(ratios)]
        found["cpu_ratio"] = round(cpu_s["now"] / cpu_s["before"], 4)
    return found


@contextlib.contextmanager
def slot(tree: Path, film_s: int) -> Iterator[subprocess.Popen[str]]:
    """One of a checkout's code, which carries out a run for each line."""
    packages = os.pathsep.join(str(tree / package) for package in PACKAGES)
    with (
        tempfile.TemporaryDirectory() as scratch,
        subprocess.Popen(
            [sys.executable, "-P", forks_play.__file__, str(tree / CAMPAIGN), str(film_s)],
            env={**os.environ, "PYTHONPATH": packages, "TMPDIR": scratch},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        yield process


def run(slot: subprocess.Popen[str]) -> dict[str, float]:
    """Wall and CPU time of a slot's next run."""
    assert slot.stdin is not None and slot.stdout is not None
    slot.stdin.write("\n")
    slot.stdin.flush()
    took: dict[str, float] = jsonlib.loads(slot.stdout.readline())
    return took


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
