"""What this machine can do, and how to mend what it cannot."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir.programs import PINNED, scripted_by
from weir.resolved import CHROMIUM
from weir_lab.kernel import TOOLS
from weir_lab.real.timers import late_s

from weir_engine import machine, provenance
from weir_engine.real_clock import REMEDY
from weir_engine.trial_boot import trial_boot

__all__ = ["Finding", "findings"]

_RUN_MEMORY_BYTES: Final = 400 * 2**20
_LEAST_FREE_BYTES: Final = 2 * 10**9
_SBIN: Final = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


@dataclass(frozen=True)
class Finding:
    """One thing looked at. level: ok, warning (some things will not work) or missing."""

    name: str
    level: str
    found: str
    remedy: str = ""


def findings(store: Path) -> Iterator[Finding]:
    """Look at everything a run or a build needs, the cheap things first."""
    version = ".".join(map(str, sys.version_info[:3]))
    good = sys.version_info >= (3, 11)
    yield Finding("python", "ok" if good else "missing", version, "" if good else "use 3.11+")
    yield from _programs()
    yield from _build_tools()
    yield _cores()
    yield _timers()
    yield _memory()
    yield _disk_space(store)
    yield _temporary()
    yield _sandbox()
    yield _control_groups()
    yield from _kernel()


def _sandbox() -> Finding:
    from weir_lab import confine  # noqa: PLC0415 - as `_kernel`

    missing = confine.lacking()
    if not missing:
        return Finding("sandbox", "ok", f"Landlock {confine.landlock.abi()}, seccomp")
    remedy = (
        "runs go on with your rights; a platform with login refuses players and C code that "
        "campaigns bring (WEIR_UNCONFINED=true overrides)"
    )
    return Finding("sandbox", "warning", f"without {missing}", remedy)


def _control_groups() -> Finding:
    from weir_lab.confine import cgroup  # noqa: PLC0415 - as `_kernel`

    within = cgroup.home()
    if within is None:
        found = "none delegated: memory and processes are bounded per process, not per run"
    else:
        found = f"one for each run, in {within}"
    return Finding("control groups", "ok", found)


def _programs() -> Iterator[Finding]:
    roles = provenance.roles()
    for name, package in (("nginx", "nginx-light"), ("apache", "apache2-bin")):
        there = roles[name] != "absent"
        remedy = "" if there else f"apt-get install {package} (needed by http: {name})"
        yield Finding(name, "ok" if there else "warning", roles[name], remedy)
    yield _node(roles["node"])
    yield _chromium(roles["chromium"])
    for tool, package in (("ip", "iproute2"), ("tc", "iproute2")):
        path = shutil.which(tool, path=_SBIN)
        remedy = "" if path else f"apt-get install {package}"
        yield Finding(tool, "ok" if path else "missing", path or "absent", remedy)


def _node(version: str) -> Finding:
    """Only players in Node.js need it, so it is never missing."""
    from weir_lab import players  # noqa: PLC0415 - as `_kernel`

    there = [f"{player} {each}" for player in PINNED for each in players.installed(player)]
    found = version if version == "absent" else f"{version}; {', '.join(there) or 'no players'}"
    lacking = next(filter(None, (players.lacking(*each) for each in players.ALL)), "")
    if not lacking:
        return Finding("node", "ok", found)
    needed_by = ", ".join(PINNED)
    if version == "absent":
        needed_by += ", and folders with players of your own"
    return Finding("node", "warning", found, f"{lacking} (needed by player: {needed_by})")


def _chromium(version: str) -> Finding:
    """Only the player of that name needs it, so it is never missing."""
    from weir_lab import players  # noqa: PLC0415 - as `_kernel`

    versions = PINNED[scripted_by(CHROMIUM)].versions
    lacking = next(filter(None, (players.lacking(CHROMIUM, each) for each in versions)), "")
    if not lacking:
        return Finding("chromium", "ok", version)
    return Finding("chromium", "warning", version, f"{lacking} (needed by player: {CHROMIUM})")


def _build_tools() -> Iterator[Finding]:
    missing = [package for tool, package in TOOLS.items() if not shutil.which(tool)]
    if not Path("/usr/include/libelf.h").exists():
        missing.append("libelf-dev")
    remedy = f"apt-get install {' '.join(missing)} (to build a lab kernel)" if missing else ""
    found = f"without {', '.join(missing)}" if missing else "complete"
    yield Finding("build tools", "warning" if missing else "ok", found, remedy)


def _cores() -> Finding:
    return Finding("cores", "ok", str(len(os.sched_getaffinity(0))))


def _timers() -> Finding:
    from weir.spec.experiment import Checks  # noqa: PLC0415 - slow to import

    measured_s = late_s()
    found = f"99 of 100 fire within {measured_s * 1e3:.2g} ms"
    if measured_s <= Checks().timer_lateness:
        return Finding("timers", "ok", found)
    return Finding("timers", "warning", found, f"{REMEDY} (needed by clock: real)")


def _memory() -> Finding:
    free = machine.available_bytes()
    jobs = max(1, free // _RUN_MEMORY_BYTES)
    enough = free >= _RUN_MEMORY_BYTES * len(os.sched_getaffinity(0))
    remedy = "" if enough else f"a run takes up to 400 MiB: use --jobs {jobs}"
    return Finding("memory", "ok" if enough else "warning", f"{free / 2**30:.1f} GiB free", remedy)


def _disk_space(store: Path) -> Finding:
    folder = store.absolute()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    good = free >= _LEAST_FREE_BYTES
    remedy = "" if good else "a run with all traces takes 1 to 5 MB: make room or use --store"
    level = "ok" if good else "warning"
    return Finding("disk", level, f"{free / 1e9:.1f} GB free in {folder}", remedy)


def _temporary() -> Finding:
    """User-Mode Linux maps its memory file executable: the folder must allow it."""
    folder = Path(tempfile.gettempdir())
    if not os.access(folder, os.W_OK):
        return Finding("temporary", "missing", str(folder), "set TMPDIR to a writable folder")
    if os.statvfs(folder).f_flag & os.ST_NOEXEC:
        remedy = "set TMPDIR to a folder on a disk mounted without noexec"
        return Finding("temporary", "missing", f"{folder} (noexec)", remedy)
    return Finding("temporary", "ok", str(folder))


def _kernel() -> Iterator[Finding]:
    from weir_lab import kernel  # noqa: PLC0415 - only this looks at the lab

    try:
        found = kernel.find()
        if found is not None:
            kernel.verify(found)
    except kernel.Damaged as error:
        what, _, remedy = str(error).rpartition("; ")
        yield Finding("lab kernel", "missing", what, remedy)
        return
    if found is None:
        wrong = "; ".join(kernel.damaged())
        yield Finding("lab kernel", "missing", wrong or "not built", "weir kernel build")
        return
    boots, by_seccomp, said = trial_boot(found.path)
    told = f"{found.release} ({found.hash})"
    if not boots:
        remedy = "run it where ptrace or seccomp is allowed; TMPDIR must allow executable files"
        yield Finding("lab kernel", "missing", f"{told} does not boot: {said}", remedy)
        return
    yield Finding("lab kernel", "ok", told)
    level = "ok" if by_seccomp else "warning"
    remedy = "" if by_seccomp else "allow seccomp filters here: runs are about 20 % faster"
    yield Finding("mode", level, "seccomp" if by_seccomp else "ptrace", remedy)
    yield Finding("congestion controls", "ok", " ".join(found.congestion_controls))
