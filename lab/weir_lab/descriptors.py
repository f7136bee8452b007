"""The files that a lab kernel has open: each client's record, the file of its error, and the socket
to its process."""

from __future__ import annotations

import resource
from typing import Final

from weir.errors import RunFailure

__all__ = ["require"]

_EACH: Final = 3
_BESIDE: Final = 50


def require(clients: int) -> None:
    """Raises RunFailure where a process may not open as many as a cell of so many clients needs."""
    needed = _BESIDE + _EACH * clients
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < needed:
        raise RunFailure(
            f"the lab kernel of a cell of {clients} clients opens up to {needed} files, and "
            f"a process may open {most} here; raise that (ulimit -Hn), or have fewer clients"
        )
