"""A control group for each run: what a run takes of memory and processes is its own (cgroups(7)).

Only where a group of version 2 is delegated to this process: systemd's `Delegate=yes`, or a
container with a writable group of its own. Within it

    weir-kept        this process and those it was started with: a group that hands its controllers
                     on may have no process itself
    weir-run-...     a run each: its process, its lab kernels and whatever they start
"""

from __future__ import annotations

import functools
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["NEEDED", "Group", "home", "of_run"]

NEEDED: Final = ("memory", "pids")
_MOUNT: Final = Path("/sys/fs/cgroup")
_KEPT, _RUN = "weir-kept", "weir-run-"
_DELEGATED: Final = ("user.delegate", "trusted.delegate")
"""By which systemd marks what it delegates; a user's own manager does not (v257)."""
_LOOK_EVERY_S: Final = 0.01
_ASK_S: Final = 10.0


@dataclass(frozen=True)
class Group:
    """A run's own."""

    folder: Path

    def join(self) -> None:
        """Move this process, and with it what it starts, into the group. Raises OSError."""
        (self.folder / "cgroup.procs").write_text("0")

    def ran_out(self) -> bool:
        """Whether something in it was ended for the memory that it took."""
        events = dict(
            line.split() for line in (self.folder / "memory.events").read_text().splitlines()
        )
        return events.get("oom_kill", "0") != "0"

    def end(self) -> None:
        """Kill all that is in the group, and remove it."""
        with suppress(OSError):  # older than Linux 5.14: whoever started them kills them
            (self.folder / "cgroup.kill").write_text("1")
        while "populated 1" in (self.folder / "cgroup.events").read_text():
            time.sleep(_LOOK_EVERY_S)
        self.folder.rmdir()


def home() -> Path | None:
    """The group that runs' groups can be made in; None: none is delegated."""
    own = _own()
    if own is None:
        return None
    if own.name == _KEPT:
        return own.parent
    return own if _is_delegated(own) else None


@contextmanager
def of_run(memory_bytes: int, processes: int) -> Iterator[Group | None]:
    """A group with these limits, until the end of the block; None where none is delegated.

    What goes beyond memory_bytes is ended, all of the run at once. Raises OSError.
    """
    within = home()
    if within is None:
        yield None
        return
    _hand_on(within)
    _sweep(within)
    group = Group(within / f"{_RUN}{os.getpid()}-{time.monotonic_ns()}")
    group.folder.mkdir()
    limits = {"memory.max": memory_bytes, "memory.oom.group": 1, "pids.max": processes}
    for name, value in limits.items():
        (group.folder / name).write_text(str(value))
    with suppress(FileNotFoundError):  # a kernel without swap
        (group.folder / "memory.swap.max").write_text("0")
    try:
        yield group
    finally:
        group.end()


def _own() -> Path | None:
    """This process's group, where memory and processes are version 2's."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    path = next((line[3:] for line in lines if line.startswith("0::")), None)
    if path is None:
        return None
    folder = _MOUNT / path.lstrip("/")
    with suppress(OSError):
        there = (folder / "cgroup.controllers").read_text().split()
        if set(NEEDED) <= set(there):
            return folder
    return None


def _is_delegated(group: Path) -> bool:
    # The machine's own root has no limits; a container's has, and may be read-only.
    needed = (group, group / "cgroup.procs", group / "cgroup.subtree_control")
    if not (group / "memory.max").exists() or not all(os.access(one, os.W_OK) for one in needed):
        return False
    if group == _MOUNT or any(_attribute(group, name) == b"1" for name in _DELEGATED):
        return True
    own_manager = f"user@{os.getuid()}.service"
    return own_manager in group.parts and _is_delegated_by_user(group)


@functools.cache
def _is_delegated_by_user(group: Path) -> bool:
    """Whether systemd's manager of this user says that the group is a unit's, with Delegate=."""
    command = ["systemctl", "--user", "show", "--property=Delegate,ControlGroup", group.name]
    # A run's fork server has none of the session's environment.
    environment = {**os.environ, "XDG_RUNTIME_DIR": f"/run/user/{os.getuid()}"}
    try:
        said = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=_ASK_S
        ).stdout.splitlines()
    except (OSError, subprocess.TimeoutExpired):
        return False
    return {"Delegate=yes", f"ControlGroup=/{group.relative_to(_MOUNT)}"} <= set(said)


def _attribute(group: Path, name: str) -> bytes:
    try:
        return os.getxattr(group, name)
    except OSError:
        return b""


def _hand_on(group: Path) -> None:
    """Give the group's controllers to those within; its own processes move out of it."""
    wanted = " ".join(f"+{name}" for name in NEEDED)
    if set(NEEDED) <= set((group / "cgroup.subtree_control").read_text().split()):
        return
    kept = group / _KEPT
    kept.mkdir(exist_ok=True)
    while pids := (group / "cgroup.procs").read_text().split():
        for pid in pids:
            with suppress(ProcessLookupError):
                (kept / "cgroup.procs").write_text(pid)
    (group / "cgroup.subtree_control").write_text(wanted)


def _sweep(within: Path) -> None:
    """Remove what killed processes left behind, empty as it is."""
    for left in within.glob(f"{_RUN}*"):
        if not Path("/proc", left.name.removeprefix(_RUN).partition("-")[0]).exists():
            with suppress(OSError):
                left.rmdir()
