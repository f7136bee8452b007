"""Peak memory of one reference run: the lab kernel and all its processes, and the worker.

Counted as proportional set size (what each process really adds), sampled every 20 ms.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import cast

from weir.resolved import Experiment
from weir_lab.cell import run_cell

sys.path.insert(0, str(Path(__file__).parent))
from _common import reference_run, require_kernel, show

SAMPLE_S = 0.02


def work() -> None:
    """One run, as a worker does it."""
    from weir import metrics, rundir

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        result = run_cell(
            cast(Experiment, reference_run().experiment), 1, require_kernel(), Path(folder), 600
        )
        rundir.save(Path(out), result.data, metrics=metrics.compute(result.data))


def tree(pid: int) -> list[int]:
    """A process and everything it started."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            found += tree(int(child))
    return found


def pss_bytes(pid: int) -> int:
    """Proportional set size; 0 for a process that is gone."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    line = next(line for line in text.splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) * 1024


def main(json: bool = False) -> int:
    """Print the peak in MiB."""
    with subprocess.Popen([sys.executable, __file__, "--work"]) as worker:
        peak = 0
        while worker.poll() is None:
            peak = max(peak, sum(pss_bytes(pid) for pid in tree(worker.pid)))
            time.sleep(SAMPLE_S)
    show({"peak_mib": round(peak / 2**20, 1), "allowed_mib": 400}, json)
    return worker.returncode


if __name__ == "__main__":
    if "--work" in sys.argv:
        work()
    else:
        sys.exit(main("--json" in sys.argv))
