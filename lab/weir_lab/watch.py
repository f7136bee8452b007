"""What a lab kernel tells of itself: its virtual time, and the program that it runs.

A page that the kernel writes to as its clock moves and its tasks take turns, at no cost of virtual
time (arch/um/os-Linux/watch.c of the patched source).
"""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
from typing import Final

__all__ = ["Watch"]

_SEALS: Final = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
_TOLD: Final = struct.Struct("<Q16s")


class Watch:
    """The page, and the descriptor to give to a kernel."""

    def __init__(self) -> None:
        """Raises OSError."""
        self.fd = os.memfd_create("weir-watch", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(self.fd, mmap.PAGESIZE)
            # Who reads a page that a kernel took away would die of it.
            fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, _SEALS)
            self._page = mmap.mmap(self.fd, mmap.PAGESIZE, prot=mmap.PROT_READ)
        except BaseException:
            os.close(self.fd)
            raise

    def told(self) -> tuple[int, str]:
        """(virtual time in ns, the running program's name in the guest); (0, "") before it says."""
        time_ns, name = _TOLD.unpack_from(self._page)
        return time_ns, name.partition(b"\0")[0].decode("ascii", "replace")

    def close(self) -> None:
        """Once nobody is told any more."""
        self._page.close()
        os.close(self.fd)
