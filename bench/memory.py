"""Peak memory of a run, of 3, 10 and 30 minutes: the lab kernel with its processes, and the worker.

Counted as proportional set size (what each process really adds), sampled every 20 ms. The run is
the reference run; how much it recorded and wrote stands beside. Other lengths: `memory.py 2 8`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weir_bench.common import reference_run, require_kernel, show
from weir_bench.used_memory import lab_kernel_bytes, pss_bytes
from weir_lab.cell import run_cell

SAMPLE_S = 0.02
MINUTES = (3, 10, 30)
ALLOWED_MIB = 400


def work(minutes: str) -> None:
    """One run, as a worker does it; says in JSON how many bytes it recorded and wrote."""
    from weir import metrics, rundir

    asked = reference_run(duration=f"{minutes}min").experiment
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        result = run_cell(asked, 1, require_kernel(), Path(folder), 600)
        rundir.save(Path(out), result.data, metrics=metrics.compute(result.data))
        written = sum(path.stat().st_size for path in Path(out).rglob("*.parquet"))
        recorded = (Path(folder) / "record.bin").stat().st_size
    print(json.dumps({"recorded_bytes": recorded, "written_bytes": written}))


def measured(minutes: int) -> dict[str, Any]:
    """Peaks in MiB of a run of that length, of the kernel's side, the worker and both at once."""
    kernel = worker = both = 0
    linux = str(require_kernel().path.resolve())
    command = [sys.executable, __file__, "--work", str(minutes)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        while process.poll() is None:
            mine = pss_bytes(process.pid)
            theirs = lab_kernel_bytes(process.pid, linux)
            kernel, worker, both = max(kernel, theirs), max(worker, mine), max(both, mine + theirs)
            time.sleep(SAMPLE_S)
        assert process.stdout is not None
        said = process.stdout.read()
    if process.returncode:
        raise SystemExit(process.returncode)
    peaks = {"kernel_mib": kernel, "worker_mib": worker, "peak_mib": both}
    found: dict[str, Any] = json.loads(said)
    return {name: round(peak / 2**20, 1) for name, peak in peaks.items()} | found


def main(json: bool = False, lengths_min: Sequence[int] = MINUTES) -> int:
    """Print peaks in MiB by the film's length, and what is allowed."""
    found: dict[str, Any] = {"allowed_mib": ALLOWED_MIB}
    for minutes in lengths_min:
        found |= {f"{name}_{minutes}min": value for name, value in measured(minutes).items()}
    show(found, json)
    return 0


if __name__ == "__main__":
    if "--work" in sys.argv:
        work(sys.argv[-1])
    else:
        given = [int(word) for word in sys.argv[1:] if word.isdecimal()]
        sys.exit(main("--json" in sys.argv, given or MINUTES))
