"""A lab kernel that forks: what is the same for all cells of a shape, then a run in each fork.

Nothing that a campaign brings is there before the fork (docs/decisions/forked-runs.md).
"""

from __future__ import annotations

import fcntl
import marshal
import os
import time

from weir_lab.guest import apply, processor, system
from weir_lab.guest.hosts import Hosts, import_all
from weir_lab.guest.init import OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_gateway.tc_process import TcProcess

    from weir_lab.guest.plan import Before

FORK = "/proc/zygote"
RESEED = 0x5207  # RNDRESEEDCRNG
LIBRARIES = "/etc/ld.so.cache"


def run(before: Before) -> None:
    """Do it, and in each fork carry out the plan of its run."""
    keep_libraries()
    processor.tell()
    for line in before["kernel_sysctls"]:
        apply.set_sysctl(line)
    hosts = Hosts(before["hosts"])
    apply.apply(hosts, before["groups"])
    import_all(before["modules"])
    from weir_lab.guest import cell

    serve(hosts, *before["http"])
    for name in before["waiting"]:
        hosts.have_wait(name)
    tcs = {name: tc_in(hosts, name) for name in before["tc"]}
    system.unmount(OUT)
    time.sleep(max(0.0, before["fork_s"] - time.monotonic()))
    folder = fork()
    print("FORKED", flush=True)
    system.mount("none", OUT, "hostfs", system.MS_NOATIME, folder)
    with open(f"{OUT}/plan.marshal", "rb", buffering=0) as file:
        plan = marshal.loads(file.read())
    cell.run(plan, hosts, tcs)
    end()


def serve(hosts: Hosts, http: str, version: str, stored: bool, live: bool) -> None:
    """Have the server's host serve files that come later."""
    from weir_server import role

    os.mkdir(role.ROOT)
    hosts.have_stay("server", lambda: role.serve(http, version, stored, live))


def tc_in(hosts: Hosts, name: str) -> TcProcess:
    """One that waits for lines in a host."""
    from weir_gateway.tc_process import TcProcess

    hosts.enter(name)
    made = TcProcess()
    hosts.leave()
    return made


def fork() -> str:
    """Returns in each fork, with the host's folder for its run."""
    orders = os.open(FORK, os.O_RDWR)
    os.write(orders, b"fork")
    folder = os.read(orders, 4096).decode().partition("\n")[0]
    os.close(orders)
    random = os.open("/dev/urandom", os.O_RDONLY)
    fcntl.ioctl(random, RESEED)
    os.close(random)
    return folder


def end() -> None:
    """End the fork. Does not return."""
    os.sync()
    os.write(os.open(FORK, os.O_RDWR), b"end")


def keep_libraries() -> None:
    """Have a copy of the loader's list, which the host may replace at any time: a run would take
    other page faults, and be another."""
    if os.path.exists(LIBRARIES):
        copy = "/run/ld.so.cache"
        with open(LIBRARIES, "rb") as theirs, open(copy, "wb") as own:
            own.write(theirs.read())
        system.mount(copy, LIBRARIES, "none", system.MS_BIND)
