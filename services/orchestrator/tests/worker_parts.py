"""What tests of workers share: one as a process, with the stand-in cell."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from platform_parts import Platform
from weir_orchestrator.cli.up import environment

PROGRAM = Path(__file__).with_name("stand_in_worker.py")
PATIENCE_S = 240.0


def variables(platform: Platform, **others: str) -> dict[str, str]:
    """The worker's environment; the program imports the tests' own modules too."""
    return {**environment(platform.settings), "PYTHONPATH": os.pathsep.join(sys.path), **others}


@contextmanager
def worker(platform: Platform, *ids: str, **others: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process; killed at the end where it still runs. others: of its environment."""
    process = subprocess.Popen([sys.executable, PROGRAM, *ids], env=variables(platform, **others))
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def drain(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0
