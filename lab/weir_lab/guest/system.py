"""System calls that Python's os module does not offer on every supported version."""

from __future__ import annotations

import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)

MS_NOATIME = 1024
MS_BIND = 4096
CLONE_NEWNET = 0x40000000
POWER_OFF = 0x4321FEDC
PR_SET_NAME = 15
PR_SET_TIMERSLACK = 29
PR_SET_NO_NEW_PRIVS = 38
NOBODY = 65534
RLIMIT_NOFILE = 7
RLIMIT_NPROC = 6
NOBODYS_PROCESSES = 64
"""Of all players of a guest together; a player that starts more fails, and its run ends."""
PROGRAMS_PROCESSES = 12
"""More of them for each player that is a program, where its role names no other number: one in
Node.js has four or five threads, and in Weir's browser one more for each connection."""


def mount(source: str, target: str, kind: str, flags: int = 0, data: str = "") -> None:
    """mount(2). Raises OSError naming the target."""
    done = _libc.mount(source.encode(), target.encode(), kind.encode(), flags, data.encode())
    if done:
        raise OSError(ctypes.get_errno(), f"mount {kind}", target)


def unmount(target: str) -> None:
    """umount(2). Raises OSError."""
    if _libc.umount2(target.encode(), 0):
        raise OSError(ctypes.get_errno(), "umount", target)


def new_network_namespace() -> None:
    """Move this process into a fresh network namespace. Raises OSError."""
    if _libc.unshare(CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "unshare")


def enter_network_namespace(fd: int) -> None:
    """Move this process into the network namespace behind `fd`. Raises OSError."""
    if _libc.setns(fd, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


def wake_in_time() -> None:
    """Let this process, and all that it starts, wake at the instant they asked for.

    By default a sleep may end up to 50 us later, together with other timers: with those of what has
    been before, too, so that equal experiments would wake at other instants. Raises OSError.
    """
    if _libc.prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def be_called(name: str) -> None:
    """Name this process, and the threads and processes that it starts, in 15 bytes at most."""
    _libc.prctl(PR_SET_NAME, name.encode(), 0, 0, 0)


def hold_descriptors(most: int) -> None:
    """Let this process, and what it starts, have so many descriptors open. Raises OSError."""
    limit = (ctypes.c_ulong * 2)(most, most)
    if _libc.setrlimit(RLIMIT_NOFILE, limit):
        raise OSError(ctypes.get_errno(), "setrlimit")


def become_nobody(more: int = 0) -> None:
    """Have no right that others have not, for good: no capability, also by no program run later.

    Nor is the guest filled with processes: no more than NOBODYS_PROCESSES, and so many. Raises
    OSError.
    """
    most = NOBODYS_PROCESSES + more
    limit = (ctypes.c_ulong * 2)(most, most)
    if _libc.setrlimit(RLIMIT_NPROC, limit):
        raise OSError(ctypes.get_errno(), "setrlimit")
    if _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def power_off() -> None:
    """End the lab kernel. Does not return."""
    os.sync()
    _libc.reboot(POWER_OFF)
