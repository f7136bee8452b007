"""One of the kernel's own tests in a lab kernel of its own.

The folder that the plan names, with the test's programs and scripts, is read-only; the test writes
to /tmp. What it says goes to OUT/said.txt; its exit status and the time that it took on the
kernel's clock, in ns, to OUT/ended.txt.
"""

from __future__ import annotations

import os
import stat
import time

from weir_lab.guest import system
from weir_lab.guest.init import OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_lab.guest.plan import KernelTestPlan

_TOOLS = "/run/tools"
_DEVICES = {"null": (1, 3), "zero": (1, 5), "random": (1, 8), "urandom": (1, 9)}
_TUN = (10, 200)
_LINKS = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}
"""By which shells substitute processes, and scripts name what they say to."""
_NOT_STARTED = 127


def run(plan: KernelTestPlan) -> None:
    """Carry the test out."""
    os.mkdir(_TOOLS)
    system.mount("none", _TOOLS, "hostfs", system.MS_NOATIME, plan["tools"])
    _make_devices()
    system.mount("tmp", "/tmp", "tmpfs")
    if not plan["own_network"]:
        # As on a machine that has booted.
        system.mount("sys", "/sys", "sysfs")
        os.spawnvp(os.P_WAIT, "ip", ["ip", "link", "set", "lo", "up"])
    began_ns = time.monotonic_ns()
    if not (child := os.fork()):
        _become(plan)
    status = _awaited(child)
    took_ns = time.monotonic_ns() - began_ns
    with open(f"{OUT}/ended.txt", "w") as file:
        file.write(f"{os.waitstatus_to_exitcode(status)} {took_ns}\n")
    print("DONE", flush=True)


def _make_devices() -> None:
    system.mount("dev", "/dev", "tmpfs")
    os.mkdir("/dev/net")
    for name, (major, minor) in {**_DEVICES, "net/tun": _TUN}.items():
        os.mknod(f"/dev/{name}", stat.S_IFCHR | 0o666, os.makedev(major, minor))
    for name, there in _LINKS.items():
        os.symlink(there, f"/dev/{name}")


def _awaited(child: int) -> int:
    """Its status. Processes whose parents have ended are this one's to wait for meanwhile."""
    while True:
        ended, status = os.wait()
        if ended == child:
            return status


def _become(plan: KernelTestPlan) -> None:
    try:
        if plan["own_network"]:
            system.new_network_namespace()
        os.chdir(f"{_TOOLS}/{plan['at']}")
        said = os.open(f"{OUT}/said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        os.dup2(said, 1)
        os.dup2(said, 2)
        environment = {"PATH": os.environ["PATH"]}
        if plan["preload"]:
            environment["LD_PRELOAD"] = f"{_TOOLS}/{plan['preload']}"
        os.execvpe(plan["command"][0], plan["command"], environment)
    except OSError as error:
        os.write(2, f"{plan['command'][0]}: {error}\n".encode())
    finally:
        os._exit(_NOT_STARTED)
