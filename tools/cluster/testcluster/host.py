"""What the cluster needs of the host, and the way back: namespaces, a link, cgroups, the folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from . import files, layout
from .layout import HERE, State

CGROUPS = Path("/sys/fs/cgroup")
GONE_S = 30.0
NEEDED = (
    "containerd",
    "ctr",
    "runc",
    "iptables",
    "ipset",
    "ip",
    "unshare",
    "openssl",
    "mount",
    "nsenter",
)


class HostError(Exception):
    """This machine cannot carry the cluster; says why and what to do."""


def check(state: State) -> None:
    """Raises HostError naming what is missing."""
    if os.getuid() != 0:
        raise HostError("the test cluster mounts and makes network namespaces: run it as root")
    if missing := [name for name in NEEDED if not shutil.which(name)]:
        raise HostError(f"missing programs: {', '.join(missing)}; make test-cluster installs them")
    if not Path("/usr/lib/cni/bridge").exists():
        raise HostError("no /usr/lib/cni/bridge: install containernetworking-plugins")
    if any(state.folder.is_relative_to(hidden) for hidden in ("/var", "/run")):
        raise HostError(f"{state.folder}: must not be below /var or /run; set WEIR_CACHE")


def start(state: State, built: dict[str, Path]) -> None:
    """Start the node in namespaces of its own and give it its link."""
    files.write(state)
    state.bin.mkdir()
    for folder in (built["kubernetes"], built["coredns"], built["policies"]):
        for program in folder.iterdir():
            (state.bin / program.name).symlink_to(program)
    make_cgroups(layout.CGROUP)
    with (state.logs / "node.log").open("wb") as log:
        holder = subprocess.Popen(
            [
                *("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"),
                *(sys.executable, "-m", "testcluster.node", str(state.folder)),
            ],
            cwd=HERE,
            env={**os.environ, "TMPDIR": "/var/tmp", "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    state.pid.write_text(str(holder.pid))
    node = _child(holder.pid)
    link = ("ip", "link", "add", layout.VETH, "type", "veth", "peer", "name", "eth0")
    _run(*link, "netns", str(node))
    _run("ip", "address", "add", f"{layout.HOST_ADDRESS}/{layout.LINK_BITS}", "dev", layout.VETH)
    _run("ip", "link", "set", layout.VETH, "up")
    _run("ip", "route", "add", layout.BLOCK, "via", layout.NODE_ADDRESS)


def remove(state: State) -> None:
    """End the cluster, also one that was killed half way, and leave nothing of it."""
    end(state)
    shutil.rmtree(state.folder, ignore_errors=True)


def end(state: State) -> None:
    """End the cluster; what stays is its folder, with the logs.

    Raises HostError when a process of it does not end.
    """
    if (holder := _holder(state)) is not None:
        os.kill(holder, signal.SIGKILL)  # and by --kill-child the node, which takes all with it
    deadline = time.monotonic() + GONE_S
    while not _clean():
        if time.monotonic() > deadline:
            raise HostError(f"cgroups {layout.CGROUP} are not empty: some process does not end")
        time.sleep(0.05)
    if _run("ip", "link", "show", layout.VETH, check=False):
        _run("ip", "link", "delete", layout.VETH)


def running(state: State) -> bool:
    return _holder(state) is not None


def must_run(state: State) -> int:
    """The process that holds the namespaces. Raises HostError where there is none."""
    if (holder := _holder(state)) is None:
        raise HostError("the test cluster does not run: tools/cluster/cluster up")
    return holder


def inside(state: State) -> list[str]:
    """What goes before a command that is to run in the cluster's namespaces.

    Raises HostError where there are none.
    """
    node = _child(must_run(state))
    return ["nsenter", f"--target={node}", "--mount", "--net", "--pid", "--"]


def found_inside(state: State, word: str) -> set[int]:
    """The cluster's processes whose command line contains a word.

    Raises HostError where the cluster does not run.
    """
    own = Path(f"/proc/{_child(must_run(state))}/ns/pid").readlink()
    found = set()
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                words = (process / "cmdline").read_bytes()
                if word.encode() in words and (process / "ns/pid").readlink() == own:
                    found.add(int(process.name))
    return found


def _holder(state: State) -> int | None:
    """The process that holds the namespaces; a reused id is another's."""
    try:
        pid = int(state.pid.read_text())
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return None
    return pid if str(state.folder).encode() in words and b"unshare" in words else None


def _child(holder: int) -> int:
    """The node's process id: unshare's child, once it is in its namespaces."""
    children = Path(f"/proc/{holder}/task/{holder}/children")
    own = Path("/proc/self/ns/net").readlink()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        found = children.read_text().split()
        if found and Path(f"/proc/{found[0]}/ns/net").readlink() != own:
            return int(found[0])
        time.sleep(0.01)
    raise HostError("unshare made no namespaces; see its log")


def _hierarchies() -> list[Path]:
    """Every controller's folder (cgroup v1), or the one of all (v2)."""
    if (CGROUPS / "cgroup.controllers").exists():
        return [CGROUPS]
    return [path for path in CGROUPS.iterdir() if path.is_dir() and not path.is_symlink()]


def make_cgroups(name: str) -> None:
    """One in each hierarchy, where there is none yet."""
    for hierarchy in _hierarchies():
        made = hierarchy / name
        made.mkdir(exist_ok=True)
        for file in ("cpuset.mems", "cpuset.cpus"):  # empty at first, and then nothing may join
            if hierarchy.name == "cpuset":
                (made / file).write_text((hierarchy / file).read_text())


def processes(cgroup: str) -> set[int]:
    """Of a cgroup and all below it."""
    files = [file for root in _hierarchies() for file in (root / cgroup).rglob("cgroup.procs")]
    return {int(pid) for file in files for pid in file.read_text().split()}


def _clean() -> bool:
    """Remove the cgroups, innermost first; whether none is left."""
    clean = True
    for hierarchy in _hierarchies():
        root = hierarchy / layout.CGROUP
        for path in sorted((root, *root.rglob("*")), reverse=True):
            if path.is_dir():
                try:
                    path.rmdir()
                except OSError:
                    clean = False
    return clean


def _run(*words: str, check: bool = True) -> bool:
    """Whether it succeeded. Raises HostError where it must and does not."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise HostError(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.returncode == 0
