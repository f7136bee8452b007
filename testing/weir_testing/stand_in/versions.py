"""What stand-in cells say they run on; apart, for a worker's process loads nothing to read it."""

from __future__ import annotations

from typing import Final

KERNEL: Final = "0123456789abcdef"
ROLES: Final = "r" * 32
