"""The lab beside ns-3: two flows over the same 8 Mbit/s, 100 ms bottleneck for 180 s, one core.

ns-3 (Debian's libns3-dev; `make bench-deps`) runs two bulk TCP flows of its own models without
traces. The lab runs the reference run: real TCP, a real server, two players, all records on, forked
off a lab kernel that is there, as all runs of a campaign but the first.
The ratio is taken within one run of this bench, the two alternating.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

from weir.errors import WeirError
from weir_bench.common import middle, one_core, reference_run, require_kernel, show
from weir_testing.forks import run_by, zygote_and_folder

SOURCE = Path(__file__).with_name("ns3_two_flows.cc")
REPEATS = 5
MODULES = ("applications", "core", "internet", "network", "point-to-point", "stats")


def compiled(folder: Path) -> Path:
    """The ns-3 program, optimised. Raises WeirError when ns-3 is not installed."""
    if not (shutil.which("g++") and Path("/usr/include/ns3").is_dir()):
        raise WeirError("ns-3 is not here; install it with: make bench-deps")
    program = folder / "two_flows"
    flags = [f"-lns3-{name}" for name in MODULES]
    command = ["g++", "-O2", "-std=c++17", str(SOURCE), "-o", str(program), *flags]
    subprocess.run(command, check=True)
    return program


def main(json: bool = False) -> int:
    """Print both times and how many times faster the lab is."""
    run = reference_run()
    kernel = require_kernel()
    lab_s, ns3_s = [], []
    with (
        one_core(),
        zygote_and_folder(kernel, run.experiment) as (zygote, scratch),
    ):
        program = compiled(scratch)
        for repeat in range(REPEATS):
            started = time.perf_counter()
            run_by(zygote, kernel, run.experiment, run.seed, scratch / f"cell{repeat}")
            between = time.perf_counter()
            said = subprocess.run([program], capture_output=True, text=True, check=True)
            lab_s.append(between - started)
            ns3_s.append(time.perf_counter() - between)
    found = {
        "lab_s": middle(lab_s),
        "ns3_s": middle(ns3_s),
        "lab_times_faster": round(middle(ns3_s) / middle(lab_s), 2),
        "ns3_goodput_bps": round(float(said.stdout)),
    }
    show(found, json)
    return 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
