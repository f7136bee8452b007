"""How a cell's links pass between machines: frames as L2TPv3's data packets (RFC 3931) over UDP."""

from __future__ import annotations

import struct
from typing import Final

__all__ = ["HEADER_BYTES", "LARGEST_FRAME_BYTES", "LARGEST_PACKET_BYTES", "header"]

LARGEST_FRAME_BYTES: Final = 1518
_DATA: Final = 0x00030000  # version 3, no control message (section 4.1.2.1)
_HEADER: Final = struct.Struct("!II")
HEADER_BYTES: Final = _HEADER.size
LARGEST_PACKET_BYTES: Final = HEADER_BYTES + LARGEST_FRAME_BYTES


def header(session: int) -> bytes:
    """What stands before each frame of a session, a number of 32 bits; there is no cookie."""
    return _HEADER.pack(_DATA, session)
