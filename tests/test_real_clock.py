"""The same experiments on the real clock, in one lab kernel and in one for each host: agents, links
between kernels, and what may go wrong.

The machine may be busy: its bounds are wide where a test is not about them.
"""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.errors import RunFailure
from weir.rundir import RunData
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_lab.real.remote import Address
from weir_testing import command
from weir_testing.between import Meddle, between
from weir_testing.cells import WIDE, broken, bulk, checks_of, client, experiment, kernel, own_abr
from weir_testing.losing import losing, lost_packets
from weir_testing.processes import children, command_line
from weir_testing.real_cells import ONE_KERNEL, apart, run_in

pytestmark = pytest.mark.kernel

RTT_S = 0.1
INITIAL_WINDOW_PACKETS = 10  # RFC 6928
TAIL_LOSS_PROBES = 1  # RFC 8985, section 7.3: new data without an ACK, where those are late
# Of when two kernels say that things happened: they learn of the hour by what takes time to come.
APART_NS = 0.1 * RTT_S * 1e9


def real(*clients: dict[str, Any], **changes: Any) -> Any:
    """A real-clock experiment of 5 s with wide bounds."""
    asked = {"clock": "real", "duration_s": 5.0, "checks": WIDE, **changes}
    return experiment(asked, *clients)


@pytest.fixture(scope="module")
def ran(kernels: str, tmp_path_factory: pytest.TempPathFactory) -> CellResult:
    """Two clients, one of which starts late, with RWTM."""
    asked = real(bulk(), client(start_s=1.0), **{"gateway.shaping.method": "rwtm"})
    return run_in(kernels, asked, tmp_path_factory.mktemp("cell"))


def test_players_wait_for_the_common_start_and_see_the_path(ran: CellResult) -> None:
    first, second = ran.data.players
    assert first["request_s"][0] >= 0
    assert second["request_s"][0] >= 1.0
    for rows in (first, second):
        # Connecting takes one round trip, the first answer another.
        assert rows["first_byte_s"][0] - rows["request_s"][0] >= 2 * RTT_S


def test_records_are_of_one_clock(ran: CellResult) -> None:
    assert {flow["client"] for flow in ran.data.flows} == {1, 2}
    require_one_clock(ran.data)
    assert {"session-opens"} <= {event["event"] for event in ran.data.events}


def test_they_are_where_an_agent_was_held_up(tmp_path: Path) -> None:
    with meddled("gateway", tmp_path, held_up_when_booting) as agents:
        result = run_cell(real(), 1, kernel(), tmp_path, 120.0, agents=agents)
    require_one_clock(result.data)


def held_up_when_booting(path: str, body: dict[str, Any]) -> None:
    """The gateway's agent hears nothing while its kernel first says what its clock shows."""
    if path != "/run/boot":
        return
    (agent,) = (pid for pid in children(os.getpid()) if "--role\0gateway\0" in command_line(pid))
    for after_s, number in ((0.2, signal.SIGSTOP), (1.7, signal.SIGCONT)):
        threading.Timer(after_s, os.kill, (agent, number)).start()


def require_one_clock(data: RunData) -> None:
    assert data.tcp is not None and data.queue is not None
    for flow in data.flows:
        acked = data.tcp["t_ns"][data.tcp["flow"] == flow["flow"]]
        is_data = (data.queue["flow"] == flow["flow"]) & (data.queue["payload"] > 0)
        left = data.queue["departure_ns"][is_data][0]
        first_acked = acked[acked > left][0]
        # Data that leaves the gateway's kernel is acknowledged to the server's one path later,
        assert first_acked - left >= RTT_S * 1e9 - APART_NS
        # and what neither its initial window nor a probe holds reaches the gateway only after that.
        _, firsts = np.unique(data.queue["seq"][is_data], return_index=True)
        arrivals_ns = data.queue["arrival_ns"][is_data][np.sort(firsts)]
        assert first_acked <= arrivals_ns[INITIAL_WINDOW_PACKETS + TAIL_LOSS_PROBES] + APART_NS


def test_every_check_is_there_and_holds_within_wide_bounds(kernels: str, ran: CellResult) -> None:
    assert not broken(ran)
    measured = checks_of(ran)
    for name in ("idle_rtt_s", "idle_rtt_after_s", "timer_lateness_s", "cpu_starvation"):
        assert measured[name]["measured"] is not None
    assert measured["idle_rtt_s"]["measured"] >= RTT_S
    in_one = kernels == ONE_KERNEL
    assert len(measured["timer_lateness_s"]["applied"]) == (1 if in_one else 4)
    # What one kernel passes on to itself needs no count.
    assert ("link_lost_packets" in measured) == (not in_one)


def test_bounds_that_no_machine_keeps_are_broken(tmp_path: Path) -> None:
    strict = {**WIDE, "timer_lateness_s": 1e-9}
    result = run_cell(real(checks=strict), 1, kernel(), tmp_path, 120.0)
    assert [check["name"] for check in broken(result)] == ["timer_lateness_s"]
    assert np.isfinite(broken(result)[0]["measured"])


