"""First process of a lab kernel on the real clock: one agent's hosts, told what to do when.

Started as init.py is. When the hosts are ready it takes orders: files `order-1`, `order-2`, ... in
OUT, each a marshalled {"do": "probe" | "start" | "count" | "finish", ...}, carried out in turn.
Lines on standard output tell how far it is:

CLOCK NS     this kernel's monotonic clock, now
READY        the hosts are wired and, on the server, HTTP answers
DID NUMBER   the order has been carried out; the last one's end is DONE
LATE         the start had passed before it could be kept
"""

from __future__ import annotations

import marshal
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from weir_lab.guest.hosts import Hosts
    from weir_lab.guest.part import AskForProbe, MeasuredByHost, Order, PartInGuest

OUT = "/mnt"
LOOK_EVERY_S = 0.01
HTTP_PORT = 80
HTTP_LIMIT_S = 20.0


def run(plan: PartInGuest) -> None:
    """Wire the hosts, then carry out orders until the last one."""
    from weir_lab.guest import apply
    from weir_lab.guest.hosts import Hosts

    for line in plan["kernel_sysctls"]:
        apply.set_sysctl(line)
    hosts = Hosts(plan["hosts"])
    apply.run_batch("ip", plan["devices"])
    apply.apply(hosts, plan["groups"])
    cell = HostsInPart(hosts, plan)
    tell_clock()
    print("READY", flush=True)
    number = 0
    while not cell.finished:
        number += 1
        cell.carry_out(next_order(number))
        print("DID", number, flush=True)
    print("DONE", flush=True)


class HostsInPart:
    """What can be asked of hosts that are ready."""

    def __init__(self, hosts: Hosts, plan: PartInGuest) -> None:
        """Start the HTTP server; the other roles are there, and wait for the start."""
        from weir_lab.guest.hosts import load

        self._hosts = hosts
        self._plan = plan
        self._measured: MeasuredByHost = {"idle_rtts_s": []}
        self._waiting: list[Waiting] = []
        self._endings: list[int] = []
        self.finished = False
        for role, run in zip(plan["roles"], load(plan["roles"]), strict=True):
            if role["awaited"]:
                waiting = Waiting(run, self._waiting)
                self._endings.append(hosts.start(role, waiting.run))
            else:
                hosts.start(role, run)
                await_http(hosts, role["host"])

    def carry_out(self, order: Order) -> None:
        """Raises RuntimeError when the start has passed before it could be kept."""
        if order["do"] == "probe":
            self._probe(order)
        elif order["do"] == "start":
            self._start(order["epoch_s"])
        elif order["do"] == "count":
            self._count()
        else:
            self._finish()

    def _probe(self, order: AskForProbe) -> None:
        from weir_lab.guest import probe

        asked = order["target"], order["count"], order["pause_s"], order.get("source", "")
        self._hosts.enter(order["host"])
        self._measured["idle_rtts_s"].append(probe.overlapping_rtts(*asked))
        self._hosts.leave()

    def _start(self, epoch_s: float) -> None:
        """Let the roles run; `epoch_s` of this kernel's clock is the experiment's second 0."""
        for waiting in self._waiting:
            waiting.tell(epoch_s)
        late_s = time.monotonic() - epoch_s
        if late_s > 0:
            print("LATE", flush=True)
            raise RuntimeError(late(self._plan["host"], late_s))
        for ending in self._endings:
            os.read(ending, 1)
        time.sleep(self._plan["drain_s"])

    def _count(self) -> None:
        """What was sent; what is received is counted at the end, when that has come in."""
        from weir_lab.guest import frames

        self._measured["sent"] = self._of_links(frames.sent)

    def _finish(self) -> None:
        from weir_lab.guest import frames
        from weir_lab.guest.cell import control_options, queue_counters

        if options := control_options(self._plan["groups"]):
            self._measured["control_options"] = options
        self._measured["received"] = self._of_links(frames.received)
        if counted := self._plan["counted"]:
            self._measured["counters"] = [
                queue_counters(self._hosts, each["host"], each["device"]) for each in counted
            ]
        if hosts := self._plan["mptcp_hosts"]:
            from weir_lab.guest import mptcp

            self._measured["mptcp"] = {host: mptcp.counts(self._hosts, host) for host in hosts}
        from weir import plain_json

        plain_json.write(f"{OUT}/measured.json", {**self._measured})
        self.finished = True

    def _of_links(self, frames: Callable[[list[str]], list[int]]) -> list[int]:
        """Of each link's device what is counted in its host."""
        found = []
        for host in self._plan["hosts"]:
            self._hosts.enter(host)
            found += frames(
                [link["device"] for link in self._plan["links"] if link["host"] == host]
            )
            self._hosts.leave()
        return found


class Waiting:
    """A role whose `run` waits, in the role's process, until it is told the start."""

    def __init__(self, run: Callable[..., object], every: list[Waiting]) -> None:
        """every: those that wait so far, to which this one is added."""
        self._run, self._every = run, every
        self._reading, self._writing = os.pipe()
        every.append(self)

    def tell(self, epoch_s: float) -> None:
        """Let it go: second 0 is then."""
        os.write(self._writing, marshal.dumps(epoch_s))

    def run(self, **args: Any) -> None:
        """Wait, then run with the start among the arguments."""
        # Who brings code is to start no other role.
        for waiting in self._every:
            os.close(waiting._writing)
        epoch_s = marshal.loads(os.read(self._reading, 64))
        for where in (args, args.get("context", {})):
            if "epoch_s" in where:
                where["epoch_s"] = epoch_s
        self._run(**args)


def late(host: str, late_s: float) -> str:
    """The reason of a run whose start a host has missed by so many seconds."""
    return (
        f"{host} was ready {late_s:.3f} s after the common start; this machine is too busy for "
        "the real clock"
    )


def next_order(number: int) -> Order:
    """Wait for an order, and say meanwhile what this kernel's clock shows.

    An agent on a busy machine hears some of it late, and goes by what it heard the soonest.
    """
    path = f"{OUT}/order-{number}"
    while not os.path.exists(path):
        time.sleep(LOOK_EVERY_S)
        tell_clock()
    with open(path, "rb") as file:
        order: Order = marshal.load(file)
    return order


def tell_clock() -> None:
    """Say what this kernel's monotonic clock shows."""
    os.write(1, b"CLOCK %d\n" % time.monotonic_ns())


def await_http(hosts: Hosts, host: str) -> None:
    """Until the HTTP server listens, seen without a connection, which would be recorded.

    Raises RuntimeError.
    """
    hosts.enter(host)
    give_up_s = time.monotonic() + HTTP_LIMIT_S
    while not _listens(HTTP_PORT):
        if time.monotonic() > give_up_s:
            raise RuntimeError(f"the HTTP server did not listen within {HTTP_LIMIT_S:g} s")
        time.sleep(LOOK_EVERY_S)
    hosts.leave()


def _listens(port: int) -> bool:
    """Whether a TCP socket of this host is in state LISTEN (proc(5), /proc/net/tcp)."""
    with open("/proc/self/net/tcp") as file:
        return any(f":{port:04X} 00000000:0000 0A " in line for line in file)
