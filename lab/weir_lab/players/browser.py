"""The browser that plays: Chromium's headless shell, as this machine has it."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Final

from weir_client.web_player import BROWSER

__all__ = ["build_id", "is_there"]

_HEADER: Final = struct.Struct("<4sB27xQ")
"""ELF's: magic and class; where the program headers are."""
_SIZES: Final = struct.Struct("<54xHH")
"""Likewise: how large a program header is, and how many there are."""
_SEGMENT: Final = struct.Struct("<I4xQ16xQ16x")
"""A program header: its type, where the segment is, and its bytes."""
_NOTE: Final = struct.Struct("<III")
"""Bytes of its name and of what it says, and its type."""
_HEADER_BYTES: Final = 64
_64_BIT: Final = 2
_NOTES: Final = 4
_BUILD_ID: Final = 3


def is_there(program: Path = Path(BROWSER)) -> bool:
    """Whether this machine has it."""
    return os.access(program, os.X_OK)


def build_id(program: Path) -> str:
    """What its linker called this build of a program or library, in hexadecimal; empty where there
    is none. A quarter of a gigabyte is not read for it.

    ELF-64 as in the System V ABI, chapters 4 and 5; the note is GNU's.
    """
    try:
        with program.open("rb") as file:
            head = file.read(_HEADER_BYTES)
            magic, bits, at = _HEADER.unpack_from(head)
            if (magic, bits) != (b"\x7fELF", _64_BIT):
                return ""
            bytes_, count = _SIZES.unpack_from(head)
            file.seek(at)
            headers = file.read(bytes_ * count)
            for start in range(0, len(headers), bytes_):
                kind, offset, length = _SEGMENT.unpack_from(headers, start)
                if kind == _NOTES:
                    file.seek(offset)
                    if found := _of_notes(file.read(length)):
                        return found
    except (OSError, ValueError, struct.error):
        pass
    return ""


def _of_notes(notes: bytes) -> str:
    at = 0
    while at + _NOTE.size <= len(notes):
        name_bytes, says_bytes, kind = _NOTE.unpack_from(notes, at)
        name_at = at + _NOTE.size
        says_at = name_at + _padded(name_bytes)
        if (kind, notes[name_at : name_at + name_bytes]) == (_BUILD_ID, b"GNU\0"):
            return notes[says_at : says_at + says_bytes].hex()
        at = says_at + _padded(says_bytes)
    return ""


def _padded(bytes_: int) -> int:
    return -(-bytes_ // 4) * 4
