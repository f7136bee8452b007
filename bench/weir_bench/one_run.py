"""One run in a process of its own, as a worker does it: what it takes, and what it leaves.

python one_run.py, with the campaign on standard input; what is found is on standard output.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from weir.expand import Expansion
from weir.spec.load import load_campaign
from weir_bench.common import require_kernel
from weir_bench.used_memory import lab_kernel_bytes, pss_bytes
from weir_engine import provenance
from weir_engine.perform import write_run
from weir_engine.task import Environment, Task

__all__ = ["measured"]

_SAMPLE_S: Final = 0.5
_WALL_LIMIT_S: Final = 7200.0
_MIB: Final = 2**20


def measured(campaign: Mapping[str, Any]) -> dict[str, Any]:
    """Of the campaign's first run: wall_s from the resolved experiment to a finished run directory,
    cpu_s, the time of its parts, `checks` by name, `run`, its metrics, files and written_bytes.

    kernel_mib, worker_mib, peak_mib: proportional set size at most, of the lab kernel with what
    runs in it, of the worker, and of both together. Raises SystemExit where the run fails.
    """
    linux = str(require_kernel().path.resolve())
    command = [sys.executable, __file__]
    kernel = worker = both = 0
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(campaign).encode())
        process.stdin.close()
        while process.poll() is None:
            mine, theirs = pss_bytes(process.pid), lab_kernel_bytes(process.pid, linux)
            kernel, worker, both = max(kernel, theirs), max(worker, mine), max(both, mine + theirs)
            time.sleep(_SAMPLE_S)
        said = process.stdout.read()
    if process.returncode:
        raise SystemExit(process.returncode)
    found: dict[str, Any] = json.loads(said)
    peaks = {"kernel_mib": kernel, "worker_mib": worker, "peak_mib": both}
    return found | {name: round(peak / _MIB, 1) for name, peak in peaks.items()}


def _carry_out(campaign: Mapping[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "campaign.yaml"
        document.write_text(json.dumps(campaign))
        run = next(Expansion(load_campaign(document)).runs())
        environment = Environment(
            Path(), require_kernel(), provenance.roles(), wall_limit_s=_WALL_LIMIT_S
        )
        task = Task("0" * 32, run.campaign, run.levels, run.replicate, run.seed, run.experiment)
        out = Path(folder) / "run"
        out.mkdir()
        started = time.perf_counter()
        state, reason, parts_s = write_run(task, environment, out)
        wall_s = time.perf_counter() - started
        if state != "succeeded":
            raise SystemExit(f"the run ended {state}: {reason}")
        checks = [one["name"] for one in json.loads((out / "checks.json").read_bytes())]
        of_run = json.loads((out / "metrics.json").read_bytes())["run"]
        sizes = [path.stat().st_size for path in out.rglob("*") if path.is_file()]
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu_s = sum(one.ru_utime + one.ru_stime for one in spent)
    times_s = {"wall_s": wall_s, "cpu_s": cpu_s, **{f"{k}_s": v for k, v in parts_s.items()}}
    rounded = {name: round(value, 2) for name, value in times_s.items()}
    left = {"files": len(sizes), "written_bytes": sum(sizes)}
    return rounded | left | {"checks": checks, "run": of_run}


if __name__ == "__main__":
    print(json.dumps(_carry_out(json.load(sys.stdin))))
