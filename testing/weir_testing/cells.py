"""Building resolved experiments and running them in a lab kernel, for tests."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from weir.records import Check
from weir.resolved import Experiment
from weir.rundir import Columns
from weir.runkey import canonical_json
from weir_engine.executor.zygotes import Chosen
from weir_lab import boot, left, plan, virtual
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_lab.forked import Lent
from weir_lab.guest.plan import dumped
from weir_lab.kernel import Kernel, find
from weir_lab.real.remote import Address
from weir_lab.zygotes import Zygotes

from weir_testing import forks
from weir_testing.patience import PATIENCE_S

LADDER_BPS = [248e3, 456e3, 928e3, 1632e3, 4256e3]
WALL_LIMIT_S = PATIENCE_S
SPINS_CPU_S = 2.0
"""Of a guest that is to be found spinning, to spare time."""
ABR = """
class Abr:
    def __init__(self, ladder, options):
        pass
    def choose(self, state):
        {body}
"""
"""An ABR of the user's, whose choice is `body`."""
SENT, DROPPED = 0, 1

BASE: dict[str, Any] = {
    "duration_s": 20.0,
    "clock": "virtual",
    "content": {
        "bitrates_bps": LADDER_BPS,
        "segment_s": 2.0,
        "segments": None,
        "sizes_bytes": None,
    },
    "server": {
        "http": "nginx",
        "http_version": "1.1",
        "congestion_control": "cubic",
        "sysctls": {},
    },
    "gateway": {
        "downlink": {
            "rate_steps": [[0.0, 8e6]],
            "rate_loop_s": None,
            "queue": {"discipline": "drop-tail", "limit_packets": 67, "options": {}},
        },
        "uplink": {"rate_steps": [], "rate_loop_s": None, "queue": None},
        "path": {
            "rtt": {
                "mean_s": 0.1,
                "stddev_s": 0.0,
                "distribution": "normal",
                "keep_order": True,
                "on": "uplink",
            },
            "loss": {"downlink": 0.0, "uplink": 0.0},
        },
        "shaping": {"method": "none", "headroom": 0.1},
    },
    "clients": [],
    "events": [],
    "record": {"tcp": "full", "queue": "full"},
    "checks": {"rtt_tolerance_s": 1e-4, "rate_tolerance": 0.005},
}

WIDE: dict[str, float] = {
    "rtt_tolerance_s": 10.0,
    "rate_tolerance": 0.9,
    "timer_lateness_s": 5.0,
    "cpu_starvation": 50.0,
}
"""Checks of a run on the real clock that is not about fidelity: the machine may be busy."""


def kernel() -> Kernel:
    """The lab kernel of this checkout; fails the test where none is built."""
    found = find()
    if found is None:
        pytest.fail("no lab kernel is built for this checkout: run `weir kernel build`")
    return found


def client(player: str = "aggressive-rate", **fields: Any) -> dict[str, Any]:
    """A resolved client; `fields` replace what stands here."""
    base = {"options": {}, "buffer_s": 30.0, "in_flight": 1, "start_s": 0.0, "stop_s": None,
            "source": None}  # fmt: skip
    return {"player": player, **base, **fields}


def bulk(**fields: Any) -> dict[str, Any]:
    """A client that keeps the link busy: the top level, and a buffer that never fills."""
    return client("fixed", options={"level": 4}, buffer_s=600.0, **fields)


def own_abr(text: str, **fields: Any) -> dict[str, Any]:
    """A client whose ABR is the class in `text`."""
    source = {"name": "own.py", "class": None, "sha256": "0" * 64, "text": text}
    return client("own.py", source=source, **fields)


def experiment(changes: dict[str, Any], *clients: dict[str, Any]) -> Experiment:
    """BASE with the clients (one bulk client if none), and `changes` by dotted path."""
    made = copy.deepcopy(BASE) | {"clients": list(clients) or [bulk()]}
    for path, value in changes.items():
        *folders, name = path.split(".")
        inner = made
        for folder in folders:
            inner = inner[folder]
        assert name in inner, path
        inner[name] = value
    return cast(Experiment, made)


