"""Confining a process for good: Landlock, seccomp, limits, no capabilities, no new privileges.

    with ready(profile) as confinement:
        subprocess.Popen(..., preexec_fn=confinement.enter)

or `confinement.enter()` in a process that is to stay. Where the host's kernel lacks a part, the
others hold; `lacking` says which, and whoever runs others' code decides (docs/security.md).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Final

from weir_lab.confine import landlock, limits, seccomp, system
from weir_lab.confine.limits import Limits
from weir_lab.confine.profile import Profile

__all__ = ["Confinement", "lacking", "ready"]

_PR_SET_NO_NEW_PRIVS: Final = 38


@dataclass(frozen=True)
class Confinement:
    """Made ready beforehand: `enter` runs between fork and exec, where little may be done."""

    ruleset: int | None
    filter_: bytes | None
    limits: Limits

    def enter(self) -> None:
        """Hold this thread, and all that it starts, to the profile, for good. Raises OSError."""
        try:
            limits.apply(self.limits)
            limits.drop_capabilities()
            system.prctl(_PR_SET_NO_NEW_PRIVS, 1)
            if self.ruleset is not None:
                landlock.restrict(self.ruleset)
            if self.filter_ is not None:
                seccomp.install(self.filter_)
        except OSError as error:
            os.write(2, f"cannot be confined: {error}\n".encode())
            raise


@contextmanager
def ready(profile: Profile) -> Iterator[Confinement]:
    """What `enter` needs. Raises OSError where a part that the kernel offers is refused."""
    filter_ = (
        seccomp.program(
            sockets=profile.sockets, file_modes=profile.file_modes, makefiles=profile.makefiles
        )
        if seccomp.available()
        else None
    )
    if not landlock.abi():
        yield Confinement(None, filter_, profile.limits)
        return
    with landlock.ruleset(profile.rules, tcp=profile.sockets, scoped=profile.scoped) as fd:
        yield Confinement(fd, filter_, profile.limits)


@cache
def lacking() -> str:
    """What of a sandbox this machine's kernel does not offer; empty where nothing is missing."""
    missing = []
    if not landlock.abi():
        missing.append("Landlock (Linux 5.13 or newer, and `landlock` in its lsm= list)")
    if not seccomp.available():
        missing.append("seccomp filters")
    return " and ".join(missing)
