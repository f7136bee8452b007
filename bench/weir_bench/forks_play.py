"""Runs of one client, one after the other, as a slot of `weir run` carries them out. For
bench/forks.py.

A program of its own, since it also runs with the code of another checkout. A run for each line on
standard input; back comes a line of JSON: wall time, and CPU time of all processes below this one.

python forks_play.py CAMPAIGN FILM_S
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from weir.expand import Expansion
from weir.spec.load import load_campaign
from weir_engine import provenance
from weir_engine.executor.spawn import ForkServer
from weir_engine.states import move
from weir_engine.task import Environment, Task
from weir_lab.kernel import find

WALL_LIMIT_S = 600.0
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def one_client(campaign: str, film_s: float) -> Task:
    """The campaign's first run with Illinois and RWTM, of its first client alone."""
    asked = {"server.congestion_control": "illinois", "gateway.shaping.method": "rwtm"}
    run = next(Expansion(load_campaign(Path(campaign), asked, replicates=1)).runs())
    run.experiment["clients"] = run.experiment["clients"][:1]
    run.experiment["duration_s"] = film_s
    history = move(move([], "pending"), "queued")
    return Task("", run.campaign, {}, 0, run.seed, run.experiment, history=history)


def carry_out(server: ForkServer, task: Task) -> None:
    """Wait for its end."""
    server.carry_out(task)
    while "state" not in (said := server.hear()):
        pass
    if said["state"] != "succeeded":
        raise SystemExit(f"a run ended {said['state']}: {said['reason']}")


def spent_s() -> float:
    """CPU time of all descendants, with those that have ended and were waited for."""
    parents, ticks = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        pid = int(stat.parent.name)
        parents[pid] = int(fields[1])
        ticks[pid] = sum(map(int, fields[11:15]))
    own = os.getpid()

    def is_below(pid: int) -> bool:
        while pid in parents and pid != own:
            pid = parents[pid]
        return pid == own

    return sum(ticks[pid] for pid in ticks if pid != own and is_below(pid)) / TICKS_PER_S


def main() -> None:
    """Until standard input ends."""
    asked = one_client(sys.argv[1], float(sys.argv[2]))
    with tempfile.TemporaryDirectory() as store:
        server = ForkServer(Environment(Path(store), find(), provenance.roles(), WALL_LIMIT_S))
        for number, _ in zip(itertools.count(1), sys.stdin, strict=False):
            task = replace(asked, key=f"{number:032x}")
            began_s, cpu_s = time.perf_counter(), spent_s()
            carry_out(server, task)
            took = {"wall_s": time.perf_counter() - began_s, "cpu_s": spent_s() - cpu_s}
            print(json.dumps(took), flush=True)
        server.shut()


if __name__ == "__main__":
    main()
