"""What the benchmarks share: the campaign's runs, one core, a kernel, printing."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from weir.errors import WeirError
from weir.expand import Expansion, Run
from weir.spec.load import load_campaign, parse_campaign
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_lab.kernel import Kernel, find
from weir_testing.checkout import ROOT

SCENARIO_1 = ROOT / "campaigns" / "ben-ameur-2016" / "scenario-1.yaml"
LIVI = ROOT / "campaigns" / "livi-2017"
_WALL_LIMIT_S = 900.0


def reference_run(**overrides: Any) -> Run:
    """Ben Ameur scenario 1 with Illinois and RWTM: replicate 0, all records on."""
    asked: Mapping[str, Any] = {
        "server.congestion_control": "illinois",
        "gateway.shaping.method": "rwtm",
        **{key.replace("__", "."): value for key, value in overrides.items()},
    }
    return next(Expansion(load_campaign(SCENARIO_1, asked, replicates=1)).runs())


def require_kernel() -> Kernel:
    """The built lab kernel. Raises WeirError."""
    kernel = find()
    if kernel is None:
        raise WeirError("no lab kernel is built yet: weir kernel build")
    return kernel


def played(campaign: dict[str, Any]) -> CellResult:
    """The first run of this document, in a cell of its own. Raises WeirError."""
    run = next(Expansion(parse_campaign(campaign, Path())).runs())
    with tempfile.TemporaryDirectory() as folder:
        return run_cell(run.experiment, run.seed, require_kernel(), Path(folder), _WALL_LIMIT_S)


def parts_asked(parts: Collection[str]) -> list[str]:
    """Those of a bench that WEIR_BENCH_PARTS names; all without it. Exits for others."""
    asked = os.environ.get("WEIR_BENCH_PARTS", " ".join(parts)).split()
    if unknown := set(asked) - set(parts):
        sys.exit(f"WEIR_BENCH_PARTS: {' '.join(unknown)} — allowed: {', '.join(parts)}")
    return asked


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and its children on the first core it may use."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def whole_campaign(campaign: Path, as_json: bool) -> int:
    """Run every run of it on all cores; print film time, wall time and what became of the runs."""
    weir = Path(sys.executable).with_name("weir")
    with tempfile.TemporaryDirectory() as store:
        started = time.perf_counter()
        command = [str(weir), "run", str(campaign), "--store", store, "--json"]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        wall_s = time.perf_counter() - started
        size = sum(path.stat().st_size for path in Path(store).rglob("*") if path.is_file())
    said = json.loads(run.stdout)
    show({"wall_s": round(wall_s, 1), "store_mib": round(size / 2**20), **said}, as_json)
    return run.returncode


def middle(values: list[float]) -> float:
    """The median, rounded to 4 digits after the point."""
    return round(statistics.median(values), 4)


def show(found: Mapping[str, Any], as_json: bool) -> None:
    """Print a result: one JSON object, or a line per value."""
    if as_json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:<28} {value}")


def cpu_s(pid: int, *, with_ended_children: bool = False) -> float:
    """User and system time of a process so far (proc(5), stat)."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    fields = stat[11:15] if with_ended_children else stat[11:13]
    return sum(map(int, fields)) / os.sysconf("SC_CLK_TCK")


def server_cpu_s(pid: int) -> float:
    """Of a process and, for servers that serve by children, of these."""
    if "postgres" not in Path(f"/proc/{pid}/comm").read_text():
        return cpu_s(pid)
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return cpu_s(pid, with_ended_children=True) + sum(cpu_s(child) for child in children)
