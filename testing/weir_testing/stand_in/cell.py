"""A stand-in for weir_lab.cell.run_cell: real run data without a kernel, and every way to go
wrong, chosen by the made-up sysctl `net.behave`. For tests of the store and the executor.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import zlib
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import numpy as np
from weir.errors import RunFailure
from weir.records import Check, Command
from weir.resolved import Experiment
from weir.rundir import PLAYER, TCP, RunData, as_columns
from weir_lab.collect import CellResult
from weir_lab.forked import Lent
from weir_lab.kernel import Kernel
from weir_lab.real.remote import Address


def run_cell(
    experiment: Experiment,
    seed: int,
    kernel: Kernel,
    folder: Path,
    wall_limit_s: float,
    progress: Callable[[float], None],
    agents: dict[str, Address] | None = None,
    lent: Lent | None = None,
) -> CellResult:
    """Two seconds of film per segment, levels drawn from the seed."""
    if experiment["clock"] == "real":
        for film_s in (0.0, 10.0):
            progress(film_s)
            time.sleep(0.1)
    (folder / "log.txt").write_text("stand-in console\n")
    behave = experiment["server"]["sysctls"].get("net.behave", "well")
    _misbehave(behave, folder)
    levels = experiment["server"]["congestion_control"] + experiment["gateway"]["shaping"]["method"]
    random = np.random.default_rng([seed, zlib.crc32(levels.encode())])
    clients = range(1, len(experiment["clients"]) + 1)
    players = [_player(experiment, random, number) for number in clients]
    check: Check = {
        "name": "idle_rtt_s",
        "asked": 0.1,
        "applied": "netem delay 100ms",
        "measured": 0.2 if behave == "off-conditions" else 0.1,
        "tolerance": 0.0001,
        "ok": behave != "off-conditions",
    }
    data = RunData(
        experiment=experiment,
        players=players,
        tcp=_tcp(experiment, random),
        retransmits=None,
        flows=[
            {
                "flow": number - 1,
                "client": number,
                "local_port": 80,
                "remote_port": 40000 + number,
                "remote_address": f"10.0.2.{10 + number}",
                "congestion_control": experiment["server"]["congestion_control"],
                "mss_bytes": 1448,
            }
            for number in clients
        ],
        checks=[check],
    )
    commands: list[Command] = [{"host": "gateway", "program": "tc", "line": "tc qdisc show"}]
    if "tells-imports" in behave:
        sys.meta_path.insert(0, _TellingFinder())
        import colorsys  # noqa: F401, PLC0415 - that it tells, by what nothing else needs
    return CellResult(data, commands, "stand-in console\n", {"boot": 0.01})


def _misbehave(behave: str, scratch: Path) -> None:
    """behave: one thing after the other, separated by commas."""
    for word, *given in (step.split() for step in behave.split(",")):
        _misbehave_once(word, given, scratch)


def _misbehave_once(word: str, given: list[str], scratch: Path) -> None:
    if word == "fails":
        raise RunFailure("client 1: MyAbr.choose raised ValueError: no such level")
    if word == "raises":
        raise KeyError("surprise")
    if word == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    if word == "hangs":
        time.sleep(3600)
    if word == "slow":
        time.sleep(0.4)
    if word == "waits":
        _wait_for(given[0])
    if word == "fills":
        size, *flags = given
        try:
            (scratch / "large").write_bytes(b"x" * int(size))
        finally:
            for name in flags:
                _wait_for(name)
    if word == "fails-unless-flag" and not (scratch.parents[4] / "flag").exists():  # by the store
        raise RunFailure("the flag is not there yet")


class _TellingFinder(MetaPathFinder):
    """Tells what is imported from now on, and leaves it to the others to find."""

    def find_spec(self, fullname: str, *_: Any) -> None:
        print(f"imports {fullname}", file=sys.stderr, flush=True)


def _wait_for(flag: str) -> None:
    while not Path(flag).exists():
        time.sleep(0.02)


def _player(experiment: Experiment, random: np.random.Generator, client: int) -> Any:
    bitrates = np.array(experiment["content"]["bitrates_bps"])
    segment_s = experiment["content"]["segment_s"]
    n = int(experiment["duration_s"] / segment_s)
    top = len(bitrates) - client
    unrest = 0.9 if experiment["gateway"]["shaping"]["method"] == "none" else 0.4
    level = np.clip(top - (random.random(n) < np.linspace(unrest, 0.0, n)), 0, None)
    level[n // 2 :] = top
    bitrate = bitrates[level]
    size = bitrate * segment_s / 8
    request = experiment["clients"][client - 1]["start_s"] + np.arange(n) * segment_s
    last = request + size * 8 / 6e6
    buffer = np.minimum(np.arange(n) * 0.8, 20.0)
    return as_columns(
        PLAYER,
        {
            "segment": np.arange(n),
            "level": level,
            "bitrate_bps": bitrate,
            "size_bytes": size,
            "request_s": request,
            "first_byte_s": request + 0.1,
            "last_byte_s": last,
            "buffer_before_s": buffer,
            "buffer_after_s": buffer + 2,
            "stall_s": np.zeros(n),
            "raw_bps": size * 8 / (last - request),
            "estimate_bps": size * 8 / (last - request),
            "connection": np.full(n, 40000 + client),
            "status": np.full(n, 206),
        },
    )


def _tcp(experiment: Experiment, random: np.random.Generator) -> Any:
    """A sawtooth per client."""
    clients = len(experiment["clients"])
    n = int(experiment["duration_s"] * 300)
    t_ns = np.sort(random.integers(0, int(experiment["duration_s"] * 1e9), n))
    period = int(6e9)
    cwnd = 20 + (t_ns % period) * 40 // period + random.integers(0, 3, n)
    ssthresh = np.where(t_ns < period, 0x7FFFFFFF, 30 + (t_ns // period) % 3)
    return as_columns(
        TCP,
        {
            "t_ns": t_ns,
            "flow": random.integers(0, clients, n),
            "cwnd": cwnd,
            "ssthresh": ssthresh,
            "srtt_us": np.full(n, 110_000),
            "rto_us": np.full(n, 310_000),
            "rwnd": np.full(n, 65535),
            "in_flight": cwnd,
        },
    )
