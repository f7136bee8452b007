"""Waiting for what must come, however busy the machine: only a failing test waits to the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

PATIENCE_S: Final = 600.0
_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 0.1
_REST: Final = 0.05
"""Of the time waited so far, until the condition is looked at again: a look costs milliseconds,
of the database's time too."""


def until(
    holds: Callable[[], Any],
    what: str = "it",
    every_s: float | None = None,
    patience_s: float = PATIENCE_S,
    progress: Callable[[], Any] = lambda: None,
) -> None:
    """Wait for a condition; fails when it never comes.

    every_s: between looks; None: the rarer they are, the longer it lasts.
    progress: of long work; patience begins anew with whatever else it returns.
    """
    began = time.monotonic()
    end, before = began + patience_s, progress()
    while not holds():
        if (now := progress()) != before:
            end, before = time.monotonic() + patience_s, now
        assert time.monotonic() < end, f"never came: {what}"
        rest_s = max(_PAUSE_S, _REST * (time.monotonic() - began))
        time.sleep(min(_LONGEST_PAUSE_S, rest_s) if every_s is None else every_s)