def run_impatiently(
    experiment: Experiment,
    seed: int,
    kernel: Kernel,
    folder: Path,
    wall_limit_s: float,
    progress: Callable[[float], None],
    agents: dict[str, Address] | None,
    lent: Lent | None,
) -> CellResult:
    """As run_cell; a guest that spins is found out after seconds."""
    given = (experiment, seed, kernel, folder, wall_limit_s, progress, agents, lent)
    return run_cell(*given, SPINS_CPU_S)


class Runner:
    """Runs experiments in fresh folders below `root`; with `keep`, equal ones only once.

    zygotes: those of the virtual clock are forked off one of them. None: each boots its own.
    """

    def __init__(
        self,
        lab_kernel: Kernel,
        root: Path,
        keep: bool = False,
        zygotes: Zygotes | None = None,
    ) -> None:
        self._kernel = lab_kernel
        self._root = root
        self._zygotes = zygotes
        self._kept: dict[str, CellResult] | None = {} if keep else None
        self._numbers = count()

    def __call__(
        self, asked: Experiment, seed: int = 1, wall_limit_s: float = WALL_LIMIT_S
    ) -> CellResult:
        """One run. Raises RunFailure."""
        name = canonical_json([asked, seed])
        if self._kept is not None and name in self._kept:
            return self._kept[name]
        if self._zygotes is None or asked["clock"] == "real":
            result = run_cell(asked, seed, self._kernel, self.folder(), wall_limit_s)
        else:
            planned = plan.make(asked, seed)
            warm = self._zygotes.of(virtual.shape(asked, planned, self._kernel))
            work = self._root / f"{next(self._numbers)}"
            with forks.lent_to_this(Chosen(warm, planned), work) as (folder, lent):
                result = run_cell(asked, seed, self._kernel, folder, wall_limit_s, lent=lent)
        if self._kept is not None:
            self._kept[name] = result
        return result

    def idle_rtts_s(self, asked: Experiment, probes: int, seed: int = 1) -> NDArray[Any]:
        """Round trips of `probes` echo requests on the idle path, before the experiment."""
        cell = plan.make(asked, seed)
        rtt = asked["gateway"]["path"]["rtt"]
        epoch_s = float(round(10 + probes * (rtt["mean_s"] + 6 * rtt["stddev_s"] + 0.02)))
        cell["probes"][0]["count"], cell["epoch_s"] = probes, epoch_s
        cell["probes"][0]["until_s"] = epoch_s
        for role in cell["roles"]:
            args: Any = role["args"]
            for told in (args, args.get("context", {})):
                if "epoch_s" in told:
                    told["epoch_s"] = epoch_s
        folder = self.folder()
        (folder / "plan.marshal").write_bytes(dumped(cell))
        how = boot.Boot(seed, 1, False, False, before=plan.before(asked, cell))
        boot.run(self._kernel, how, folder, WALL_LIMIT_S)
        measured = left.json_value(folder, "measured.json")
        return np.array(measured["idle_rtts_s"][0])

    def folder(self) -> Path:
        """A new empty folder."""
        folder = self._root / f"{next(self._numbers)}"
        folder.mkdir()
        return folder


def checks_of(result: CellResult) -> dict[str, Check]:
    """The checks by name."""
    return {check["name"]: check for check in result.data.checks}


def broken(result: CellResult) -> list[Check]:
    """The checks that failed."""
    return [check for check in result.data.checks if not check["ok"]]


def rows(columns: Columns | None, mask: NDArray[Any] | None = None) -> Columns:
    """The record, which must be there; only the rows of `mask`."""
    assert columns is not None
    return columns if mask is None else {name: values[mask] for name, values in columns.items()}


def sent_bps(queue: Columns, from_s: float, to_s: float) -> float:
    """Bits per second of the frames that left the queue between two times."""
    leaving = queue["departure_ns"]
    chosen = (queue["fate"] == SENT) & (leaving >= from_s * 1e9) & (leaving < to_s * 1e9)
    return float(queue["size"][chosen].sum()) * 8 / (to_s - from_s)
