"""The `weir` command with the stand-in cell, as a program of its own, to be killed by tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from weir_engine import task
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel
from weir_orchestrator.cli import main

from weir_testing.stand_in.cell import run_cell

if __name__ == "__main__":
    init = task.Environment.__init__

    def _with_stand_in(self: task.Environment, *given: Any, **named: Any) -> None:
        init(self, *given, **{**named, "run_cell": run_cell})

    task.Environment.__init__ = _with_stand_in  # type: ignore[method-assign]
    stand_in = Kernel(Path("/nowhere"), "0123456789abcdef", "7.3-test", ("cubic", "reno"))
    lab_kernel.find = lambda *given, **named: stand_in
    sys.exit(main())
