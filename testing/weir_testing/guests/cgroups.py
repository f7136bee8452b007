"""The first process of a kernel with control groups of version 2: tries weir_lab.confine.cgroup.

Says what it found as a line of JSON after `FOUND`, and switches the machine off.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from weir_lab.confine import cgroup

TOP = Path("/sys/fs/cgroup")
MEMORY_BYTES, PROCESSES = 64 << 20, 20
PATIENCE_S = 120.0
GREEDY = "held = []\nwhile True: held.append(b'x' * (1 << 20))"
FORKING = """
import os, time
started = 0
try:
    while started < 200:
        if os.fork() == 0:
            time.sleep(1000)
        started += 1
except BlockingIOError:
    pass
print(started, flush=True)
time.sleep(1000)
"""


def main() -> None:
    """Mount what is needed, be delegated a group, and try runs in it."""
    mount = ctypes.CDLL(None, use_errno=True).mount
    for kind, where in (("proc", "/proc"), ("sysfs", "/sys"), ("cgroup2", str(TOP))):
        if mount(b"none", where.encode(), kind.encode(), 0, None):
            raise OSError(ctypes.get_errno(), f"{kind} cannot be mounted")
    found: dict[str, Any] = {"at the machine's root": cgroup.home() is not None}
    (TOP / "cgroup.subtree_control").write_text("+memory +pids")
    found["in units of a user's own manager"] = in_units_of_a_user()
    unit = TOP / "worker.service"
    unit.mkdir()
    (unit / "cgroup.procs").write_text("0")
    found["in a group that is not delegated"] = cgroup.home() is not None
    os.setxattr(unit, "trusted.delegate", b"1")
    found["home"] = str(cgroup.home())
    (unit / "weir-run-999999-1").mkdir()
    found |= runs()
    found["home after runs"] = str(cgroup.home())
    found["left"] = sorted(path.name for path in unit.iterdir() if path.is_dir())
    print("FOUND", json.dumps(found), flush=True)


def in_units_of_a_user() -> list[bool]:
    """Whether a group is used in one that is not delegated, and in one that is.

    systemctl, first in the PATH, answers as systemd 257 does.
    """
    manager = TOP / f"user@{os.getuid()}.service"
    manager.mkdir()
    (manager / "cgroup.subtree_control").write_text("+memory +pids")
    used = []
    for name in ("other.scope", "delegated.scope"):
        (manager / name).mkdir()
        (manager / name / "cgroup.procs").write_text("0")
        used.append(cgroup.home() == manager / name)
    return used


def runs() -> dict[str, Any]:
    """A greedy run, a fork bomb and an honest run, side by side."""
    with (
        cgroup.of_run(MEMORY_BYTES, PROCESSES) as first,
        cgroup.of_run(MEMORY_BYTES, PROCESSES) as second,
        cgroup.of_run(MEMORY_BYTES, PROCESSES) as third,
    ):
        assert first and second and third
        honest = start("import time; time.sleep(1000)", third)
        bystander = start("import time; time.sleep(1000)", first)
        greedy = start(GREEDY, first)
        ended = greedy.wait(PATIENCE_S)
        bomb = start(FORKING, second)
        assert bomb.stdout is not None
        started = int(bomb.stdout.readline())
        found = {
            "greedy": ended,
            "with it": bystander.wait(PATIENCE_S),
            "started": started,
            "honest": honest.poll(),
            "ran out": [group.ran_out() for group in (first, second, third)],
        }
    # Their groups' end was theirs.
    found["bomb"], found["honest at its end"] = bomb.wait(PATIENCE_S), honest.wait(PATIENCE_S)
    return found


def start(code: str, group: cgroup.Group) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=group.join,  # noqa: PLW1509 - it writes to one file
    )


if __name__ == "__main__":
    try:
        main()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        time.sleep(0.1)
        with contextlib.suppress(OSError):
            ctypes.CDLL(None).reboot(0x4321FEDC)
