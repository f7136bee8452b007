"""Exit codes, the same for every subcommand."""

from __future__ import annotations

from typing import Final

__all__ = ["BAD_INPUT", "CANNOT", "HELP", "INTERRUPTED", "NOT_GOOD", "OK", "OUT_OF_MEMORY"]

OK: Final = 0
NOT_GOOD: Final = 1
BAD_INPUT: Final = 2
CANNOT: Final = 3
INTERRUPTED: Final = 130
OUT_OF_MEMORY: Final = 137
"""Of a batch; what the kernel's own killing of a container would give."""

HELP: Final = """\
Exit codes: 0 done · 1 runs failed or are invalid, a replay differs, or results became worse ·
2 bad input · 3 this machine cannot (no lab kernel, disk full, ...; see `weir doctor`) ·
130 interrupted.
"""
