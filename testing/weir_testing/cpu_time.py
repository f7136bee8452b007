"""What work costs: CPU time of this process."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Spent", "cpu_time"]


@dataclass
class Spent:
    """CPU time, once the work is done."""

    cpu_s: float = math.nan


@contextmanager
def cpu_time() -> Iterator[Spent]:
    """Measure without the collector, whose time depends on what all tests before have left."""
    spent = Spent()
    gc.disable()
    began_s = time.process_time()
    try:
        yield spent
    finally:
        spent.cpu_s = time.process_time() - began_s
        gc.enable()
