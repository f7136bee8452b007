"""A hundred streams with deadlines at 50 Mbit/s, an hour of them on one core.

The scenario is the deadline-aware paper's (docs/deadline-aware-2016.md): rates, lengths and starts
are drawn as there, films are cut at 120 min, the link is RED's. Recorded is a row per second and
flow. Printed are virtual seconds per second of wall and of CPU time, from the resolved experiment
to a finished run directory, and the peak memory of lab kernel and worker together (proportional
set size). WEIR_BENCH_MINUTES asks for less than the hour, WEIR_BENCH_RECORD for another record
("off": none).
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from weir.expand import Expansion
from weir.spec import load_campaign
from weir_bench.common import one_core, require_kernel, show
from weir_bench.used_memory import lab_kernel_bytes, pss_bytes
from weir_engine import provenance
from weir_engine.perform import write_run
from weir_engine.task import Environment, Task
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
SAMPLE_S = 0.5
WALL_LIMIT_S = 7200.0


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


def work(minutes: float, record: str) -> None:
    """One run, as a worker does it; says in JSON what it took and left."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = Path(folder) / "sessions.yaml"
        campaign.write_text(json.dumps(scenario(minutes, record)))
        run = next(Expansion(load_campaign(campaign)).runs())
        environment = Environment(
            store=Path(),
            kernel=require_kernel(),
            roles=provenance.roles(),
            wall_limit_s=WALL_LIMIT_S,
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
        measured = {name: of_run[name] for name in METRICS}
        written = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu_s = sum(one.ru_utime + one.ru_stime for one in spent)
    found = {"wall_s": wall_s, "cpu_s": cpu_s, **{f"{k}_s": v for k, v in parts_s.items()}}
    rounded = {name: round(value, 2) for name, value in found.items()}
    print(json.dumps(rounded | measured | {"checks": checks, "written_bytes": written}))


def measured(minutes: float, record: str) -> dict[str, Any]:
    """What `work` says, and the peak of its memory and its lab kernel's in MiB."""
    linux = str(require_kernel().path.resolve())
    command = [sys.executable, __file__, "--work", f"{minutes:g}", record]
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        while process.poll() is None:
            peak = max(peak, pss_bytes(process.pid) + lab_kernel_bytes(process.pid, linux))
            time.sleep(SAMPLE_S)
        assert process.stdout is not None
        said = process.stdout.read()
    if process.returncode:
        raise SystemExit(process.returncode)
    found: dict[str, Any] = json.loads(said)
    return found | {"peak_mib": round(peak / 2**20, 1)}


def main(json: bool = False) -> int:
    """Print one object; `speedup` is virtual seconds per second of wall time."""
    minutes = float(os.environ.get("WEIR_BENCH_MINUTES", "60"))
    record = os.environ.get("WEIR_BENCH_RECORD", "per-second")
    with one_core():
        found = measured(minutes, record)
    speeds = {
        "speedup": round(60 * minutes / found["wall_s"], 1),
        "per_cpu_s": round(60 * minutes / found["cpu_s"], 1),
    }
    show({**speeds, "virtual_s": 60 * minutes, "record": record, **found}, json)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(float(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(main("--json" in sys.argv))
