"""What tests of workers share: one as a process, with the stand-in cell."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import func, select
from weir_orchestrator.cli.platform.up import environment
from weir_orchestrator.db import Lease

from weir_testing.patience import PATIENCE_S
from weir_testing.platform import Platform

PROGRAM = (sys.executable, "-m", "weir_testing.stand_in.worker")


def variables(platform: Platform, **others: str) -> dict[str, str]:
    """The worker's environment. Tests may run as root, and then so does what they start."""
    return {**environment(platform.settings), "WEIR_AS_ROOT": "true", **others}


@contextmanager
def worker(platform: Platform, *ids: str, **others: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process; killed at the end where it still runs. others: of its environment."""
    process = subprocess.Popen([*PROGRAM, *ids], env=variables(platform, **others))
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def number_of_leases(platform: Platform) -> int:
    with platform.sessions() as session:
        return session.scalars(select(func.count()).select_from(Lease)).one()


def drain(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0
