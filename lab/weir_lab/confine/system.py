"""System calls that Python has no name for (Linux, x86-64, as the lab kernel)."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Final

__all__ = ["call", "prctl"]

_libc: Final = ctypes.CDLL(None, use_errno=True)


def call(number: int, *arguments: Any) -> int:
    """syscall(2); its result. Raises OSError."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *words))


def prctl(option: int, *arguments: Any) -> int:
    """prctl(2); its result. Raises OSError."""
    rest = [*arguments, 0, 0, 0, 0][:4]
    words = [ctypes.c_ulong(word) if isinstance(word, int) else word for word in rest]
    return _checked(_libc.prctl(option, *words))


def _checked(done: int) -> int:
    if done < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return int(done)
