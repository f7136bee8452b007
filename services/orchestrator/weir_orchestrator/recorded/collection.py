"""Reading thousands of runs without Python looking through them for garbage again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

__all__ = ["not_collected"]

_lock: Final = Lock()
_inside = 0


@contextmanager
def not_collected() -> Iterator[None]:
    """Let no cycles be looked for meanwhile, in any thread.

    Each run is a dozen objects that all stay: of the time in which 4,800 runs are judged, a third
    was spent on finding that out.
    """
    global _inside  # noqa: PLW0603 - collection is the process's
    with _lock:
        _inside += 1
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                gc.enable()
