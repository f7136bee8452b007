"""What a run is expected to take of a machine: time, memory, and what it leaves.

Fitted to docs/benchmarks.md; `turns` corrects the time by the runs that have ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from weir.programs import is_program, needs_chromium
from weir.resolved import CHROMIUM, Experiment
from weir.spec.record_size import most_bytes

__all__ = ["Cost", "expected", "memory_bytes", "usual"]

_BOOT_S: Final = 0.21
_WALL_S_PER_CLIENT_S: Final = 0.002
"""Of a cell by clients: 0.27 s of wall time for one, 4.13 s for 32, of 60 s of film."""
_WALL_S_PER_NODE_S: Final = 0.02
_WALL_S_PER_CHROMIUM_S: Final = 0.28
"""Of 60 s of film, a player in Node.js takes 1.7 s of wall time and Chromium 17 s."""
_BYTES_PER_CLIENT_S: Final = 2_400.0
"""Ben Ameur scenario 1: 598 MiB for 720 runs of 180 s with two clients."""
_MIB: Final = 2**20
_MEMORY_BYTES: Final = 100 * _MIB
_MEMORY_BYTES_PER_CLIENT: Final = 2 * _MIB
"""Cells of 8 to 500 clients have 107 to 598 MiB at most (docs/scale.md), records included."""
_MEMORY_BYTES_PER_NODE: Final = 80 * _MIB
_MEMORY_BYTES_PER_CHROMIUM: Final = 400 * _MIB
_HELD_TIMES: Final = 2.0
"""How often a run's process holds the record at most, while it makes tables of it."""


@dataclass(frozen=True)
class Cost:
    """Of one run on an idle core."""

    wall_s: float
    stored_bytes: float


def usual(film_s: float, clients: int) -> Cost:
    """Of a run with so many emulated players, on the virtual clock."""
    client_s = film_s * max(1, clients)
    return Cost(_BOOT_S + _WALL_S_PER_CLIENT_S * client_s, _BYTES_PER_CLIENT_S * client_s)


def expected(experiment: Experiment) -> Cost:
    """Of a run of this experiment."""
    film_s = experiment["duration_s"]
    cost = usual(film_s, len(experiment["clients"]))
    if experiment["clock"] == "real":
        return Cost(film_s + _BOOT_S, cost.stored_bytes)
    nodes, browsers = _programs(experiment)
    slower_s = film_s * (_WALL_S_PER_NODE_S * nodes + _WALL_S_PER_CHROMIUM_S * browsers)
    return Cost(cost.wall_s + slower_s, cost.stored_bytes)


def memory_bytes(experiment: Experiment) -> float:
    """What a run of this experiment holds at most: its lab kernel, and the process that reads what
    it left."""
    nodes, browsers = _programs(experiment)
    return (
        _MEMORY_BYTES
        + _MEMORY_BYTES_PER_CLIENT * len(experiment["clients"])
        + _MEMORY_BYTES_PER_NODE * nodes
        + _MEMORY_BYTES_PER_CHROMIUM * browsers
        + _HELD_TIMES * most_bytes(experiment)
    )


def _programs(experiment: Experiment) -> tuple[int, int]:
    """How many clients play in Node.js, and how many are the machine's own Chromium."""
    programs = [client["player"] for client in experiment["clients"] if is_program(client)]
    browsers = programs.count(CHROMIUM)
    return len(programs) - browsers, browsers if needs_chromium(experiment) else 0
