"""What work costs: CPU time of this process."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

__all__ = ["cpu_s"]


def cpu_s(work: Callable[[], object]) -> float:
    """Seconds without the collector's, which depend on what all tests before have left."""
    gc.disable()
    try:
        began_s = time.process_time()
        work()
        return time.process_time() - began_s
    finally:
        gc.enable()
