"""Programs with a cell that is none: real run data without a kernel, and every way to go wrong."""

from __future__ import annotations

from typing import Final

RUN_CELL: Final = "weir_testing.stand_in.cell:run_cell"
