"""A cell on the virtual clock, in a lab kernel that was forked: apply what it asks, run its roles.

Messages on standard output reach the host; a line `FAILED ...` carries the reason for which a run
cannot be used.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` itself imports enum
import os
import select
import time

from weir_lab.guest import apply, probe
from weir_lab.guest.hosts import OVER, SERVER, Hosts, load, processes
from weir_lab.guest.init import OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from weir_gateway.tc_process import TcProcess

    from weir_lab.guest.plan import Plan, Role
    from weir_lab.wiring import Group


def run(plan: Plan, hosts: Hosts, tcs: dict[str, TcProcess]) -> None:
    """Carry the plan out, but for what makes the shape, and write what was measured.

    tcs: by host, one that waits for lines.
    """
    for line in plan["run_sysctls"]:
        apply.set_sysctl(line)
    hosts.processes = processes(plan["roles"])
    apply.apply(hosts, plan["groups"][plan["wired"] :], tcs)
    # Who runs others' code gets no descriptor of one.
    for tc in tcs.values():
        tc.close()
    if plan["warm_ups"]:
        from weir_lab.guest import warm_up

        warm_up.connect(hosts, plan["warm_ups"])
    runs = load(plan["roles"])
    children = [start(hosts, *pair) for pair in zip(plan["roles"], runs, strict=True)]
    rtts = []
    for asked in plan["probes"]:
        hosts.enter(asked["host"])
        rtts.append(
            probe.idle_rtts(
                asked["target"],
                asked["count"],
                asked["pause_s"],
                asked["until_s"],
                asked.get("source", ""),
            )
        )
        hosts.leave()
    print("EPOCH", plan["epoch_s"], flush=True)
    if time.monotonic() >= plan["epoch_s"]:
        raise RuntimeError(f"the cell was not ready by {plan['epoch_s']} s of its clock")
    awaited = [end for end, role in zip(children, plan["roles"], strict=True) if role["awaited"]]
    ended_s = None
    if plan["ends_early"]:
        ended_s = await_first_over(awaited, hosts.players) - plan["epoch_s"]
    else:
        for ending in awaited:
            os.read(ending, 1)
    time.sleep(plan["drain_s"])
    counters = [queue_counters(hosts, each["host"], each["device"]) for each in plan["counted"]]
    measured: dict[str, object] = {"idle_rtts_s": rtts, "counters": counters}
    if ended_s is not None:
        measured["ended_s"] = ended_s
    if options := control_options(plan["groups"]):
        measured["control_options"] = options
    if plan["mptcp_hosts"]:
        from weir_lab.guest import mptcp

        measured["mptcp"] = {host: mptcp.counts(hosts, host) for host in plan["mptcp_hosts"]}
    from weir import plain_json

    plain_json.write(f"{OUT}/measured.json", measured)
    print("DONE", flush=True)


def start(hosts: Hosts, role: Role, run: Callable[..., object]) -> int:
    """As `Hosts.start`; of the server, which is there already, the files."""
    if role["module"] != SERVER:
        return hosts.start(role, run)
    from weir_server.role import lay_out

    given: dict[str, Any] = dict(role["args"])
    del given["http"], given["http_version"]
    lay_out(**given)
    return -1


def await_first_over(endings: list[int], players: dict[int, int]) -> float:
    """Wait for all roles; once one says that the experiment is over, tell the players that still
    play that their time is up. Returns the monotonic time of the last one's end.

    players: process by the file descriptor of its end.
    """
    waiting = select.poll()
    for ending in endings:
        waiting.register(ending, select.POLLIN)
    left, over = set(endings), False
    while left:
        ended = [ending for ending, _ in waiting.poll()]
        for ending in ended:
            waiting.unregister(ending)
        left.difference_update(ended)
        said = [os.read(ending, 1) for ending in ended]
        if OVER in said and not over:
            over = True
            for ending in sorted(left & players.keys()):
                os.kill(players[ending], signal.SIGALRM)
    return time.monotonic()


def control_options(groups: list[Group]) -> dict[str, str]:
    """What the kernel says of the congestion control's options that were set."""
    if all(program != "module" for _, program, _ in groups):
        return {}
    from weir_lab.guest import module_options

    return module_options.applied(groups)


def queue_counters(hosts: Hosts, gateway: str, device: str) -> str:
    """tc's counters of a gateway's device, as JSON."""
    from weir_gateway import timed

    hosts.enter(gateway)
    counters = timed.counters(device)
    hosts.leave()
    return counters
