"""The node: process 1 of the cluster's namespaces, which starts its programs and keeps them up.

Whatever mounts, addresses, firewall rules and processes come to be are inside: all end with it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from . import layout
from .files import SYSCTLS
from .layout import State
from .programs import Program, programs

RESTART_S = 1.0


def main() -> None:
    state = State(Path(sys.argv[1]))
    _mounts(state)
    _network()
    running: dict[int, Program] = {}
    for program in programs(state):
        running[_start(program, state)] = program
        while program.port and not _listens(program):
            _tend(running, state, os.WNOHANG)
            time.sleep(0.05)
    while True:
        _tend(running, state)


def _tend(running: dict[int, Program], state: State, options: int = 0) -> None:
    """Reap one ended process; start it again where it is one of the programs."""
    pid, status = os.waitpid(-1, options)
    if program := running.pop(pid, None):
        code = os.waitstatus_to_exitcode(status)
        print(f"{program.name} ended with exit code {code}; starts again", flush=True)
        time.sleep(RESTART_S)
        running[_start(program, state)] = program


def _start(program: Program, state: State) -> int:
    print(f"{time.strftime('%H:%M:%S')} {program.name}", flush=True)
    with (state.logs / f"{program.name}.log").open("ab") as log:
        output = [(os.POSIX_SPAWN_DUP2, log.fileno(), number) for number in (1, 2)]
        # No Popen: as process 1, this one waits for all that end, its own children or not.
        return os.posix_spawnp(program.words[0], program.words, os.environ, file_actions=output)


def _listens(program: Program) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((program.address, program.port)) == 0


def _mounts(state: State) -> None:
    """Own /run and /var, no name server of the host, and sysctls that only seem to be set."""
    _run("mount", "--make-rshared", "/")
    _run("mount", "-t", "tmpfs", "-o", "mode=755", "run", "/run")
    _run("mount", "--bind", state.folder / "var", "/var")
    for folder in ("log", "lib", "tmp"):
        Path("/var", folder).mkdir()
    Path("/var/run").symlink_to("/run")
    _run("mount", "--bind", state.files / "resolv.conf", "/etc/resolv.conf")
    for name in SYSCTLS:
        if (target := Path("/proc/sys", name)).exists():
            _run("mount", "--bind", state.files / "sysctl" / name, target)


def _network() -> None:
    _run("ip", "link", "set", "lo", "up")
    while "eth0" not in (name for _, name in socket.if_nameindex()):  # the host gives it
        time.sleep(0.02)
    _run("ip", "address", "add", f"{layout.NODE_ADDRESS}/{layout.LINK_BITS}", "dev", "eth0")
    _run("ip", "link", "set", "eth0", "up")
    _run("ip", "route", "add", "default", "via", layout.HOST_ADDRESS)
    for name in ("ipv4/ip_forward", "bridge/bridge-nf-call-iptables"):
        if (path := Path("/proc/sys/net", name)).exists():
            path.write_text("1")


def _run(*words: str | Path) -> None:
    subprocess.run(words, check=True)


if __name__ == "__main__":
    main()
