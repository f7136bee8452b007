"""One of packetdrill's scripts in a lab kernel of its own, as `unshare -n packetdrill` runs it.

The folder that the plan names holds the program, `yielding.so` to preload, and the scripts. What
packetdrill says goes to OUT/said.txt; its exit status and the time that it took on the kernel's
clock, in ns, to OUT/ended.txt.
"""

from __future__ import annotations

import os
import stat
import time

from weir_lab.guest import system
from weir_lab.guest.init import OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_lab.guest.plan import PacketdrillPlan

_TOOLS = "/run/tools"
_DEVICES = {"null": (1, 3), "zero": (1, 5), "random": (1, 8), "urandom": (1, 9)}
_TUN = (10, 200)
_NOT_STARTED = 127


def run(plan: PacketdrillPlan) -> None:
    """Carry the script out."""
    os.mkdir(_TOOLS)
    system.mount("none", _TOOLS, "hostfs", system.MS_NOATIME, plan["tools"])
    _make_devices()
    system.mount("tmp", "/tmp", "tmpfs")  # the scripts write there
    began_ns = time.monotonic_ns()
    if not (child := os.fork()):
        _become(plan["arguments"])
    _, status = os.waitpid(child, 0)
    took_ns = time.monotonic_ns() - began_ns
    with open(f"{OUT}/ended.txt", "w") as file:
        file.write(f"{os.waitstatus_to_exitcode(status)} {took_ns}\n")
    print("DONE", flush=True)


def _make_devices() -> None:
    system.mount("dev", "/dev", "tmpfs")
    os.mkdir("/dev/net")
    for name, (major, minor) in {**_DEVICES, "net/tun": _TUN}.items():
        os.mknod(f"/dev/{name}", stat.S_IFCHR | 0o666, os.makedev(major, minor))


def _become(arguments: list[str]) -> None:
    """packetdrill, in a network of its own; its script's commands are relative to the scripts."""
    try:
        system.new_network_namespace()
        os.chdir(f"{_TOOLS}/scripts")
        said = os.open(f"{OUT}/said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(said, 1)
        os.dup2(said, 2)
        environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": f"{_TOOLS}/yielding.so"}
        os.execve(f"{_TOOLS}/packetdrill", ["packetdrill", *arguments], environment)
    except OSError as error:
        os.write(2, f"packetdrill: {error}\n".encode())
    finally:
        os._exit(_NOT_STARTED)
