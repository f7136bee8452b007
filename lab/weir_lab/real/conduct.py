"""Agents through one run: prepared, started at once, their files fetched."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from weir.errors import RunFailure
from weir.resolved import CHROMIUM

from weir_lab import wiring
from weir_lab.guest.part import AskForProbe, Part
from weir_lab.guest.plan import Probe
from weir_lab.real.messages import Order, PeerEnd, RunState
from weir_lab.real.remote import Address, MissedStart, RemoteAgent
from weir_lab.real.so_far import Rows

Progress = Callable[[float], None]
"""Called with seconds of film so far."""

STARTS_IN_S = (0.4, 2.0, 6.0)
"""From the word to the common start; the roles wait already. A busy machine gets more."""
BROWSER_STARTS_S = 3.0
"""What a browser takes more, until it has opened its page."""
MISSED = "missed.txt"
PROBE_PAUSE_S = 0.01
SETTING_UP_LIMIT_S = 60.0
LOOK_EVERY_S = 0.02
LOOK_AT_RUN_EVERY_S = 0.5
CLOCK_TOLERANCE_S = 0.005
MOST_SESSION = 0x7FFF0000  # the kernel reads them as signed


def conduct(
    parts: dict[str, Part],
    probes: list[Probe],
    agents: dict[str, Address],
    seed: int,
    kernel_hash: str,
    folder: Path,
    wall_limit_s: float,
    progress: Progress,
) -> dict[str, RunState]:
    """Carry the parts out; each agent's files are then in folder/AGENT.

    probes: made one after the other, before the start and again after the end. What players have
    done stands in `folder` now and then (weir_lab.real.so_far). A run whose common
    start a host has missed is set up once more, twice at most; folder/MISSED says so.
    Returns the agents' last states. Raises RunFailure with the reason for which the
    run cannot be used: a host failed, an agent is gone, the limit was reached.
    """
    until_s = time.monotonic() + wall_limit_s
    longer_s = BROWSER_STARTS_S if any(map(_has_browser, parts.values())) else 0.0

    def attempt(start_in_s: float) -> dict[str, RunState]:
        with _taken(parts, agents, seed, kernel_hash, folder) as remotes:
            _boot(remotes, parts)
            every = list(remotes.values())
            _await(every, lambda state: state["state"] == "ready", until_s, SETTING_UP_LIMIT_S)
            _require_equal_clocks(every)
            by_host = {host: remotes[name] for name, one in parts.items() for host in one["hosts"]}
            _probe(by_host, probes, until_s)
            rows = Rows(_players(remotes, parts), folder)
            duration_s = next(iter(parts.values()))["end_s"]
            start_in_s += longer_s
            _start(every, duration_s, start_in_s, until_s, progress, rows)
            _probe(by_host, probes, until_s)
            _order_all(every, until_s, {"do": "count"})
            _order_all(every, until_s, {"do": "finish"})
            states = _await(every, lambda state: state["state"] == "ended", until_s)
            for remote in every:
                remote.fetch(folder / remote.host)
        return states

    *soon, patiently_in_s = STARTS_IN_S
    for start_in_s in soon:
        try:
            return attempt(start_in_s)
        except MissedStart as missed:
            with (folder / MISSED).open("a") as file:
                file.write(f"{missed.reason}: set up once more\n")
    return attempt(patiently_in_s)


def kernel_seed(seed: int, number: int, hosts: int) -> int:
    """A seed of its own for each of a run's kernels: equal ones would draw equal ports and jitter.

    It fits the 64 bits that the kernel reads: of anything larger it makes the largest.
    """
    return (seed * hosts + number) % 2**64


@contextmanager
def _taken(
    parts: dict[str, Part],
    agents: dict[str, Address],
    seed: int,
    kernel_hash: str,
    folder: Path,
) -> Iterator[dict[str, RemoteAgent]]:
    """Every host's agent, reserved; set free at the end. When the run fails, the files of the
    hosts that failed are fetched all the same, for their logs."""
    name = secrets.token_hex(8)
    remotes = {}
    with ExitStack() as stack:
        for number, (host, part) in enumerate(parts.items()):
            remote = RemoteAgent(host, agents[host], name)
            # Before it is taken: this process may be ended while the agent's answer is on its way.
            stack.callback(remote.drop)
            remote.take(part, kernel_seed(seed, number, len(parts)), kernel_hash)
            remotes[host] = remote
            shutil.rmtree(folder / host, ignore_errors=True)
            (folder / host).mkdir()
        try:
            yield remotes
        except RunFailure:
            for remote in remotes.values():
                with suppress(RunFailure):
                    remote.fetch(folder / remote.host)
            raise


def _boot(remotes: dict[str, RemoteAgent], parts: dict[str, Part]) -> None:
    """Tell each agent the other ends of its links."""
    first = secrets.randbelow(MOST_SESSION)
    ends: dict[tuple[str, str], PeerEnd] = {}
    for agent, remote in remotes.items():
        for link, port in zip(parts[agent]["links"], remote.end["ports"], strict=True):
            end: PeerEnd = {"address": remote.end["address"], "port": port, "session": 0}
            ends[link["host"], link["peer"]] = end
    # Every link has one end at a gateway.
    of_gateway = parts[wiring.GATEWAY]["links"] if wiring.GATEWAY in parts else []
    for session, link in enumerate(of_gateway, first + 1):
        for two in ((link["host"], link["peer"]), (link["peer"], link["host"])):
            ends[two]["session"] = session
    for agent, remote in remotes.items():
        remote.boot([ends[link["peer"], link["host"]] for link in parts[agent]["links"]])


def _probe(by_host: dict[str, RemoteAgent], probes: list[Probe], until_s: float) -> None:
    for probe in probes:
        order: AskForProbe = {
            "do": "probe",
            "host": probe["host"],
            "target": probe["target"],
            "count": probe["count"],
            "pause_s": PROBE_PAUSE_S,
        }
        if "source" in probe:
            order["source"] = probe["source"]
        _order_all([by_host[probe["host"]]], until_s, order)


def _players(
    remotes: dict[str, RemoteAgent], parts: dict[str, Part]
) -> Iterator[tuple[RemoteAgent, str]]:
    """Each player's agent, and its file."""
    for host, part in parts.items():
        for role in part["roles"]:
            if role["module"] == "weir_client.role":
                yield remotes[host], Path(role["args"]["context"]["out"]).name


