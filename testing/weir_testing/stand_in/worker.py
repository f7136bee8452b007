"""A worker with the stand-in cell, as a program of its own, to be drained and killed by tests.

Its arguments are those of the supervisor's workers or, if they begin with --, of `weir worker`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from weir_engine import provenance, task
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel
from weir_orchestrator.cli import main as command
from weir_orchestrator.processes.__main__ import main

from weir_testing.stand_in.cell import run_cell
from weir_testing.stand_in.versions import KERNEL, ROLES

if __name__ == "__main__":
    init = task.Environment.__init__

    def _with_stand_in(self: task.Environment, *given: Any, **named: Any) -> None:
        init(self, *given, **{**named, "run_cell": run_cell})

    task.Environment.__init__ = _with_stand_in  # type: ignore[method-assign]
    stand_in = Kernel(Path("/nowhere"), KERNEL, "7.3-test", ("cubic", "reno"))
    lab_kernel.installed = lambda: [stand_in]
    provenance.roles = lambda: {"hash": ROLES, "python": "3"}  # type: ignore[assignment]
    if sys.argv[1:2] and sys.argv[1].startswith("--"):
        sys.exit(command(["worker", *sys.argv[1:]]))
    main("worker", *sys.argv[1:])
