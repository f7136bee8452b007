"""A second node, which joins the first and is lost again."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from . import files, host, install
from .host import HostError
from .layout import SECOND, State
from .programs import Program, containerd, kubelet


def join(state: State, built: dict[str, Path], left: files.Left) -> None:
    """Start it, once more where it was cut, and wait until it takes pods.

    Raises HostError where the cluster does not run, or naming what was not ready in time.
    """
    inside = host.inside(state)
    if _processes(state):
        return
    host.make_cgroups(SECOND.cgroup)
    files.write_node(state, SECOND, left)
    try:
        _start(inside, containerd(state, SECOND), state)
        install.load_own(state, built, SECOND)
        _start(inside, kubelet(state, SECOND), state)
        install.await_node(state, SECOND)
    except BaseException:
        cut(state)
        raise


def cut(state: State) -> None:
    """Kill all of it at once; the node stays known to the cluster.

    Raises HostError where the cluster does not run, or when a process does not end.
    """
    deadline = time.monotonic() + host.GONE_S
    while found := _processes(state):
        if time.monotonic() > deadline:
            raise HostError(f"processes of {SECOND.name} do not end: {sorted(found)}")
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def _start(inside: list[str], program: Program, state: State) -> None:
    with (state.logs / f"second-{program.name}.log").open("ab") as log:
        subprocess.Popen(
            [*inside, *program.words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _processes(state: State) -> set[int]:
    """The kubelet's, containerd's, its shims' and those of containers."""
    return host.processes(SECOND.cgroup) | host.found_inside(state, f"{state.node(SECOND)}/")
