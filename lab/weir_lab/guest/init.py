"""First process of the lab kernel: wire the cell, run its roles, report, power off.

Started by boot.BOOTSTRAP with the argument OUT, the host folder that the plan is read from
and results are written to. Messages on standard output reach the host; a line
`FAILED ...` carries the reason for which a run cannot be used.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from importlib import import_module

from weir_lab.guest import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from weir_lab.guest.hosts import Hosts
    from weir_lab.guest.live import Waiting

OUT = "/mnt"


def main(carry_out: Callable[[dict[str, Any]], None]) -> None:
    """Mount what a cell needs, carry out the plan in the host folder, and power off."""
    print("BOOTED", flush=True)
    os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    system.mount("proc", "/proc", "proc")
    system.mount("none", OUT, "hostfs", system.MS_NOATIME, sys.argv[1])
    with open(f"{OUT}/plan.marshal", "rb", buffering=0) as file:
        # Each read of a buffered file takes a lock, and that reads the clock.
        plan = marshal.loads(file.read())
    for name, folder in plan["packages"].items():
        at = f"{sys.path[0]}/{name}"
        if not os.path.exists(at):
            os.mkdir(at)
            system.mount("none", at, "hostfs", system.MS_NOATIME, folder)
    try:
        carry_out(plan)
    except Exception as error:
        import traceback

        traceback.print_exc(file=sys.stdout)
        print(f"FAILED {error}", flush=True)
    system.power_off()


def run(plan: dict[str, Any]) -> None:
    """Carry the plan out and write what was measured."""
    from weir_lab.guest import apply, probe
    from weir_lab.guest.hosts import Hosts

    for line in plan["kernel_sysctls"]:
        apply.set_sysctl(line)
    hosts = Hosts(plan["hosts"])
    apply.apply(hosts, plan["groups"])
    modules = [import_module(role["module"]) for role in plan["roles"]]
    children = [start(hosts, *pair) for pair in zip(plan["roles"], modules, strict=True)]
    probes = plan["probe"]
    hosts.enter(probes["host"])
    rtts = probe.idle_rtts(probes["target"], probes["count"], probes["pause_s"])
    hosts.leave()
    print("EPOCH", plan["epoch_s"], flush=True)
    if time.monotonic() >= plan["epoch_s"]:
        raise RuntimeError(f"the cell was not ready by {plan['epoch_s']} s of its clock")
    for role, ending in zip(plan["roles"], children, strict=True):
        if role["awaited"]:
            os.read(ending, 1)
    time.sleep(plan["drain_s"])
    hosts.enter("gateway")
    counters = import_module("weir_gateway.timed").counters(plan["counted_device"])
    hosts.leave()
    with open(f"{OUT}/measured.marshal", "wb") as file:
        marshal.dump({"idle_rtts_s": rtts, "counters": counters}, file)
    print("DONE", flush=True)


def start(hosts: Hosts, role: dict[str, Any], module: ModuleType | Waiting) -> int:
    """Start a role in its host. Returns a file descriptor that becomes readable at its end.

    A role that has ended stays as a sleeping process: the host tells the kernel of a process's
    exit whenever it gets to it, which is no moment of virtual time.
    """
    ending, end = os.pipe()
    hosts.enter(role["host"])
    if os.fork():
        hosts.leave()
        os.close(end)
        return ending
    try:
        module.run(**role["args"])
    except BaseException as error:
        import traceback

        traceback.print_exc(file=sys.stdout)
        print(f"FAILED {role['host']}: {error}", flush=True)
    finally:
        os.write(end, b".")
        while True:
            time.sleep(3600)