def _has_browser(part: Part) -> bool:
    return part["player"] == CHROMIUM


def _order_all(remotes: list[RemoteAgent], until_s: float, order: Order) -> None:
    """Have an order carried out by each."""
    for remote in remotes:
        remote.order(order)
    _await(remotes, _has_done_all, until_s)


def _has_done_all(state: RunState) -> bool:
    return state["done"] == state["ordered"]


def _start(
    every: list[RemoteAgent],
    duration_s: float,
    start_in_s: float,
    until_s: float,
    progress: Progress,
    rows: Rows,
) -> None:
    epoch_unix_s = time.time() + start_in_s
    for remote in every:
        remote.order({"do": "start", "epoch_unix_s": epoch_unix_s})
    while True:
        states = [remote.state() for remote in every]
        film_s = min(state["film_s"] or 0.0 for state in states)
        progress(film_s)
        rows.look()
        if all(map(_has_done_all, states)):
            return
        _require_time(until_s)
        time.sleep(max(LOOK_EVERY_S, min(LOOK_AT_RUN_EVERY_S, duration_s - film_s)))


def _await(
    remotes: list[RemoteAgent],
    there: Callable[[RunState], bool],
    until_s: float,
    limit_s: float = float("inf"),
) -> dict[str, RunState]:
    """Until all are there; their states by host."""
    late_s = time.monotonic() + limit_s
    while True:
        states = {remote.host: remote.state() for remote in remotes}
        if all(there(state) for state in states.values()):
            return states
        _require_time(until_s)
        if time.monotonic() > late_s:
            waiting = ", ".join(host for host, state in states.items() if not there(state))
            raise RunFailure(f"{waiting}: not ready within {limit_s:g} s; see log.txt")
        time.sleep(LOOK_EVERY_S)


def _require_time(until_s: float) -> None:
    if time.monotonic() > until_s:
        raise RunFailure(
            "the run did not end within its wall-clock limit; raise --wall-limit, and look for "
            "an endless loop if a client runs an ABR of your own"
        )


def _require_equal_clocks(every: list[RemoteAgent]) -> None:
    for remote in every:
        error_s = remote.clock_error_s()
        if abs(error_s) > CLOCK_TOLERANCE_S:
            raise RunFailure(
                f"the clock of the {remote.host}'s machine is {error_s:+.3f} s off this one's; "
                "have both follow the same NTP server"
            )
