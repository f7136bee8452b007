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
    progress: Callable[[], Any] = lambda: None,
) -> None:
    """Wait for a condition; fails when it never comes.

    progress: of long work; patience begins anew with whatever else it returns.
    """
    end, before = time.monotonic() + patience_s, progress()
    while not holds():
        if (now := progress()) != before:
            end, before = time.monotonic() + patience_s, now
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(every_s)
