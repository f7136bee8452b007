"""Waiting for what must come, however busy the machine: only a failing test waits to the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

PATIENCE_S: Final = 600.0


def until(
    holds: Callable[[], Any],
    what: str = "it",
    every_s: float = 0.02,
    patience_s: float = PATIENCE_S,
) -> None:
    """Wait for a condition; fails when it never comes."""
    end = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(every_s)
