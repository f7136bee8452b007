"""Runs that boot a lab kernel for themselves beside runs forked off one that is there, in turns.

Ben Ameur scenario 1, Illinois and RWTM, on one core, by the film's length: median wall times, and
the median of the pairs' ratios. And what a zygote takes of memory.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from weir.expand import Run
from weir_bench.common import middle, one_core, reference_run, require_kernel, show
from weir_lab.cell import run_cell
from weir_lab.zygote import Zygote
from weir_testing.forks import lent_by_zygote, zygote_for

FILMS_S = (10, 60, 180)
PAIRS = 15
WALL_LIMIT_S = 600.0


def wall_s(run: Run, runs: Path, zygote: Zygote | None) -> float:
    """Of one run, from the experiment to its data; zygote: that forks it."""
    with tempfile.TemporaryDirectory(dir=runs) as folder:
        started = time.perf_counter()
        lent = lent_by_zygote(zygote, run.experiment, run.seed) if zygote is not None else None
        given = (run.experiment, run.seed, require_kernel(), Path(folder), WALL_LIMIT_S)
        run_cell(*given, lent=lent)
        return time.perf_counter() - started


def guest_mib(pid: int) -> float:
    """What a lab kernel's guest has of memory on the host: its file's blocks."""
    files = [fd for fd in Path(f"/proc/{pid}/fd").iterdir() if "weir-memory-" in str(fd.readlink())]
    return max(file.stat().st_blocks * 512 / 2**20 for file in files)


def pairs(http: str, film_s: int) -> dict[str, Any]:
    """Medians of both, and of their ratios."""
    run = reference_run(server__http=http, duration=f"{film_s}s")
    with tempfile.TemporaryDirectory() as name:
        runs = Path(name)
        with contextlib.closing(zygote_for(require_kernel(), run.experiment, runs)) as zygote:
            for warm_up in (zygote, None):
                wall_s(run, runs, warm_up)
            found = [(wall_s(run, runs, None), wall_s(run, runs, zygote)) for _ in range(PAIRS)]
            kept_mib = guest_mib(zygote.pid)
    cold, forked = zip(*found, strict=True)
    return {
        "cold_s": middle(list(cold)),
        "forked_s": middle(list(forked)),
        "ratio": middle([warm / own for own, warm in found]),
        "zygote_mib": round(kept_mib, 1),
    }


def main(json: bool = False) -> int:
    """Print one object."""
    with one_core():
        found = {
            f"{http}_{film_s}s": pairs(http, film_s)
            for http in ("apache", "nginx")
            for film_s in FILMS_S
        }
    show({**found, "pairs": PAIRS}, json)
    return 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
