"""What confinement costs: CPU time of Ben Ameur scenario 1's first run, with and without it.

Pairs, each in the other order than the one before; a process's time says more than the wall's on a
machine that others use. Bound: the median of the pairs' ratios within 3 %.
"""

from __future__ import annotations

import os
import resource
import statistics
import tempfile
from pathlib import Path

from weir_bench.common import SCENARIO_1, require_kernel, show
from weir_engine.task import Task
from weir_lab.kernel import Kernel
from weir_testing.unconfined import first_run, machine

PAIRS = 9
BOUND = 1.03


def main(json: bool = False) -> int:
    """Measure, print; 1 where the bound is missed."""
    kernel = require_kernel()
    task = first_run(SCENARIO_1, kernel)
    confined, free = list[float](), list[float]()
    for pair in range(PAIRS):
        for is_confined in (True, False) if pair % 2 else (False, True):
            taken = _cpu_s(task, kernel, confined=is_confined)
            (confined if is_confined else free).append(taken)
    ratio = statistics.median(a / b for a, b in zip(confined, free, strict=True))
    found = {
        "confined_cpu_s": round(statistics.median(confined), 3),
        "unconfined_cpu_s": round(statistics.median(free), 3),
        "ratio": round(ratio, 3),
        "load_average": os.getloadavg()[0],
    }
    show(found, json)
    return 1 if ratio > BOUND else 0


def _cpu_s(task: Task, kernel: Kernel, *, confined: bool) -> float:
    """Of the run's process, its lab kernel, and the fork server that starts it."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with machine(kernel, Path(folder) / "store", confined=confined) as carry_out:
            carry_out(task)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
