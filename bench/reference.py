"""One reference run on one core: virtual seconds per wall second, and where the time goes.

The run is Ben Ameur scenario 1 (2 clients, 180 s, Illinois + RWTM, all records on). What is
timed is what `weir run` does for it in a warm worker: from the resolved experiment to a
finished run directory with metrics, forked off a lab kernel that is there. The two servers are
measured side by side.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from weir_bench.common import middle, one_core, reference_run, require_kernel, show
from weir_engine import provenance
from weir_engine.perform import write_run
from weir_engine.task import Environment, Task
from weir_lab.zygote import Zygote
from weir_testing.forks import lent_by_zygote, zygote_and_folder

REPEATS = 9


class Milestones(threading.Thread):
    """Notes when the guest's console first says something, by looking every millisecond."""

    def __init__(self, log: Path, words: tuple[str, ...]) -> None:
        super().__init__(daemon=True)
        self._log, self._words = log, words
        self.seen_s: dict[str, float] = {}
        self.done = False

    def run(self) -> None:
        while not self.done and len(self.seen_s) < len(self._words):
            said = self._log.read_text(errors="replace") if self._log.exists() else ""
            for word in self._words:
                if word in said:
                    self.seen_s.setdefault(word, time.perf_counter())
            time.sleep(0.001)


def _timed(task: Task, environment: Environment, folder: Path, zygote: Zygote) -> dict[str, float]:
    out = folder / "run"
    out.mkdir()
    watch = Milestones(folder / "cell" / "log.txt", ("FORKED", "EPOCH", "DONE"))
    watch.start()
    started = time.perf_counter()
    lent = lent_by_zygote(zygote, task.experiment, task.seed)
    state, reason, wall_s = write_run(task, environment, out, lent=lent)
    ended = time.perf_counter()
    watch.done = True
    if state != "succeeded":
        raise RuntimeError(f"the reference run ended {state}: {reason}")
    at = watch.seen_s
    return {
        "fork_s": at["FORKED"] - started,
        "setup_s": at["EPOCH"] - at["FORKED"],
        "run_s": at["DONE"] - at["EPOCH"],
        "collect_s": ended - at["DONE"] - wall_s["metrics"],
        "metrics_s": wall_s["metrics"],
        "wall_s": ended - started,
    }


def measure(http: str, repeats: int) -> dict[str, Any]:
    """Medians over `repeats` runs after a first one that warms the caches."""
    run = reference_run(server__http=http)
    kernel = require_kernel()
    environment = Environment(store=Path(), kernel=kernel, roles=provenance.roles())
    task = Task("0" * 32, run.campaign, run.levels, run.replicate, run.seed, run.experiment)
    parts: dict[str, list[float]] = {}
    with zygote_and_folder(kernel, run.experiment) as (zygote, runs):
        for repeat in range(repeats + 1):
            with tempfile.TemporaryDirectory(dir=runs) as folder:
                split = _timed(task, environment, Path(folder), zygote)
            if repeat:
                for name, value in split.items():
                    parts.setdefault(name, []).append(value)
    film_s = run.experiment["duration_s"]
    medians = {name: middle(values) for name, values in parts.items()}
    return {"speedup": round(film_s / medians["wall_s"], 1), "film_s": film_s, **medians}


def main(json: bool = False) -> int:
    """Print one object; `speedup` is for the paper's server, Apache."""
    with one_core():
        found = measure("apache", REPEATS)
        nginx = measure("nginx", REPEATS)
    show({**found, "repeats": REPEATS, "nginx_speedup": nginx["speedup"]}, json)
    return 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
