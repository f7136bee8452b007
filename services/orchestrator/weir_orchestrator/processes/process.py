"""What the platform's processes share: logging, signals, and an end with their supervisor."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable

from weir_lab.parent import die_with

__all__ = ["SUPERVISOR", "start"]

SUPERVISOR = "WEIR_SUPERVISOR_PID"
"""Environment variable: the process that started this one, without which it is to end."""


def start(stop: Callable[[], None] | None = None) -> None:
    """Log to standard error; call `stop` at SIGTERM and SIGINT."""
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    for library in ("alembic", "httpx2"):
        logging.getLogger(library).setLevel(logging.WARNING)
    if parent := os.environ.pop(SUPERVISOR, None):
        die_with(int(parent))
    if stop is not None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop())
