"""What each program that meets others' code may do. One line, one reason; the rest is denied.

Three layers lie around the code that a run brings: in the guest it is nobody (guest/hosts.py);
the lab kernel that carries the guest is `lab_kernel`; what boots it and reads what it left is
`run`. Compiling C that a campaign brings is `build`; `fetch` gets files from a repository.
docs/security.md says what each holds back.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir_lab.confine import landlock
from weir_lab.confine.limits import Limits

__all__ = ["Profile", "build", "fetch", "lab_kernel", "run"]

_GIB: Final = 2**30
_SYSTEM: Final = (
    "/usr",  # programs and libraries, in the guest the same ones
    "/bin", "/sbin", "/lib", "/lib64",  # where these are not links into /usr
    "/etc/ld.so.cache", "/etc/ld.so.preload",  # the loader's
    "/etc/alternatives",  # links from /usr to /usr
    "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group",  # the C library's
    "/etc/locale.alias", "/etc/ssl/openssl.cnf",  # read as nginx and Apache start
    "/proc/cpuinfo", "/sys/devices/system/cpu",  # what the processor can do
)  # fmt: skip
_NAMES: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf")
"""By which the C library turns a host's name into its address."""
_CERTIFICATES: Final = ("/etc/ssl/certs", "/etc/ca-certificates", "/etc/pki")
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_PROCESSES: Final = 8192
"""Of the user together: far above an honest run's hundred, far below a machine's 4 million."""


_DESCRIPTORS: Final = 8192
"""A cell of 500 clients has 1,534; what a process usually has is 1,024."""


@dataclass(frozen=True)
class Profile:
    """rules: Landlock's rights, and the paths that they are on. sockets: if they may be made."""

    rules: tuple[tuple[int, tuple[Path, ...]], ...]
    sockets: bool
    limits: Limits
    scoped: bool = True
    file_modes: bool = False
    makefiles: bool = False


def lab_kernel(
    program: Path, packages: Iterable[Path], folders: Iterable[Path], memory_mib: int
) -> Profile:
    """A lab kernel: hostile native code as soon as its guest is.

    folders: the run's, which the guest writes to, and that for the guest's memory, where it makes
    the file.
    """
    return Profile(
        (
            _system(),
            # Itself, and Weir's packages for the guest.
            (landlock.READ, (program, *packages)),
            # The guest's files: the plan, its results, the recorder's file.
            (landlock.WRITE, tuple(folders)),
            (landlock.USE, _devices()),
        ),
        # On the virtual clock the cell is all within one kernel; on the real clock it is given its
        # ends of wires.
        sockets=False,
        limits=Limits(
            # The recorder's file of a long run; what is read of it is bounded elsewhere.
            file_bytes=4 * _GIB,
            # The guest's memory is mapped as often as it has processes, each in its own space.
            memory_bytes=4 * memory_mib * 2**20 + 4 * _GIB,
            processes=_PROCESSES,
            descriptors=_DESCRIPTORS,
        ),
    )


def run(
    packages: Iterable[Path], programs: Sequence[Path], folders: Iterable[Path], sockets: bool
) -> Profile:
    """What boots a run's lab kernel and makes a run directory of what it left.

    programs: the lab kernel. folders: the run's own. sockets: on the real clock, to its agents.
    """
    return Profile(
        (
            _system(),
            (landlock.READ, (*_python(), _environment(), *packages, *programs)),
            (landlock.WRITE, tuple(folders)),
            (landlock.USE, _devices()),
            # Of its own processes; other users' and the platform's are out of its Landlock domain.
            (landlock.LOOK, (Path("/proc"),)),
            # An agent's address is a name.
            (landlock.READ, tuple(map(Path, _NAMES)) if sockets else ()),
        ),
        sockets=sockets,
        limits=Limits(file_bytes=4 * _GIB, memory_bytes=8 * _GIB, processes=_PROCESSES),
    )


def build(tree: Path, linked: Iterable[Path] = ()) -> Profile:
    """The compiler, on C that a campaign brings: `.incbin` and `#include` find nothing else.

    linked: trees that links in this one lead to.
    """
    return Profile(
        (
            _system(),
            # The kernel's source, the C files within it, and what is made of them.
            (landlock.BUILD, (tree,)),
            # Others' builds start from the same source.
            (landlock.READ, tuple(linked)),
            (landlock.USE, _devices()),
            # How many jobs make may start.
            (landlock.LOOK, (Path("/proc/stat"), Path("/proc/loadavg"))),
        ),
        sockets=False,
        limits=Limits(
            file_bytes=_GIB,
            memory_bytes=4 * _GIB,
            processes=_PROCESSES,
            # The largest file takes seconds; one that includes itself twice would never end.
            cpu_s=120,
        ),
        # The linker makes programs executable, and make touches files.
        file_modes=True,
        # A patch's commands end with the build, and date nobody's files back.
        makefiles=True,
    )


def fetch(folder: Path, certificates: Iterable[Path] = ()) -> Profile:
    """git and ssh, on a repository that a campaign's team names: it may answer anything.

    certificates: of authorities of one's own, beside the system's.
    """
    return Profile(
        (
            _system(),
            # What was fetched; git renames and links its own files.
            (landlock.BUILD, (folder,)),
            (landlock.READ, (*map(Path, (*_NAMES, *_CERTIFICATES)), *certificates)),
            (landlock.USE, _devices()),
        ),
        sockets=True,
        limits=Limits(
            # The pack that a server sends is one file.
            file_bytes=_GIB // 4,
            memory_bytes=2 * _GIB,
            processes=_PROCESSES,
            cpu_s=60,
        ),
        # git makes its own files read-only.
        file_modes=True,
    )


def _system() -> tuple[int, tuple[Path, ...]]:
    return landlock.READ, (*map(Path, _SYSTEM), *_python())


def _python() -> tuple[Path, ...]:
    """Where Python is, which need not be below /usr."""
    program = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    return Path(program), Path(sys.base_prefix) / "lib"


def _environment() -> Path:
    """What says that Python's is a virtual one: the agents that a run starts begin with it."""
    return Path(sys.prefix) / "pyvenv.cfg"


def _devices() -> tuple[Path, ...]:
    return tuple(map(Path, _DEVICES))