@contextmanager
def meddled(host: str, folder: Path, meddle: Meddle) -> Iterator[dict[str, Address]]:
    """Agents for one client, with `meddle` between the run and the one of `host`."""
    with apart(folder) as agents, between(agents[host], meddle) as address:
        yield {**agents, host: address}


def test_packets_that_a_link_loses_are_counted_and_the_run_is_invalid(tmp_path: Path) -> None:
    # Of the probes' and the first segments' packets, which a busy machine sends, too.
    lost = {30, 50, 51, 52, 90}
    # A segment is 41 packets, for which a socket has room while it is not read.
    small = client("fixed", options={"level": 0})
    with apart(tmp_path) as cell, losing(cell, "server", "gateway", lost) as lossy:
        result = run_cell(real(small), 1, kernel(), tmp_path, 120.0, agents=lossy)
    check = lost_packets(result)
    assert check["measured"] == len(lost)
    first, *rest = check["applied"]
    assert re.fullmatch(r"server to gateway: 5 of \d{2,4}", first)
    assert all(": 0 of " in link for link in rest)


def told_late(*seconds: float) -> Meddle:
    """In each attempt the common start reaches the agent so much later."""
    left = list(seconds)

    def hold_back(path: str, body: dict[str, Any]) -> None:
        if path == "/run/order" and body["do"] == "start" and left:
            time.sleep(left.pop(0))

    return hold_back


def test_a_run_whose_start_is_missed_is_set_up_once_more(tmp_path: Path) -> None:
    with meddled("gateway", tmp_path, told_late(1.0)) as agents:
        result = run_cell(real(), 1, kernel(), tmp_path, 120.0, agents=agents)
    assert not broken(result)
    assert re.match(r"\w+ was ready .* the common start.*: set up once more\n", result.log)
    assert result.data.players[0]["request_s"][0] >= 0


def test_a_start_that_is_missed_every_time_fails_the_run(tmp_path: Path) -> None:
    with (
        meddled("gateway", tmp_path, told_late(1.0, 3.0, 7.0)) as agents,
        pytest.raises(RunFailure, match="after the common start; this machine is too busy"),
    ):
        run_cell(real(), 1, kernel(), tmp_path, 120.0, agents=agents)
    assert not left_behind(tmp_path)


def test_two_cells_at_once_do_not_see_each_others_traffic(tmp_path: Path) -> None:
    def run(name: str, start_s: float) -> CellResult:
        folder = tmp_path / name
        folder.mkdir()
        return run_cell(real(bulk(start_s=start_s)), 1, kernel(), folder, 120.0)

    with ThreadPoolExecutor() as both:
        busy, idle = both.map(run, ("busy", "idle"), (0.0, 4.99))
    assert busy.data.queue is not None and idle.data.queue is not None
    assert len(busy.data.queue["size"]) > 500
    assert len(idle.data.queue["size"]) < 5


@pytest.mark.parametrize("role", ["cell", "gateway", "client"])
def test_an_agent_that_dies_ends_the_run_with_the_reason(role: str, tmp_path: Path) -> None:
    def kill(film_s: float) -> None:
        if film_s > 1:
            for pid in children(os.getpid()):
                if f"--role\0{role}\0" in command_line(pid):
                    os.kill(pid, signal.SIGKILL)

    with (
        nullcontext() if role == "cell" else apart(tmp_path) as agents,
        pytest.raises(RunFailure, match=f"the {role}1?'s agent .* does not answer"),
    ):
        run_cell(real(), 1, kernel(), tmp_path, 120.0, kill, agents)
    assert not left_behind(tmp_path)


def test_the_wall_clock_limit_ends_everything(tmp_path: Path) -> None:
    with pytest.raises(RunFailure, match="wall-clock limit"):
        run_cell(real(duration_s=60.0), 1, kernel(), tmp_path, 4.0)
    assert not left_behind(tmp_path)


def test_an_abr_that_fails_is_named(tmp_path: Path) -> None:
    bad = own_abr("class Own:\n    def choose(self, state):\n        return 99\n")
    with pytest.raises(RunFailure, match=re.escape("client 1")):
        run_cell(real(bad), 1, kernel(), tmp_path, 120.0)


def test_weir_run_has_an_agent_of_its_own(tmp_path: Path) -> None:
    """It is confined as its run is, and has the lab kernel that it has."""
    wide = {"rtt_tolerance": "10s", "rate_tolerance": "90%", "timer_lateness": "5s"}
    file = command.campaign(tmp_path, clock="real", checks={**wide, "cpu_starvation": "100%"})
    done = command.weir("run", file, "--replicates", "1", "--store", tmp_path / "store")
    assert done.returncode == 0, done.stdout + done.stderr
    assert command.counts(file, tmp_path / "store") == {"succeeded": 1}
    assert re.search(r"timers here: 99 of 100 fire within \S+ ms, of 5000 ms", done.stderr)


def left_behind(folder: Path) -> list[int]:
    """Processes that know of the folder: agents and kernels of its run."""
    pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    return [pid for pid in pids if str(folder) in command_line(pid)]
