"""How late timers fire on this machine now, before a run on the real clock finds out."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Final

from weir_lab import priority
from weir_lab.packages import python_path

__all__ = ["QUANTILE", "late_s", "main"]

QUANTILE: Final = 0.99
"""Of all timers, so many count: the latest ones may have many reasons."""

_EVERY_S: Final = 0.002
_COUNT: Final = 250
_PROGRAM: Final = "from weir_lab.real import timers; timers.main()"


def late_s() -> float:
    """So late (s) at most are 99 of 100 timers of a process with a lab kernel's priority.

    Takes half a second. Raises OSError.
    """
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(python_path())}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise OSError(f"timers were not measured: {done.stderr.strip()}")
    return float(done.stdout)


def main() -> None:
    """Measure, in this process, and print it."""
    priority.ask()
    late = []
    due_s = time.monotonic()
    for _ in range(_COUNT):
        due_s += _EVERY_S
        time.sleep(max(0.0, due_s - time.monotonic()))
        late.append(time.monotonic() - due_s)
    print(sorted(late)[round(QUANTILE * (_COUNT - 1))])
