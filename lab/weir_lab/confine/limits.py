"""What a process may use up (setrlimit(2)), and the capabilities it does without."""

from __future__ import annotations

import ctypes
import os
import resource
import struct
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from weir_lab.confine import system

__all__ = ["Limits", "apply", "drop_capabilities"]

_PR_SET_SECUREBITS: Final = 28
_NO_ROOT: Final = 0b11
"""Being root gives a program run no capability (capabilities(7)); for good."""
_CAPSET: Final = 126
_CAPABILITY_VERSION_3: Final = 0x20080522


@dataclass(frozen=True)
class Limits:
    """file_bytes: of the largest file written. memory_bytes: of a process's address space.

    processes: of the user, those outside included; not counted for root. cpu_s: seconds of a
    core that each process may use; None: as many as it likes. descriptors: that each may have
    open, more than it has had so far where that may be; None: as before.
    """

    file_bytes: int
    memory_bytes: int
    processes: int
    cpu_s: int | None = None
    descriptors: int | None = None


def apply(limits: Limits) -> None:
    """Hold this process, and what it starts, to limits, as far as its hard ones allow."""
    for what, value in (
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_CPU, limits.cpu_s),
        (resource.RLIMIT_NOFILE, limits.descriptors),
        (resource.RLIMIT_CORE, 0),
    ):
        if value is None:
            continue
        _, hard = resource.getrlimit(what)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (most, most))


def drop_capabilities() -> None:
    """Keep no capability; with no_new_privs no program run later has one either. Also for root."""
    if os.geteuid() == 0:
        with suppress(PermissionError):  # nor has its bounding set any, then
            system.prctl(_PR_SET_SECUREBITS, _NO_ROOT)
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    system.call(_CAPSET, header, ctypes.create_string_buffer(24))
